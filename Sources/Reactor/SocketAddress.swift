internal import Glibc
internal import SwitchyardCLinux

/// The address of a listener.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address (without brackets) and a port; port 0 lets the kernel choose.
    case tcp(host: String, port: UInt16)
    /// A socket file, its permission bits, and its group.
    case unix(path: String, mode: UInt32, group: String?)

    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path, _, _): "unix:\(path)"
        }
    }
}

/// The other end of a connection, as the kernel names it.
public enum Peer: Hashable, Sendable {
    /// The address as 4 or 16 bytes in network order.
    case ip(address: [UInt8], port: UInt16)
    /// A process on this machine, by the user that it ran as when it connected (`SO_PEERCRED`); nil where the kernel does not
    /// say which user that is (``LocalUsers``).
    case local(uid: UInt32?)
}

/// The process that connected to a Unix socket, held by a descriptor of its own: another one that gets its number later
/// is not taken for it. A process may pass its connection on to others, or become another program.
public final class PeerProcess: Sendable {
    /// Its number, in this process's name space.
    public let id: Int32
    /// The user that it ran as when it connected.
    public let uid: UInt32
    /// A pidfd; -1 if the kernel cannot give one (before Linux 6.5).
    private let descriptor: Int32

    /// nil when the kernel does not name the process, or when it has ended.
    init?(socket: Int32) {
        var uid = uid_t.max
        var id = pid_t()
        guard unsafe sy_peer_user(socket, &uid, &id) == 0, id > 0 else { return nil }
        let descriptor = sy_peer_process(socket)
        guard descriptor >= 0 || errno != ESRCH else { return nil }
        self.uid = uid
        self.id = id
        self.descriptor = descriptor
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the process still lives; true where the kernel cannot tell. Ask this after reading `/proc` by number: an
    /// ended process's number may be reused.
    public var isAlive: Bool { descriptor < 0 || sy_process_has_ended(descriptor) == 0 }
}

extension Peer {
    /// The peer of an accepted socket.
    init(address: sockaddr_storage, descriptor: Int32) {
        var address = address
        switch Int32(address.ss_family) {
        case AF_INET:
            self = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { ip in
                    let bytes = unsafe withUnsafeBytes(of: ip.pointee.sin_addr) { unsafe Array($0) }
                    return unsafe .ip(address: bytes, port: UInt16(bigEndian: ip.pointee.sin_port))
                }
            }
        case AF_INET6:
            self = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { ip in
                    let bytes = unsafe withUnsafeBytes(of: ip.pointee.sin6_addr) { unsafe Array($0) }
                    return unsafe .ip(address: bytes, port: UInt16(bigEndian: ip.pointee.sin6_port))
                }
            }
        default:
            var uid = uid_t.max
            var pid = pid_t()
            let isKnown = unsafe sy_peer_user(descriptor, &uid, &pid) == 0 && LocalUsers.own.contains(uid)
            self = .local(uid: isKnown ? uid : nil)
        }
    }
}
