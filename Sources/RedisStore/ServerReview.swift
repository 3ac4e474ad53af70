internal import SwitchyardReactor
public import SwitchyardRedis
internal import Synchronization

/// Looks at the servers' settings, and warns of those that may lose requests. Safe from any thread.
final class ServerReview: Sendable {
    private let tell: @Sendable (String) -> Void
    /// The warnings given already: each is given once, also when connections are made again.
    private let told = Mutex<Set<String>>([])

    init(_ tell: @escaping @Sendable (String) -> Void) {
        self.tell = tell
    }

    /// Only from a task of the deployment's loop. Servers that cannot be asked now are asked when they are back.
    func look(at redis: RedisDeployment) async {
        let deadline = Instant.now() + .seconds(10)
        guard let found = try? await redis.sendToEach(["INFO"], until: deadline) else { return }
        let fsync = (try? await redis.sendToEach(["CONFIG", "GET", "appendfsync"], until: deadline)) ?? []
        for (server, answer) in found {
            guard case .success(let value) = answer, let text = value.text else {
                if case .failure(.server) = answer { say("\(server) does not show how it is set up (INFO)") }
                continue
            }
            let policy = fsync.first { $0.server == server }.map { Self.fsync($0.answer) } ?? .unknown
            for warning in Self.warnings(information: text, policy) { say("\(server) \(warning)") }
        }
    }

    private func say(_ warning: String) {
        if told.withLock({ $0.insert(warning).inserted }) { tell(warning) }
    }

    /// The setting that says when Redis writes its log to the disk (`appendfsync`).
    enum Fsync: Equatable {
        case policy(String)
        /// This user may not read the setting.
        case forbidden
        case unknown
    }

    private static func fsync(_ answer: Result<RedisValue, RedisError>) -> Fsync {
        switch answer {
        case .success(let value): value.array?.last?.text.map { .policy($0) } ?? .unknown
        case .failure(.server): .forbidden
        case .failure: .unknown
        }
    }

    /// The settings that may lose requests.
    /// - Parameter information: the answer to `INFO`.
    static func warnings(information: String, _ fsync: Fsync) -> [String] {
        var fields: [Substring: Substring] = [:]
        for line in information.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        var warnings: [String] = []
        if let policy = fields["maxmemory_policy"], policy != "noeviction", fields["maxmemory"] != "0" {
            warnings.append(
                "gives up requests when its memory is full (maxmemory-policy \(policy)); set it to noeviction")
        }
        if fields["aof_enabled"] == "0" {
            warnings.append("loses requests when it ends (appendonly no); set appendonly yes and appendfsync always")
        } else {
            switch fsync {
            case .policy("always"), .unknown: break
            case .policy(let policy):
                warnings.append(
                    "may forget in a crash what it has answered, so that a code could be sent twice "
                        + "(appendfsync \(policy)); set it to always")
            case .forbidden: warnings.append("does not show whether a crash loses what it has answered (CONFIG GET)")
            }
        }
        if let replicas = fields["connected_slaves"], replicas != "0", fields["min_slaves_good_slaves"] == nil {
            warnings.append(
                "may lose in a fail-over what no replica has heard of; set min-replicas-to-write to 1 or more")
        }
        return warnings
    }
}

extension RedisStore {
    /// The servers' settings that may lose requests, in words. Only from a task of the deployment's loop.
    public static func settingsWarnings(of redis: RedisDeployment) async -> [String] {
        let warnings = Mutex<[String]>([])
        await ServerReview { warning in warnings.withLock { $0.append(warning) } }.look(at: redis)
        return warnings.withLock(\.self)
    }
}
