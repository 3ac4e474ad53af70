internal import SwitchyardReactor

/// The Sentinels of one group of servers: asks them for the primary, and listens for a new one.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class SentinelGroup: @unchecked Sendable {
    private let options: RedisOptions
    private let loop: EventLoop
    private var resolver: SentinelResolver
    /// The Sentinels that ask for a password.
    private var guarded: Set<RedisAddress> = []
    private var watch: Subscription?
    private var isClosed = false

    /// Called on the loop when a Sentinel names the primary: because it has changed, or in case the change was missed.
    var onPrimary: (_ primary: RedisAddress, _ isNew: Bool) -> Void = { _, _ in }

    /// The time for a Sentinel, or a server that one has named, before the next one is asked: a machine that is gone
    /// stays silent.
    private static let patience = Duration.seconds(2)
    private static let switching = "+switch-master"

    init(_ name: String, _ addresses: [RedisAddress], _ options: RedisOptions, on loop: EventLoop) {
        var options = options
        options.connectTimeout = min(options.connectTimeout, Self.patience)
        self.options = options
        self.loop = loop
        resolver = SentinelResolver(sentinels: addresses, name: name)
    }

    /// A connection to the primary, which says itself that it is one. By one at a time, on the loop.
    func connect() async throws(RedisError) -> RedisConnection {
        startWatching()
        var reason = RedisError.notSent(reason: "no Sentinel was asked")
        resolver.begin()
        var connection: RedisConnection?
        while true {
            switch resolver.step {
            case .ask(let sentinel):
                do throws(RedisError) {
                    let answer = try await ask(sentinel)
                    reason = .notSent(reason: "the Sentinel at \(sentinel) knows no \"\(resolver.name)\"")
                    resolver.sentinelAnswered(answer)
                } catch {
                    reason = error
                    resolver.sentinelAnswered(nil)
                }
            case .verify(let server):
                connection?.close()
                connection = nil
                do throws(RedisError) {
                    let fresh = try await RedisConnection.connect(to: server, options, on: loop)
                    connection = fresh
                    let role = try await fresh.send(["ROLE"], until: Instant.now() + Self.patience)
                    reason = .notSent(reason: "\(server) is no primary, but a Sentinel says so")
                    resolver.serverAnswered(role, server)
                } catch {
                    reason = error
                    resolver.serverAnswered(nil, server)
                }
            case .found(let server):
                if let connection, connection.address == server { return connection }
                // No question was sent on it yet.
                connection?.close()
                connection = nil
                resolver.begin()
            case .giveUp:
                connection?.close()
                throw reason.asNotSent
            }
        }
    }

    func close() {
        isClosed = true
        watch?.close()
    }

    // MARK: Sentinels

    private func ask(_ sentinel: RedisAddress) async throws(RedisError) -> RedisValue {
        let connection = try await connect(to: sentinel)
        defer { connection.close() }
        return try await connection.send(resolver.question, until: Instant.now() + Self.patience)
    }

    private func connect(
        to sentinel: RedisAddress, _ onMessage: (@Sendable (String, [UInt8]) -> Void)? = nil
    ) async throws(RedisError) -> RedisConnection {
        var options = options
        options.database = 0
        if !guarded.contains(sentinel) {
            var open = options
            open.isAuthenticating = false
            do throws(RedisError) {
                return try await RedisConnection.connect(to: sentinel, open, on: loop, onMessage: onMessage)
            } catch {
                guard case .server(let answered) = error, answered.kind == .notAuthenticated,
                    options.access.current.password != nil
                else { throw error }
                guarded.insert(sentinel)
            }
        }
        return try await RedisConnection.connect(to: sentinel, options, on: loop, onMessage: onMessage)
    }

    // MARK: Fail-overs

    private func startWatching() {
        guard watch == nil, !isClosed else { return }
        let watch = Subscription(on: loop) { [weak self] () async throws(RedisError) in
            guard let self else { throw .notSent(reason: "the client was closed") }
            return try await self.listen()
        }
        self.watch = watch
        watch.subscribe(to: Self.switching)
    }

    private func listen() async throws(RedisError) -> RedisConnection {
        var last = RedisError.notSent(reason: "no Sentinel was asked")
        for sentinel in resolver.sentinels {
            do throws(RedisError) {
                let connection = try await connect(to: sentinel) { [weak self] _, message in self?.hear(message) }
                let answer = await connection.send([resolver.question], until: Instant.now() + Self.patience)[0]
                if let primary = SentinelResolver.primary(in: try? answer.get()) { onPrimary(primary, false) }
                return connection
            } catch {
                last = error
            }
        }
        throw last
    }

    private func hear(_ message: [UInt8]) {
        guard let primary = resolver.announced(message) else { return }
        onPrimary(primary, true)
    }
}
