internal import Glibc

/// Small files that options name.
enum TextFile {
    private static let maximumSize = 64 << 10

    /// The first line without spaces around it; nil when the file cannot be read or has none.
    static func firstLine(_ path: String) -> String? {
        guard let line = text(path)?.prefix(while: { !$0.isNewline }) else { return nil }
        let text = line.drop(while: \.isWhitespace)
        guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(text[...end])
    }

    /// All of it, as far as 64 KiB; nil when the file cannot be read or is empty.
    static func text(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: maximumSize)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
