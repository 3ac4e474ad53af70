import Glibc
import Testing

/// Reads `attacks.txt`, in the checkout that the tests were built from.
enum AttackFile {
    /// The attacks of a kind, in the order of the file; empty when the file cannot be read.
    static func attacks(_ kind: Attack.Kind) -> [Attack] { all.filter { $0.kind == kind } }

    static let all: [Attack] = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .enumerated().compactMap { attack($0.element, line: $0.offset + 1) }

    /// Lines that are neither an attack nor a comment.
    static let unreadable: [Int] = {
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        let meant = lines.filter { !$0.element.isEmpty && $0.element.first != UInt8(ascii: "#") }.map { $0.offset + 1 }
        let read = Set(all.map(\.line))
        return meant.filter { !read.contains($0) }
    }()

    private static func attack(_ bytes: ArraySlice<UInt8>, line: Int) -> Attack? {
        let columns = bytes.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard columns.count == 2, let kind = Attack.Kind(rawValue: String(decoding: columns[0], as: UTF8.self))
        else { return nil }
        let rest = columns[1].drop { $0 == UInt8(ascii: " ") }
        let expectation = rest.prefix { $0 != UInt8(ascii: " ") }
        let text = rest.dropFirst(expectation.count).drop { $0 == UInt8(ascii: " ") }
        guard let bytes = Escapes.decode(String(decoding: text, as: UTF8.self)) else { return nil }
        return Attack(kind: kind, expectation: String(decoding: expectation, as: UTF8.self), bytes: bytes, line: line)
    }

    private static let contents: [UInt8] = {
        let path = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/attacks.txt"
        guard let file = unsafe fopen(path, "rb") else { return [] }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }()
}
