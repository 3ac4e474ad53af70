public import SwitchyardReactor

/// The servers of Redis or Valkey that keep the data: one, the primary behind Sentinels, or a cluster. Commands find
/// the right server, also after a fail-over.
///
/// The meaning of the errors of ``send(_:key:until:)``:
/// - ``RedisError/notSent(reason:)``: no server has executed the command, and none will. It was tried again until the
///   deadline, and may be given again.
/// - ``RedisError/outcomeUnknown(reason:)``: a server may have executed it, or may yet do so: the connection or the
///   time ended before the answer came. It was not sent a second time. A caller that gives it again must make sure that
///   twice is as good as once.
/// - ``RedisError/server(_:)``: Redis has refused it. It was not executed; only a script that raised an error of its
///   own (``RedisServerError/Kind/other``) may have written before that. A passing refusal (a fail-over, a slot that
///   moves, data that are still being read from the disk) was tried again until the deadline. A lasting one (a wrong
///   password, no memory left) is thrown at once.
///
/// An answer says that the server has executed the command, not that its replicas have heard of it: see `WAIT` and
/// `min-replicas-to-write` in Redis's manual for what a fail-over may take back.
///
/// Commands of one turn of the loop go out together. Tasks do not wait for each other, and commands of different tasks
/// may be executed in any order. Call ``close()`` in the end.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only, from tasks of that loop.
public final class RedisDeployment: @unchecked Sendable {
    private let route: any CommandRoute
    private let subscription: Subscription

    /// - Parameters:
    ///   - onMessage: gets what is published on the channels that were subscribed to.
    ///   - onSubscribed: says that from now on all is heard on them; what was published before may have been missed.
    ///     After each ``subscribe(to:)``, and whenever the connection was made again.
    public init(
        _ configuration: RedisDeploymentConfiguration, on loop: EventLoop,
        onMessage: @escaping @Sendable (_ channel: String, _ message: [UInt8]) -> Void = { _, _ in },
        onSubscribed: @escaping @Sendable () -> Void = {}
    ) {
        let options = configuration.options
        let route: any CommandRoute =
            switch configuration.servers {
            case .single(let address): PrimaryRoute(address, options, on: loop)
            case .sentinel(let name, let addresses):
                PrimaryRoute(SentinelGroup(name, addresses, options, on: loop), options, on: loop)
            case .cluster(let seeds): ClusterRoute(seeds: seeds, options, on: loop)
            }
        self.route = route
        subscription = Subscription(
            on: loop, onSubscribed: onSubscribed, hears: { address in route.hears(address) },
            connect: { () async throws(RedisError) in try await route.listen(onMessage) })
    }

    /// Sends a command and waits for its answer.
    /// - Parameters:
    ///   - key: one of the command's keys, which decides the node in a cluster; any bytes for a command without keys.
    ///   - deadline: the time at which the command is given up, with whatever is known then.
    /// - Returns: anything but ``RedisValue/error(_:)``.
    /// - Throws: ``RedisError``.
    public func send(
        _ command: RedisCommand, key: [UInt8], until deadline: Instant
    ) async throws(RedisError) -> RedisValue {
        try await route.send(command, key: key, until: deadline)
    }

    /// Runs a script, which is sent in full only to a server that has not seen it, or has forgotten it.
    /// - Parameters:
    ///   - keys: at least one; in a cluster all of one slot.
    ///   - deadline: as for ``send(_:key:until:)``, like all that is thrown.
    public func run(
        _ script: RedisScript, keys: [[UInt8]], arguments: [[UInt8]], until deadline: Instant
    ) async throws(RedisError) -> RedisValue {
        precondition(!keys.isEmpty, "a script has a key at least")
        return try await run(
            script, key: keys[0], keyCount: keys.count, RedisArguments(keys + arguments), until: deadline)
    }

    /// As ``run(_:keys:arguments:until:)``.
    /// - Parameters:
    ///   - key: one of the keys.
    ///   - keyCount: how many of the arguments come first and are keys.
    public func run(
        _ script: RedisScript, key: [UInt8], keyCount: Int, _ arguments: RedisArguments, until deadline: Instant
    ) async throws(RedisError) -> RedisValue {
        do throws(RedisError) {
            return try await send(script.byDigest(keyCount, arguments), key: key, until: deadline)
        } catch {
            guard case .server(let answered) = error, answered.kind == .noScript else { throw error }
            return try await send(script.inFull(keyCount, arguments), key: key, until: deadline)
        }
    }

    /// Sends a command without keys to every server that takes writes, one after the other: to ask how
    /// it is set up, say.
    /// - Throws: ``RedisError`` when it is not known which servers there are.
    public func sendToEach(
        _ command: RedisCommand, until deadline: Instant
    ) async throws(RedisError) -> [(server: RedisAddress, answer: Result<RedisValue, RedisError>)] {
        try await route.sendToEach(command, until: deadline)
    }

    /// Listens to a channel from now on, wherever the servers go, on a connection of its own. In a cluster `PUBLISH` at
    /// any node is heard, `SPUBLISH` is not.
    public func subscribe(to channel: String) {
        subscription.subscribe(to: channel)
    }

    /// Ends all connections. Each waiting task learns what is known of its command, and no command is sent any more.
    public func close() {
        subscription.close()
        route.close()
    }
}

/// The route of commands: the difference between one server, Sentinels and a cluster. Used on the thread of one loop.
protocol CommandRoute: AnyObject, Sendable {
    func send(
        _ command: RedisCommand, key: [UInt8], until deadline: Instant
    ) async throws(RedisError) -> RedisValue

    func sendToEach(
        _ command: RedisCommand, until deadline: Instant
    ) async throws(RedisError) -> [(server: RedisAddress, answer: Result<RedisValue, RedisError>)]

    /// A fresh connection to a server that gets all published messages.
    func listen(
        _ onMessage: @escaping @Sendable (String, [UInt8]) -> Void
    ) async throws(RedisError) -> RedisConnection

    /// Whether that server still does, as far as is known.
    func hears(_ server: RedisAddress) -> Bool

    func close()
}

/// How long a command waits before it is tried again: longer each time.
struct Delays: Sendable {
    private var count = 0

    mutating func next() -> Duration {
        count += 1
        return .milliseconds(min(1000, 25 << min(count, 6)))
    }
}
