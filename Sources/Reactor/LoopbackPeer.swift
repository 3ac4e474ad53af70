internal import Glibc
internal import SwitchyardCLinux
internal import SwitchyardFiles

/// Judges the user behind a connection to a loopback port of this process. Any user of the machine can connect to loopback,
/// and the list of processes shows every user which address a browser was told to open.
///
/// A peer that cannot be seen is unknown, and never counts as this user's.
public enum LoopbackPeer {
    /// The user behind a connection.
    public enum Owner: Equatable, Sendable {
        case user(UInt32)
        /// The kernel shows no such socket, a socket that its program has closed, or a user without a number here.
        case unknown
    }

    /// Whether this user, or root, made a connection to a loopback port of this process.
    public static func isOwnUser(_ peer: Peer, at port: UInt16) -> Bool {
        isOwnUser(owner(of: peer, at: port))
    }

    /// Whether a connection's user is this one, or root.
    public static func isOwnUser(_ owner: Owner) -> Bool {
        guard case .user(let uid) = owner else { return false }
        return uid == geteuid() || uid == 0
    }

    /// The user that made a connection to a loopback port of this process.
    public static func owner(of peer: Peer, at port: UInt16) -> Owner {
        guard case .ip(let address, let peerPort) = peer, let own = loopback(for: address) else { return .unknown }
        // A listener at port 0 does not exist; the kernel would take it for "any peer".
        guard port != 0, peerPort != 0 else { return .unknown }
        let socket: FoundSocket?
        switch SocketDiagnosis.find(address, peerPort, connectedTo: (own, port)) {
        case .found(let found): socket = found
        // The kernel answers also like this where it lacks the module that knows. It does know our own listener otherwise.
        case .absent:
            socket = SocketDiagnosis.seesListener(own, port) ? nil : SocketFile.find(address, peerPort, own, port)
        case .unavailable: socket = SocketFile.find(address, peerPort, own, port)
        }
        // A socket that its program has closed belongs to no user; the kernel shows it as root's.
        guard let socket, socket.inode != 0, LocalUsers.own.contains(socket.uid) else { return .unknown }
        return .user(socket.uid)
    }

    /// Whether this machine shows the users of connections to a port that this process listens on.
    public static func canJudge(at port: UInt16) -> Bool {
        [[127, 0, 0, 1], loopback6].contains { own in
            SocketDiagnosis.seesListener(own, port) || SocketFile.showsListener(own, port)
        }
    }

    /// The address that a peer with this address reached: listeners on loopback are bound to one address.
    private static func loopback(for peer: [UInt8]) -> [UInt8]? {
        switch peer.count {
        case 4: [127, 0, 0, 1]
        case 16: loopback6
        default: nil
        }
    }

    private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]
}

/// A TCP socket of this machine, as the kernel shows it.
struct FoundSocket {
    let uid: UInt32
    /// 0 for a socket that no program holds any more.
    let inode: UInt32
}

/// The kernel's socket diagnosis (sock_diag(7)): one question costs some microseconds, however many sockets there are.
private enum SocketDiagnosis {
    enum Answer {
        case found(FoundSocket)
        case absent
        /// A sandbox forbids the question, or the kernel does not know it.
        case unavailable
    }

    static func find(
        _ address: [UInt8], _ port: UInt16, connectedTo peer: (address: [UInt8], port: UInt16)
    ) -> Answer {
        var (uid, inode): (UInt32, UInt32) = (0, 0)
        let family = address.count == 16 ? AF_INET6 : AF_INET
        let result = unsafe sy_find_tcp_socket(family, address, port, peer.address, peer.port, &uid, &inode)
        if result == 0 { return .found(FoundSocket(uid: uid, inode: inode)) }
        return errno == ENOENT ? .absent : .unavailable
    }

    static func seesListener(_ address: [UInt8], _ port: UInt16) -> Bool {
        var (uid, inode): (UInt32, UInt32) = (0, 0)
        let family = address.count == 16 ? AF_INET6 : AF_INET
        return unsafe sy_find_tcp_socket(family, address, port, nil, 0, &uid, &inode) == 0
    }
}

/// `/proc/net/tcp` and `/proc/net/tcp6`, for machines without socket diagnosis: the whole table is read for each question.
enum SocketFile {
    private static let mostBytes = 64 << 20

    static func find(_ address: [UInt8], _ port: UInt16, _ peer: [UInt8], _ peerPort: UInt16) -> FoundSocket? {
        // A socket for both families stands in the other table, with its addresses in IPv6's form.
        let forms = address.count == 4 ? [(address, peer), (mapped(address), mapped(peer))] : [(address, peer)]
        // A table that changes while it is read may lack a line.
        for _ in 0..<3 {
            for (address, peer) in forms {
                if let found = line("\(name(address, port)) \(name(peer, peerPort)) ", in: table(address)) {
                    return found
                }
            }
        }
        return nil
    }

    static func showsListener(_ address: [UInt8], _ port: UInt16) -> Bool {
        let anybody = name([UInt8](repeating: 0, count: address.count), 0)
        return line("\(name(address, port)) \(anybody) 0A ", in: table(address)) != nil
    }

    private static func table(_ address: [UInt8]) -> String { address.count == 4 ? "/proc/net/tcp" : "/proc/net/tcp6" }

    private static func mapped(_ address: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + address
    }

    /// An address and a port as the kernel writes them: words of four bytes, each in this machine's order.
    private static func name(_ address: [UInt8], _ port: UInt16) -> String {
        let words = stride(from: 0, to: address.count, by: 4).map { start in
            let word = address[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return hexadecimal(UInt32(littleEndian: word), digits: 8)
        }
        return "\(words.joined()):\(hexadecimal(UInt32(port), digits: 4))"
    }

    private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// The socket of the line that has `text`.
    private static func line(_ text: String, in path: String) -> FoundSocket? {
        let (table, wanted) = (SmallFile.bytes(path, maximum: mostBytes) ?? [], Array(text.utf8))
        let start = unsafe sy_find_bytes(table, table.count, wanted, wanted.count)
        guard start >= 0 else { return nil }
        let words = table[start...].prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
        // Both addresses, the state, the queues, the timer, the retransmissions, the user, the time-outs, the inode.
        guard words.count > 8, let uid = UInt32(String(decoding: words[6], as: UTF8.self)),
            let inode = UInt64(String(decoding: words[8], as: UTF8.self))
        else { return nil }
        return FoundSocket(uid: uid, inode: UInt32(truncatingIfNeeded: inode))
    }
}
