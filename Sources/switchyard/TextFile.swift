internal import SwitchyardFiles

/// Small files that options name.
enum TextFile {
    private static let maximumSize = 64 << 10

    /// The first line without spaces around it; nil for an unreadable or empty file.
    static func firstLine(_ path: String) -> String? {
        guard let line = text(path)?.prefix(while: { !$0.isNewline }) else { return nil }
        let text = line.drop(while: \.isWhitespace)
        guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(text[...end])
    }

    /// All of it.
    /// - Throws: ``CommandError`` when the file cannot be read or is larger.
    static func bytes(_ path: String, maximum: Int) throws -> [UInt8] {
        do throws(FileError) {
            return try OpenFile(path, for: .readingAnyKind).readAll(maximum: maximum)
        } catch {
            let reason = error == .tooLarge ? "it holds more than \(maximum) bytes" : error.reason
            throw CommandError("\(path) cannot be read: \(reason)", status: .usage)
        }
    }

    /// All of it, as far as 64 KiB; nil when the file cannot be read or is empty. It may be a pipe, of which the first
    /// piece counts.
    static func text(_ path: String) -> String? {
        guard let file = try? OpenFile(path, for: .readingAnyKind),
            let bytes = try? Descriptor.read(file.descriptor, upTo: maximumSize), !bytes.isEmpty
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
