internal import Glibc

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
        func failure(_ reason: String? = nil) -> CommandError {
            let reason = unsafe reason ?? String(cString: strerror(errno))
            return CommandError("\(path) cannot be read: \(reason)", status: .usage)
        }
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure() }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: maximumSize)
        while true {
            let count = unsafe read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            guard bytes.count + count <= maximum else { throw failure("it holds more than \(maximum) bytes") }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
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
