internal import Glibc

/// The TCP sockets of this machine, as /proc shows them to every user.
struct SocketTable {
    struct Row {
        let port: UInt16
        let isListening: Bool
        /// 0 for one that no program holds any more.
        let inode: UInt64
    }

    let rows: [Row]

    init() {
        rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap(Self.rows)
    }

    private static func rows(of file: String) -> [Row] {
        wholeText(file).split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            // The local address, the peer's, the state (0A: listening), further on the inode.
            guard words.count > 9, let local = words[1].lastIndex(of: ":"),
                let port = UInt16(words[1][words[1].index(after: local)...], radix: 16), let inode = UInt64(words[9])
            else { return nil }
            return Row(port: port, isListening: words[3] == "0A", inode: inode)
        }
    }

    /// The kernel gives a long table in pieces.
    private static func wholeText(_ path: String) -> String {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while text.count < 16 << 20 {
            let count = unsafe read(file, &buffer, buffer.count)
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
