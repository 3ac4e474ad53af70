internal import Glibc
internal import SwitchyardReactor

/// The TCP sockets of this machine, as /proc shows them to every user.
struct SocketTable {
    struct Row {
        /// Hexadecimal, as the kernel writes it.
        let address: Substring
        let port: UInt16
        let peerPort: UInt16
        let isListening: Bool
        let uid: UInt32
        /// 0 for one that no program holds any more.
        let inode: UInt64
    }

    let rows: [Row]

    init() {
        rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap(Self.rows)
    }

    /// Whether it is this user, or root, who connected to a port of this program from there: anybody on the machine can connect to
    /// loopback, and read in the list of processes which page a browser was told to open.
    static func isOwnUser(_ peer: Peer, at port: UInt16) -> Bool {
        guard case .ip(let address, let peerPort) = peer else { return false }
        let name = hexadecimal(address)
        // A table that changes while it is read may lack a row.
        for _ in 0..<3 {
            let rows = SocketTable().rows
            // A machine that shows nothing, not even that we listen, cannot be asked.
            guard rows.contains(where: { $0.isListening && $0.port == port }) else { return true }
            let theirs = rows.filter {
                $0.port == peerPort && $0.peerPort == port && !$0.isListening
                    && ($0.address == name || $0.address == mapped + name)
            }
            guard theirs.isEmpty else {
                // One that was let go of belongs to nobody, and looks like root's.
                return theirs.allSatisfy {
                    $0.inode != 0 && ($0.uid == geteuid() || $0.uid == 0) && LocalUsers.own.contains($0.uid)
                }
            }
        }
        return false
    }

    /// What stands before an IPv4 address in a socket for both families.
    private static let mapped = "0000000000000000FFFF0000"

    /// The kernel writes words of four bytes, each as this machine's numbers are.
    private static func hexadecimal(_ address: [UInt8]) -> String {
        stride(from: 0, to: address.count, by: 4).map { start in
            let word = address[start..<min(start + 4, address.count)].reversed().reduce(UInt32(0)) {
                $0 << 8 | UInt32($1)
            }
            let digits = String(UInt32(littleEndian: word), radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func rows(of file: String) -> [Row] {
        wholeText(file).split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            // The local address, the other one, the state (0A: listening), the user, the inode.
            guard words.count > 9, let local = words[1].lastIndex(of: ":"), let other = words[2].lastIndex(of: ":"),
                let port = UInt16(words[1][words[1].index(after: local)...], radix: 16),
                let peerPort = UInt16(words[2][words[2].index(after: other)...], radix: 16),
                let uid = UInt32(words[7]), let inode = UInt64(words[9])
            else { return nil }
            return Row(
                address: words[1][..<local], port: port, peerPort: peerPort, isListening: words[3] == "0A", uid: uid,
                inode: inode)
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
