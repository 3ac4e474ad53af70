public import SwitchyardReactor
public import SwitchyardTLS

/// How a connection is made, and as whom.
public struct RedisOptions: Sendable {
    /// nil: plain TCP.
    public var tls: ClientContext?
    /// The ACL user; nil: the default one.
    public var user: String?
    /// nil: no password is shown.
    public var password: String?
    /// Not for clusters, which have only one.
    public var database = 0
    /// How the connection calls itself (`CLIENT LIST`).
    public var name = "switchyard"
    /// For connecting, TLS and the first commands together.
    public var connectTimeout = Duration.seconds(5)

    public init() {}
}

/// One connection to a server of Redis, over RESP2: what is sent in one turn of the loop goes out in one write, and answers
/// come in order.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
public final class RedisConnection: @unchecked Sendable {
    public let address: RedisAddress
    private let loop: EventLoop
    private let wire: Wire
    private var outgoing = Outgoing()
    private var expected: [ExpectedReply] = []
    /// Where ``expected`` really begins; what is before was answered.
    private var answered = 0
    private let mustWrite = Signal()
    /// Why the connection has ended; nil while it lasts.
    public private(set) var end: String?

    /// Gets what is published on the channels that were subscribed to. With a handler the connection takes no other
    /// commands than `SUBSCRIBE`, `UNSUBSCRIBE` and `PING`, each with one channel.
    private let onMessage: (@Sendable (_ channel: String, _ message: [UInt8]) -> Void)?

    // MARK: Making one

    /// Connects, shows who it is and chooses the database. Only from a task of `loop`.
    /// - Throws: ``RedisError/notSent(reason:)``, or what the server has against the user.
    public static func connect(
        to address: RedisAddress, _ options: RedisOptions, on loop: EventLoop,
        onMessage: (@Sendable (_ channel: String, _ message: [UInt8]) -> Void)? = nil
    ) async throws(RedisError) -> RedisConnection {
        let deadline = Instant.now() + options.connectTimeout
        let wire: Wire
        do {
            wire = try await Wire.connect(to: address, options.tls, on: loop, until: deadline)
        } catch {
            throw .notSent(reason: "\(address): \(error)")
        }
        let connection = RedisConnection(address, wire, on: loop, onMessage)
        connection.start()
        do throws(RedisError) {
            try await connection.introduce(options, until: deadline)
        } catch {
            connection.close(because: "\(error)")
            // Nothing that matters was sent.
            if case .server = error { throw error }
            throw .notSent(reason: "\(address): \(error)")
        }
        return connection
    }

    private init(
        _ address: RedisAddress, _ wire: Wire, on loop: EventLoop,
        _ onMessage: (@Sendable (String, [UInt8]) -> Void)?
    ) {
        self.address = address
        self.wire = wire
        self.loop = loop
        self.onMessage = onMessage
    }

    private func introduce(_ options: RedisOptions, until deadline: Instant) async throws(RedisError) {
        var commands: [RedisCommand] = []
        if let password = options.password {
            commands.append(options.user.map { ["AUTH", $0, password] } ?? ["AUTH", password])
        }
        if options.database != 0 { commands.append(["SELECT", "\(options.database)"]) }
        commands.append(["CLIENT", "SETNAME", options.name])
        for result in await send(commands, until: deadline) {
            if case .error(let error) = try result.get() { throw .server(error) }
        }
    }

    private func start() {
        loop.start { [self] in await read() }
        loop.start { [self] in await write() }
    }

    // MARK: Commands

    /// Sends a command and waits for its answer. Only from a task of the loop.
    /// - Throws: ``RedisError``; an error that Redis answers included.
    public func send(_ command: RedisCommand, until deadline: Instant) async throws(RedisError) -> RedisValue {
        let value = try await send([command], until: deadline)[0].get()
        if case .error(let error) = value { throw .server(error) }
        return value
    }

