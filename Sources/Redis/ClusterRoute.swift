internal import SwitchyardReactor

/// A cluster: each command goes to the node that serves the slot of its key.
///
/// One task looks the topology up, when ``ClusterRouter`` says so, and looks after nodes that do not answer.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class ClusterRoute: CommandRoute, @unchecked Sendable {
    private let options: RedisOptions
    private let loop: EventLoop
    private var router: ClusterRouter
    private var clients: [RedisAddress: RedisClient] = [:]
    private let wake = Signal()
    /// Tasks that wait for the next look-up to end.
    private var waiting: [Signal] = []
    private var lastError = RedisError.notSent(reason: "the nodes of the cluster are not known yet")
    /// Whether the task that watches the commands under way is running.
    private var isWatching = false
    private var isClosed = false

    /// The time for a node's answer. After it the route asks other nodes for the topology, with the same time for each.
    private static let patience = Duration.seconds(1)
    private static let asking: RedisCommand = ["ASKING"]

    init(seeds: [RedisAddress], _ options: RedisOptions, on loop: EventLoop) {
        var options = options
        options.connectTimeout = min(options.connectTimeout, .seconds(2))
        self.options = options
        self.loop = loop
        router = ClusterRouter(seeds: seeds)
        loop.start { [self] in await keepUp() }
    }

    // MARK: Commands

    func send(
        _ command: RedisCommand, key: [UInt8], until deadline: Instant
    ) async throws(RedisError) -> RedisValue {
        var attempt = ClusterRouter.Attempt(slot: HashSlot.of(key))
        var step = router.step(for: attempt)
        while true {
            let node: RedisAddress
            let result: Result<RedisValue, RedisError>
            switch step {
            case .send(let address):
                node = address
                result = await ask(node, [command], until: deadline)
            case .sendAsking(let address):
                node = address
                result = await ask(node, [Self.asking, command], until: deadline)
            case .wait:
                guard await lookUpEnds(by: deadline) else { throw lastError }
                step = router.step(for: attempt)
                continue
            }
            let verdict = router.judge(result, from: node, &attempt)
            if verdict != .deliver { wake.raise() }
            let next: Instant
            switch verdict {
            case .deliver, .fail: return try Self.value(of: result)
            case .again(let other):
                step = other
                next = Instant.now()
            case .later(let delay):
                next = Instant.now() + delay
                guard next < deadline else { break }
                await EventLoop.sleep(until: next)
                step = router.step(for: attempt)
            }
            if next >= deadline || isClosed { return try Self.value(of: result) }
        }
    }

    private static func value(of result: Result<RedisValue, RedisError>) throws(RedisError) -> RedisValue {
        let value = try result.get()
        if case .error(let error) = value { throw .server(error) }
        return value
    }

    /// Sends commands to a node, and gives the answer to the last one.
    private func ask(
        _ node: RedisAddress, _ commands: [RedisCommand], until deadline: Instant
    ) async -> Result<RedisValue, RedisError> {
        do throws(RedisError) {
            // Once only: meanwhile the topology may name another node.
            let connection = try await client(of: node).connection(until: deadline, isPatient: false)
            if !isWatching {
                isWatching = true
                wake.raise()
            }
            let results = await connection.send(commands, until: deadline)
            return results.last ?? .failure(.notSent(reason: "no command"))
        } catch {
            return .failure(error)
        }
    }

    private func client(of node: RedisAddress) throws(RedisError) -> RedisClient {
        if let client = clients[node] { return client }
        guard !isClosed else { throw .notSent(reason: "the client was closed") }
        let client = RedisClient(node, options, on: loop)
        clients[node] = client
        return client
    }

    func sendToEach(
        _ command: RedisCommand, until deadline: Instant
    ) async throws(RedisError) -> [(server: RedisAddress, answer: Result<RedisValue, RedisError>)] {
        while router.primaries == nil {
            guard await lookUpEnds(by: deadline) else { throw lastError }
        }
        var answers: [(server: RedisAddress, answer: Result<RedisValue, RedisError>)] = []
        for node in router.primaries ?? [] {
            var answer = await ask(node, [command], until: deadline)
            if case .success(.error(let error)) = answer { answer = .failure(.server(error)) }
            answers.append((node, answer))
        }
        return answers
    }

    // MARK: Publishing

    func listen(
        _ onMessage: @escaping @Sendable (String, [UInt8]) -> Void
    ) async throws(RedisError) -> RedisConnection {
        var last = lastError
        // Any node hears all. Not always the first one, so that many gateways spread.
        for node in (router.primaries ?? router.nodes).shuffled() {
            do throws(RedisError) {
                return try await RedisConnection.connect(to: node, options, on: loop, onMessage: onMessage)
            } catch {
                last = error
            }
        }
        throw last
    }

    /// Whether the node gets published messages. A node that has left the cluster gets none, and does not say so.
    func hears(_ server: RedisAddress) -> Bool {
        router.nodes.contains(server)
    }

    // MARK: Topology

    private func lookUpEnds(by deadline: Instant) async -> Bool {
        guard !isClosed else {
            lastError = .notSent(reason: "the client was closed")
            return false
        }
        let signal = Signal()
        waiting.append(signal)
        return await signal.wait(until: deadline)
    }

    private func keepUp() async {
        while !isClosed {
            if let nodes = router.lookUp(at: .now()) {
                await lookUp(nodes)
            } else {
                watch()
                let due = isWatching ? min(router.due, Instant.now() + Self.patience) : router.due
                _ = await wake.wait(until: due)
            }
        }
    }

    /// Suspects nodes that have not answered for a while. Idle nodes are not looked at.
    private func watch() {
        let oldest = clients.values.compactMap { $0.connection?.waitingSince }.min()
        isWatching = oldest != nil
        if let oldest, oldest + Self.patience < Instant.now() { router.suspect() }
    }

    private func lookUp(_ nodes: [RedisAddress]) async {
        for node in inOrderOfHealth(nodes) where !isClosed {
            // `CLUSTER SLOTS`, because every version knows it.
            let answer = await ask(node, [["CLUSTER", "SLOTS"]], until: Instant.now() + Self.patience)
            switch answer {
            case .success(.error(let error)): lastError = .server(error)
            case .success(let value):
                if let topology = ClusterTopology(value, from: node), !topology.nodes.isEmpty {
                    router.found(topology, at: .now())
                    return settle()
                }
                lastError = .notSent(reason: "\(node) gives no topology of a cluster")
            case .failure(let error): lastError = error.asNotSent
            }
        }
        router.notFound(at: .now())
        settle()
    }

    /// Nodes that answer first, then nodes not asked yet, nodes in trouble last.
    private func inOrderOfHealth(_ nodes: [RedisAddress]) -> [RedisAddress] {
        let now = Instant.now()
        func trouble(_ node: RedisAddress) -> Int {
            guard let client = clients[node], !client.isFailing else { return clients[node] == nil ? 1 : 2 }
            guard let connection = client.connection else { return 1 }
            return connection.waitingSince.map { $0 + Self.patience < now } ?? false ? 2 : 0
        }
        return nodes.enumerated().sorted { (trouble($0.element), $0.offset) < (trouble($1.element), $1.offset) }
            .map(\.element)
    }

    /// Sends no more commands to nodes that have vanished, and wakes waiting tasks.
    private func settle() {
        let known = Set(router.nodes)
        for (node, client) in clients where !known.contains(node) {
            clients[node] = nil
            client.retire(because: "\(node) is no longer in the cluster")
        }
        let waiting = waiting
        self.waiting = []
        for signal in waiting { signal.raise() }
    }

    func close() {
        isClosed = true
        for client in clients.values { client.close() }
        clients = [:]
        lastError = .notSent(reason: "the client was closed")
        settle()
        wake.raise()
    }
}
