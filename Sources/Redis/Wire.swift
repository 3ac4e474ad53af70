internal import SwitchyardReactor
internal import SwitchyardTLS

/// The bytes that must still go out, and how many went.
struct Outgoing {
    /// The bytes being written. They stay unchanged until all have gone, as TLS wants it.
    private var current: [UInt8] = []
    private var offset = 0
    private var next: [UInt8] = []
    /// Bytes that were given to the socket, counted from the connection's first one: the server may have them.
    private(set) var written = 0

    /// The end of the last command.
    var end: Int { written + current.count - offset + next.count }

    /// - Parameter write: puts a command behind the bytes that are there.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        write(&next)
    }

    /// The bytes to write next; nil when all are written.
    var piece: (bytes: [UInt8], offset: Int)? {
        mutating get {
            if offset == current.count {
                current = next
                next = []
                offset = 0
            }
            return current.isEmpty ? nil : (current, offset)
        }
    }

    mutating func wrote(_ count: Int) {
        offset += count
        written += count
    }
}

/// The bytes of a connection, plain or over TLS.
enum Wire {
    case plain(Socket)
    case tls(ClientStream)

    static func connect(
        to address: RedisAddress, _ tls: ClientContext?, on loop: EventLoop, until deadline: Instant
    ) async throws -> Wire {
        let socket = try await Socket.connect(to: address.host, port: address.port, on: loop, until: deadline)
        guard let tls else { return .plain(socket) }
        socket.deadline = deadline
        do {
            let stream = try ClientStream(socket, to: address.host, tls)
            try await stream.handshake()
            socket.deadline = .never
            return .tls(stream)
        } catch {
            socket.shutDown()
            throw error
        }
    }

    var socket: Socket {
        switch self {
        case .plain(let socket): socket
        case .tls(let stream): stream.socket
        }
    }

    func read(into buffer: inout [UInt8], at offset: Int) -> ReadResult {
        switch self {
        case .plain(let socket): socket.read(into: &buffer, at: offset)
        case .tls(let stream): stream.read(into: &buffer, at: offset)
        }
    }

    func write(_ bytes: [UInt8], from offset: Int) -> ReadResult {
        switch self {
        case .plain(let socket): socket.write(bytes, from: offset)
        case .tls(let stream): stream.write(bytes, from: offset)
        }
    }

    func readable() async -> Wake {
        switch self {
        case .plain(let socket): await socket.readable()
        case .tls(let stream): await stream.readable()
        }
    }

    func close() {
        switch self {
        case .plain(let socket): socket.shutDown()
        case .tls(let stream): stream.close()
        }
    }
}
