public import SwitchyardReactor

/// One connection to a server of Redis, over RESP2: what is sent in one turn of the loop goes out in one write,
/// and answers come in order.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
public final class RedisConnection: @unchecked Sendable {
    public let address: RedisAddress
    private let loop: EventLoop
    private let wire: Wire
    private var outgoing = Outgoing()
    private var expected: [ExpectedReply] = []
    /// The real begin of ``expected``; earlier replies were answered.
    private var answered = 0
    private let mustWrite = Signal()
    /// Why the connection has ended; nil while it lasts.
    public private(set) var end: String?
    /// Called once, on the loop, when the connection has ended.
    var onEnd: (() -> Void)?
    /// Why new commands go elsewhere, while those under way are still answered.
    private var retirement: String?

    /// Gets what is published on the channels that were subscribed to. With a handler the connection takes no other
    /// commands than `SUBSCRIBE`, `UNSUBSCRIBE` and `PING`, each with one channel.
    private let onMessage: (@Sendable (_ channel: String, _ message: [UInt8]) -> Void)?

    // MARK: Making one

    /// Connects, authenticates and chooses the database. Only from a task of `loop`.
    /// - Throws: ``RedisError/notSent(reason:)``, or the server's objection to the user.
    public static func connect(
        to address: RedisAddress, _ options: RedisOptions, on loop: EventLoop,
        onMessage: (@Sendable (_ channel: String, _ message: [UInt8]) -> Void)? = nil
    ) async throws(RedisError) -> RedisConnection {
        let deadline = Instant.now() + options.connectTimeout
        let wire: Wire
        do {
            wire = try await Wire.connect(to: address, options.access.current.tls, on: loop, until: deadline)
        } catch {
            throw .notSent(reason: "\(address): \(error)")
        }
        let connection = RedisConnection(address, wire, on: loop, onMessage)
        connection.start()
        do throws(RedisError) {
            try await connection.introduce(options, until: deadline)
        } catch {
            connection.close(because: "\(error)")
            // No command of a caller was sent yet.
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
        let credentials = options.access.current
        if options.isAuthenticating, let password = credentials.password {
            commands.append(credentials.user.map { ["AUTH", $0, password] } ?? ["AUTH", password])
        }
        if options.database != 0 { commands.append(["SELECT", "\(options.database)"]) }
        let needed = commands.count
        commands.append(["CLIENT", "SETNAME", options.name])
        for (index, result) in await send(commands, until: deadline).enumerated() {
            guard case .error(let error) = try result.get() else { continue }
            // The name is for operators only. A user that may not set one is still let in.
            guard index >= needed, error.kind != .notAuthenticated else { throw .server(error) }
        }
    }

    private func start() {
        loop.start { [self] in await read() }
        loop.start { [self] in await write() }
    }

    // MARK: Commands

    /// Whether new commands go over it.
    var takesCommands: Bool { end == nil && retirement == nil }

    /// The time of the oldest command without an answer; nil without one.
    var waitingSince: Instant? { answered < expected.count ? expected[answered].given : nil }

    /// Sends a command and waits for its answer. Only from a task of the loop.
    /// - Throws: ``RedisError``; an error that Redis answers included.
    public func send(_ command: RedisCommand, until deadline: Instant) async throws(RedisError) -> RedisValue {
        if let end = end ?? retirement { throw .notSent(reason: end) }
        let reply = take(command)
        mustWrite.raise()
        let value = try await result(of: reply, until: deadline).get()
        if case .error(let error) = value { throw .server(error) }
        return value
    }

    /// Sends commands one behind the other, and waits for all of their answers. Only from a task of the loop.
    /// - Returns: for each command its answer, which may be an error of Redis, or what is known of it.
    public func send(
        _ commands: [RedisCommand], until deadline: Instant
    ) async -> [Result<RedisValue, RedisError>] {
        if let end = end ?? retirement { return commands.map { _ in .failure(.notSent(reason: end)) } }
        let replies = commands.map { take($0) }
        mustWrite.raise()
        var results: [Result<RedisValue, RedisError>] = []
        for reply in replies { results.append(await result(of: reply, until: deadline)) }
        return results
    }

    private func take(_ command: RedisCommand) -> ExpectedReply {
        outgoing.append { command.write(to: &$0) }
        let reply = ExpectedReply(end: outgoing.end, given: loop.now)
        expected.append(reply)
        return reply
    }

    private func result(
        of reply: ExpectedReply, until deadline: Instant
    ) async -> Result<RedisValue, RedisError> {
        while reply.result == nil {
            if await reply.signal.wait(until: deadline) { continue }
            guard reply.result == nil else { break }
            // If the next answer is late, all answers behind it are late too.
            if answered < expected.count, expected[answered] === reply { close(because: "no answer came in time") }
            return reply.result ?? .failure(.outcomeUnknown(reason: "no answer came in time"))
        }
        return reply.result ?? .failure(.outcomeUnknown(reason: "no answer"))
    }

    /// Takes no new commands, and ends once those under way are answered, or have had a second for it.
    func retire(because reason: String) {
        guard takesCommands else { return }
        retirement = reason
        guard waitingSince != nil else { return close(because: reason) }
        _ = loop.schedule(at: Instant.now() + .seconds(1)) { [self] in close(because: reason) }
    }

    /// Ends the connection. Each waiting task learns what is known of its command.
    public func close(because reason: String = "the connection was closed") {
        guard end == nil else { return }
        end = reason
        wire.close()
        mustWrite.raise()
        let waiting = expected[answered...]
        expected = []
        answered = 0
        for reply in waiting {
            // Redis executes a command once it has all of it. If the last byte of a command never left, it was not
            // executed.
            let isOut = reply.end <= outgoing.written
            reply.finish(.failure(isOut ? .outcomeUnknown(reason: reason) : .notSent(reason: reason)))
        }
        onEnd?()
        onEnd = nil
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
            if let retirement { close(because: retirement) }
        } else if answered >= 256 {
            expected.removeFirst(answered)
            answered = 0
        }
        reply.finish(.success(value))
    }
}

/// A reply that a task waits for. Belongs to the connection's loop.
///
/// Why `@unchecked Sendable`: it is used on the thread of the loop only.
private final class ExpectedReply: @unchecked Sendable {
    /// The end of the command, counted from the connection's first byte.
    let end: Int
    let given: Instant
    let signal = Signal()
    private(set) var result: Result<RedisValue, RedisError>?

    init(end: Int, given: Instant) {
        self.end = end
        self.given = given
    }

    func finish(_ result: Result<RedisValue, RedisError>) {
        self.result = result
        signal.raise()
    }
}
