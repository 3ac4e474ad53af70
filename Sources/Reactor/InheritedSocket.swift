internal import Glibc
internal import SwitchyardCLinux
internal import SwitchyardFiles
internal import Synchronization

/// A listening socket that was open before this program began: of the service manager, or of the gateway before this
/// one. Safe from any thread.
public final class InheritedSocket: Sendable, CustomStringConvertible {
    fileprivate let descriptor: Int32
    /// Whether a socket file is removed at the end: the service manager's files stay.
    fileprivate let isOurs: Bool
    private let address: Bound
    private let isTaken = Atomic(false)

    private enum Bound: Equatable {
        case ip([UInt8], port: UInt16)
        case file(String)
    }

    /// Takes over a descriptor, and closes it at the end unless a listener uses it.
    /// - Throws: ``SystemError`` unless it is a listening stream socket of the Internet or of this machine.
    public init(_ descriptor: Int32, isOurs: Bool) throws(SystemError) {
        guard Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
            Self.option(SO_ACCEPTCONN, of: descriptor) == 1, let address = Self.address(of: descriptor)
        else { throw SystemError("descriptor \(descriptor) is no listening stream socket", code: ENOTSOCK) }
        self.descriptor = descriptor
        self.isOurs = isOurs
        self.address = address
        _ = sy_set_descriptor_flags(descriptor)
    }

    deinit {
        if !isTaken.load(ordering: .relaxed) { close(descriptor) }
    }

    public var description: String {
        switch address {
        case .ip(let bytes, let port): "\(Self.text(bytes)):\(port)"
        case .file(let path): "unix:\(path)"
        }
    }

    /// Whether it is bound to just this address. A port that the kernel was to choose is any.
    fileprivate func isBound(to address: ListenAddress, anyPort: Bool) -> Bool {
        switch (address, self.address) {
        case (.tcp(let host, let port), .ip(let bytes, let own)):
            Self.bytes(host) == bytes && (anyPort ? port == 0 : port == own)
        case (.unix(let path, _, _), .file(let own)): path == own
        default: false
        }
    }

    fileprivate func removeFile() {
        if isOurs, case .file(let path) = address { FilePath.remove(path) }
    }

    fileprivate func take() -> Int32 {
        isTaken.store(true, ordering: .relaxed)
        return descriptor
    }

    // MARK: From the kernel

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32 {
        var value: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : -1
    }

    private static func address(of descriptor: Int32) -> Bound? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size)
            }
        }
        guard result == 0 else { return nil }
        switch Int32(address.ss_family) {
        case AF_INET, AF_INET6:
            guard case .ip(let bytes, let port) = Peer(address: address, descriptor: descriptor) else { return nil }
            return .ip(bytes, port: port)
        case AF_UNIX:
            let path = unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe bytes.dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }.map { $0 }
            }
            return path.isEmpty ? nil : .file(String(decoding: path, as: UTF8.self))
        default: return nil
        }
    }

    private static func bytes(_ host: String) -> [UInt8] {
        var (four, sixteen) = (in_addr(), in6_addr())
        if unsafe inet_pton(AF_INET, host, &four) == 1 { return unsafe withUnsafeBytes(of: &four) { unsafe Array($0) } }
        guard unsafe inet_pton(AF_INET6, host, &sixteen) == 1 else { return [] }
        return unsafe withUnsafeBytes(of: &sixteen) { unsafe Array($0) }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        _ = unsafe inet_ntop(family, bytes, &text, socklen_t(text.count))
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return bytes.count == 4 ? name : "[\(name)]"
    }
}

/// The sockets that a program was given, until a listener takes each. Safe from any thread.
public final class InheritedSockets: Sendable {
    private let sockets: Mutex<[InheritedSocket]>

    public init(_ sockets: [InheritedSocket] = []) {
        self.sockets = Mutex(sockets)
    }

    /// The sockets without a listener.
    public var remaining: [InheritedSocket] { sockets.withLock(\.self) }

    /// Closes the sockets without a listener. Removes their files if this gateway made them.
    public func closeRest() {
        let rest = sockets.withLock { sockets in
            defer { sockets = [] }
            return sockets
        }
        for socket in rest { socket.removeFile() }
    }

    /// Takes out the socket that is bound to this address; nil without one.
    func take(for address: ListenAddress) -> InheritedSocket? {
        sockets.withLock { sockets in
            for anyPort in [false, true] {
                if let index = sockets.firstIndex(where: { $0.isBound(to: address, anyPort: anyPort) }) {
                    return sockets.remove(at: index)
                }
            }
            return nil
        }
    }
}

extension ListeningSocket {
    /// Listens on the socket that was given for this address, or binds one.
    public convenience init(_ address: ListenAddress, from inherited: InheritedSockets) throws(SystemError) {
        guard let socket = inherited.take(for: address) else {
            try self.init(address)
            return
        }
        self.init(adopting: socket.take(), address, isOurs: socket.isOurs)
    }
}
