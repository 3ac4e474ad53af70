internal import SwitchyardReactor

/// One connection to Redis, made when it is needed and made again when it has ended.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class RedisClient: @unchecked Sendable {
    private let loop: EventLoop
    private let connect: @Sendable () async throws(RedisError) -> RedisConnection

    private enum State {
        case idle
        case connecting(waiting: [Signal])
        case connected(RedisConnection)
        case closed
    }

    private var state = State.idle
    private var backoff = Backoff()
    private var lastError = RedisError.notSent(reason: "no connection was made in time")
    /// The server's complaint about a command, until it takes one. It explains why further connections are in vain.
    var complaint: RedisServerError?
    /// How many tries were in vain, ever.
    private var failures = 0
    /// Whether the last one was.
    private(set) var isFailing = false

    /// - Parameter connect: makes a connection, to whichever server is the right one then. Called on the
    ///   loop, by one at a time.
    init(on loop: EventLoop, connect: @escaping @Sendable () async throws(RedisError) -> RedisConnection) {
        self.loop = loop
        self.connect = connect
    }

    /// A client of one server.
    convenience init(_ address: RedisAddress, _ options: RedisOptions, on loop: EventLoop) {
        self.init(on: loop) { () async throws(RedisError) in
            try await RedisConnection.connect(to: address, options, on: loop)
        }
    }

    /// The connection that there is now.
    var connection: RedisConnection? {
        if case .connected(let connection) = state, connection.takesCommands { connection } else { nil }
    }

    /// A connection that seems to work. Only from a task of the loop.
    /// - Parameter isPatient: whether to try again, until `deadline`, after a failure.
    /// - Throws: the reason. A failure that waiting does not mend is thrown at once.
    func connection(until deadline: Instant, isPatient: Bool = true) async throws(RedisError) -> RedisConnection {
        let before = failures
        while true {
            switch state {
            case .connected(let connection) where connection.takesCommands: return connection
            case .closed: throw .notSent(reason: "the client was closed")
            case .connected, .idle, .connecting:
                guard failures == before || (isPatient && !lastError.isFinal) else { throw lastError }
            }
            let signal = Signal()
            if case .connecting(let waiting) = state {
                state = .connecting(waiting: waiting + [signal])
            } else {
                state = .connecting(waiting: [signal])
                startConnecting()
            }
            guard await signal.wait(until: deadline) else { throw complaint.map { .server($0) } ?? lastError }
        }
    }

    /// Ends the connection for good.
    func close() {
        let before = state
        state = .closed
        switch before {
        case .connected(let connection): connection.close()
        case .connecting(let waiting): for signal in waiting { signal.raise() }
        case .idle, .closed: break
        }
    }

    /// Stops making connections. The present one still answers the commands under way.
    func retire(because reason: String) {
        if case .connected(let connection) = state {
            connection.retire(because: reason)
            state = .closed
        } else {
            close()
        }
    }

    private func startConnecting() {
        let earliest = backoff.earliest
        loop.start { [self] in
            if earliest > Instant.now() { await EventLoop.sleep(until: earliest) }
            guard case .connecting = state else { return }
            do throws(RedisError) {
                let connection = try await connect()
                backoff.succeeded(at: .now())
                isFailing = false
                finish(with: .connected(connection))
            } catch {
                lastError = error
                failures += 1
                isFailing = true
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

    /// A server that ends connections at once is asked no faster than one that refuses them.
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
