import Glibc
import Testing

/// The files of the corpus, in the checkout that the tests were built from.
enum Corpus {
    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    static let folder = root + "/corpus"
    static let dictionaries = root + "/dictionaries"

    static func files(of target: FuzzTarget) throws -> [String] {
        let folder = "\(folder)/\(target.rawValue)"
        return try names(in: folder).map { "\(folder)/\($0)" }
    }

    /// The names in a folder, sorted, without hidden ones.
    static func names(in folder: String) throws -> [String] {
        guard let stream = unsafe opendir(folder) else {
            Issue.record("\(folder) cannot be read")
            return []
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    static func read(_ path: String) throws -> [UInt8] {
        let file = unsafe try #require(fopen(path, "rb"), "\(path) cannot be read")
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }
}
