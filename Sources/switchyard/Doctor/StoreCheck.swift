internal import SwitchyardConfiguration
internal import SwitchyardGateway
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor
internal import SwitchyardSQLiteStore

/// Whether requests can be kept: the gateway that runs knows best, else it is tried.
struct StoreCheck: Sendable {
    let configuration: Configuration
    let gateway: Result<AdminConnection, CommandError>
    /// The files from which the configuration reads secrets.
    let secretFiles: Set<String>

    func findings(with client: HTTPClient) async -> [Finding] {
        if let kind = await runningKind(with: client), kind != configuration.store.kind {
            return await running(kind, with: client)
        }
        var findings = settings
        if let admin = try? gateway.get(), let answer = try? await admin.get("/readyz", with: client) {
            findings.append(readiness(answer))
            if case .redis(let redis) = configuration.store, answer.status == 200 {
                let trial = await StoreTrial.redis(redis, on: .required)
                findings += trial.warnings.map(warning)
            }
            return findings
        }
        switch configuration.store {
        case .memory: break
        case .sqlite(let path): findings.append(found(SQLiteStore.tryWriting(path: path), path))
        case .redis(let redis):
            let trial = await StoreTrial.redis(redis, on: .required)
            findings.append(found(trial.failure, "\(redis.servers)"))
            findings += trial.warnings.map(warning)
        }
        return findings
    }

    /// The kind of store of the running gateway. systemd gives its service a folder for a database, which a shell does not see.
    private func runningKind(with client: HTTPClient) async -> String? {
        guard let admin = try? gateway.get(), let answer = try? await admin.get("/v1/status", with: client) else {
            return nil
        }
        return answer.body["store"]?.object?["kind"]?.string.map(\.quotable)
    }

    private func running(_ kind: String, with client: HTTPClient) async -> [Finding] {
        let own = configuration.store.kind
        let found = Finding.ok(
            .store, kind, "the running gateway keeps requests there; this shell would take the store for \(own)")
        guard let admin = try? gateway.get(), let answer = try? await admin.get("/readyz", with: client) else {
            return [found]
        }
        return [found, readiness(answer)]
    }

    /// The findings that hold whether the store works or not.
    private var settings: [Finding] {
        guard !configuration.publicURL.isLoopback else {
            return configuration.store == .memory
                ? [.ok(.store, "memory", "requests end with the gateway, which does for development")] : []
        }
        switch configuration.store {
        case .memory:
            return [
                .warning(
                    .store, "memory", "requests are in the gateway's memory",
                    why: "a restart ends every sign-in that is under way, and no second gateway can share the work",
                    do: "write store: sqlite:/var/lib/switchyard/requests.db, or store: redis://…")
            ]
        case .sqlite(let path): return keysBeside(path)
        case .redis: return []
        }
    }

    /// The key that a gateway makes for itself, or one that somebody has put there.
    private func keysBeside(_ database: String) -> [Finding] {
        let folder = database.lastIndex(of: "/").map { database[...$0] } ?? ""
        let beside =
            configuration.encryptionKeys.isEmpty
            ? ["requests.key"] : secretFiles.filter { $0.hasPrefix(folder) }.sorted()
        return beside.map { key in
            .warning(
                .store, database, "its key lies beside it (\(key))",
                why: "who copies the folder, a backup for one, has the codes and tokens in it too",
                do:
                    "make one elsewhere, `switchyard keys new --file /etc/switchyard/keys/k1`, and name it first in encryption_keys"
            )
        }
    }

    private func readiness(_ answer: GatewayResponse) -> Finding {
        guard answer.status == 200 else {
            let reasons = (answer.body["reasons"]?.array?.compactMap(\.string) ?? []).map(\.quotable)
            return .error(
                .store, "the running gateway", "it is not ready: \(reasons.joined(separator: "; "))",
                why: "sign-ins get 503 until that is over",
                do: "look at what it names; the gateway goes on by itself then")
        }
        let pending = answer.body["pending_requests"]?.integer ?? 0
        return .ok(.store, "the running gateway", "it can read and write; \(pending) requests are pending")
    }

    private func found(_ failure: String?, _ subject: String) -> Finding {
        guard let failure else { return .ok(.store, subject, "it can be read and written") }
        return .error(
            .store, subject, "it cannot be used: \(failure)", why: "the gateway would answer 503 to every sign-in",
            do:
                "see that the user that runs the gateway may write there and that it is reachable; then run this again as that user"
        )
    }

    private func warning(_ text: String) -> Finding {
        .warning(.store, "redis", text, why: "sign-ins under way may be lost", do: "change that setting of the server")
    }
}

extension Configuration.Store {
    /// The kind as in `GET /v1/status`.
    fileprivate var kind: String {
        switch self {
        case .memory: "memory"
        case .sqlite: "sqlite"
        case .redis: "redis"
        }
    }
}
