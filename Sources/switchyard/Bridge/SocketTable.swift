internal import SwitchyardFiles

/// The TCP sockets of this machine, as /proc shows them to every user.
struct SocketTable {
    struct Row: Hashable {
        /// The local address in hexadecimal, as /proc writes it.
        let address: String
        let port: UInt16
        let isListening: Bool
        /// The user who made the socket.
        let user: UInt32
        /// 0 for one that no program holds any more.
        let inode: UInt64
    }

    let rows: [Row]

    init() {
        rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap(Self.rows)
    }

    private static func rows(of file: String) -> [Row] {
        let text = SmallFile.text(file, maximum: 16 << 20) ?? ""
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            // The local address, the peer's, the state (0A: listening), further on the user and the inode.
            guard words.count > 9, let local = words[1].lastIndex(of: ":"),
                let port = UInt16(words[1][words[1].index(after: local)...], radix: 16), let user = UInt32(words[7]),
                let inode = UInt64(words[9])
            else { return nil }
            return Row(
                address: String(words[1][..<local]), port: port, isListening: words[3] == "0A", user: user, inode: inode
            )
        }
    }
}
