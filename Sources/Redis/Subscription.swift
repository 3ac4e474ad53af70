internal import SwitchyardReactor

/// Channels that are listened to on a connection of their own, because over RESP2 a connection that listens takes no
/// other commands. It is made again whenever it ends, is silent, or its server is no longer one that hears everything.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class Subscription: @unchecked Sendable {
    private let loop: EventLoop
    private let client: RedisClient
    private let hears: @Sendable (RedisAddress) -> Bool
    private let onSubscribed: @Sendable () -> Void
    private let wake = Signal()
    private var channels: [String] = []
    private var isClosed = false

    /// The silence after which a connection is checked, and the time that it has to answer.
    private static let patience = Duration.seconds(2)

    /// - Parameters:
    ///   - hears: whether a connection to this server is still good for it.
    ///   - connect: makes one.
    init(
        on loop: EventLoop, onSubscribed: @escaping @Sendable () -> Void = {},
        hears: @escaping @Sendable (RedisAddress) -> Bool = { _ in true },
        connect: @escaping @Sendable () async throws(RedisError) -> RedisConnection
    ) {
        self.loop = loop
        self.hears = hears
        self.onSubscribed = onSubscribed
        client = RedisClient(on: loop, connect: connect)
    }

    func subscribe(to channel: String) {
        guard !isClosed, !channels.contains(channel) else { return }
        channels.append(channel)
        if channels.count == 1 { loop.start { [self] in await run() } } else { wake.raise() }
    }

    func close() {
        isClosed = true
        client.close()
        wake.raise()
    }

    private func run() async {
        while !isClosed {
            guard let connection = try? await client.connection(until: .never) else { continue }
            connection.onEnd = { [wake] in wake.raise() }
            await follow(connection)
            connection.close()
        }
    }

    private func follow(_ connection: RedisConnection) async {
        var subscribed = 0
        while !isClosed, connection.end == nil, hears(connection.address) {
            let deadline = Instant.now() + Self.patience
            if subscribed < channels.count {
                let commands = channels[subscribed...].map { ["SUBSCRIBE", $0] as RedisCommand }
                for result in await connection.send(commands, until: deadline) {
                    guard case .success(.array) = result else { return }
                }
                subscribed += commands.count
                onSubscribed()
            } else if await !wake.wait(until: deadline) {
                _ = await connection.send([["PING"]], until: Instant.now() + Self.patience)
            }
        }
    }
}
