public import SwitchyardReactor

/// One server of Redis, by a connection that is made when it is needed and made again when it has ended.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
public final class RedisClient: @unchecked Sendable {
    public let address: RedisAddress
    private let options: RedisOptions
    private let loop: EventLoop
    private let onMessage: (@Sendable (_ channel: String, _ message: [UInt8]) -> Void)?
    /// Called on the loop whenever a connection was made, before anybody else uses it: to subscribe, say.
    private let onConnect: @Sendable (RedisConnection) async -> Void

    private enum State {
        case idle
        case connecting(waiting: [Signal])
        case connected(RedisConnection)
        case closed
    }

    private var state = State.idle
    private var backoff = Backoff()
    private var lastError = RedisError.notSent(reason: "not connected yet")

    public init(
        _ address: RedisAddress, _ options: RedisOptions, on loop: EventLoop,
        onMessage: (@Sendable (_ channel: String, _ message: [UInt8]) -> Void)? = nil,
        onConnect: @escaping @Sendable (RedisConnection) async -> Void = { _ in }
    ) {
        self.address = address
        self.options = options
        self.loop = loop
        self.onMessage = onMessage
        self.onConnect = onConnect
    }

    /// Sends a command, again as long as Redis cannot have seen it. Only from a task of the loop.
    /// - Throws: ``RedisError``; an error that Redis answers included.
    public func send(_ command: RedisCommand, until deadline: Instant) async throws(RedisError) -> RedisValue {
        while true {
            let connection = try await connection(until: deadline)
            do throws(RedisError) {
                return try await connection.send(command, until: deadline)
            } catch {
                guard case .notSent = error, Instant.now() < deadline else { throw error }
            }
        }
    }

    /// A connection that works, as far as anybody knows. Only from a task of the loop.
    /// - Throws: why there was none until `deadline`.
    public func connection(until deadline: Instant) async throws(RedisError) -> RedisConnection {
        while true {
            switch state {
            case .connected(let connection) where connection.end == nil: return connection
            case .connected, .idle: startConnecting()
            case .connecting(let waiting):
                let signal = Signal()
                state = .connecting(waiting: waiting + [signal])
                guard await signal.wait(until: deadline) else { throw lastError }
            case .closed: throw .notSent(reason: "the client was closed")
            }
        }
    }

    /// Ends the connection, and makes none again.
    public func close() {
        let before = state
        state = .closed
        switch before {
        case .connected(let connection): connection.close()
        case .connecting(let waiting): for signal in waiting { signal.raise() }
        case .idle, .closed: break
        }
    }

    private func startConnecting() {
        state = .connecting(waiting: [])
        let earliest = backoff.earliest
        loop.start { [self] in
            if earliest > Instant.now() { await EventLoop.sleep(until: earliest) }
            guard case .connecting = state else { return }
            do throws(RedisError) {
                let connection = try await RedisConnection.connect(
                    to: address, options, on: loop, onMessage: onMessage)
                await onConnect(connection)
                backoff.succeeded(at: .now())
                finish(with: .connected(connection))
            } catch {
                lastError = error
                backoff.failed(at: .now(), jitter: Duration.milliseconds(Int.random(in: 0...50)))
                finish(with: .idle)
            }
        }
    }

    private func finish(with state: State) {
        guard case .connecting(let waiting) = self.state else {
            // Closed meanwhile.
            if case .connected(let connection) = state { connection.close() }
            return
        }
        self.state = state
        for signal in waiting { signal.raise() }
    }
}

/// When the next connection may be tried: at once after one that worked for a while, else later each time.
struct Backoff: Sendable {
    private static let maximum = Duration.seconds(2)

    private(set) var earliest = Instant(nanoseconds: 0)
    private var failures = 0
    private var connected: Instant?

    /// - Parameter jitter: so that many gateways do not come back in one moment.
    mutating func failed(at now: Instant, jitter: Duration) {
        failures += 1
        earliest = now + min(Self.maximum, .milliseconds(25 << min(failures, 10))) + jitter
    }

    /// A server that takes connections and ends them at once is not asked faster than one that takes none.
    mutating func succeeded(at now: Instant) {
        if let last = connected, now - last < .seconds(1) {
            failed(at: now, jitter: .zero)
        } else {
            failures = 0
            earliest = now
        }
        connected = now
    }
}