    /// Sends commands one behind the other, and waits for all of their answers. Only from a task of the loop.
    /// - Returns: for each command its answer, which may be an error of Redis, or what is known of it.
    public func send(
        _ commands: [RedisCommand], until deadline: Instant
    ) async -> [Result<RedisValue, RedisError>] {
        if let end { return commands.map { _ in .failure(.notSent(reason: end)) } }
        let replies = commands.map { command in
            let reply = ExpectedReply(begin: outgoing.end)
            outgoing.append(command.formatted)
            expected.append(reply)
            return reply
        }
        mustWrite.raise()
        var results: [Result<RedisValue, RedisError>] = []
        for reply in replies { results.append(await result(of: reply, until: deadline)) }
        return results
    }

    private func result(
        of reply: ExpectedReply, until deadline: Instant
    ) async -> Result<RedisValue, RedisError> {
        while reply.result == nil {
            if await reply.signal.wait(until: deadline) { continue }
            guard reply.result == nil else { break }
            // Who is next gets no answer any more: nobody behind it will either.
            if answered < expected.count, expected[answered] === reply { close(because: "no answer came in time") }
            return reply.result ?? .failure(.outcomeUnknown(reason: "no answer came in time"))
        }
        return reply.result ?? .failure(.outcomeUnknown(reason: "no answer"))
    }

    /// Ends the connection. Who still waits is told what is known of its command.
    public func close(because reason: String = "the connection was closed") {
        guard end == nil else { return }
        end = reason
        wire.close()
        mustWrite.raise()
        let waiting = expected[answered...]
        expected = []
        answered = 0
        for reply in waiting {
            reply.finish(
                .failure(
                    reply.begin < outgoing.written
                        ? .outcomeUnknown(reason: reason) : .notSent(reason: reason)))
        }
    }

    // MARK: The wire

    private func write() async {
        while end == nil {
            while end == nil, let piece = outgoing.piece {
                switch wire.write(piece.bytes, from: piece.offset) {
                case .bytes(let count): outgoing.wrote(count)
                case .wouldBlock:
                    guard await wire.socket.writable() == .ready else { return close() }
                case .endOfStream, .failed: return close(because: "the server has ended the connection")
                }
            }
            if end == nil { _ = await mustWrite.wait() }
        }
    }

    private func read() async {
        guard var reader = ReplyReader() else { return close(because: "memory is short") }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while end == nil {
            switch wire.read(into: &buffer, at: 0) {
            case .bytes(let count):
                reader.feed(buffer, count: count)
                do throws(ReplyReader.Malformed) {
                    while end == nil, let value = try reader.next() { take(value) }
                } catch {
                    return close(because: "the server does not speak the protocol of Redis")
                }
            case .wouldBlock:
                guard await wire.readable() == .ready else { return close() }
            case .endOfStream, .failed: return close(because: "the server has ended the connection")
            }
        }
    }

    private func take(_ value: RedisValue) {
        if let onMessage, let parts = value.array, parts.count == 3, let kind = parts[0].text,
            kind == "message" || kind == "smessage", let channel = parts[1].text, let message = parts[2].bytes
        {
            return onMessage(channel, message)
        }
        guard answered < expected.count else { return close(because: "the server answered what nobody asked") }
        let reply = expected[answered]
        answered += 1
        if answered == expected.count {
            expected.removeAll(keepingCapacity: true)
            answered = 0
        } else if answered >= 256 {
            expected.removeFirst(answered)
            answered = 0
        }
        reply.finish(.success(value))
    }
}

/// What somebody waits for. Belongs to the connection's loop.
///
/// Why `@unchecked Sendable`: it is used on the thread of the loop only.
private final class ExpectedReply: @unchecked Sendable {
    /// Where the command begins, counted from the connection's first byte.
    let begin: Int
    let signal = Signal()
    private(set) var result: Result<RedisValue, RedisError>?

    init(begin: Int) {
        self.begin = begin
    }

    func finish(_ result: Result<RedisValue, RedisError>) {
        self.result = result
        signal.raise()
    }
}
