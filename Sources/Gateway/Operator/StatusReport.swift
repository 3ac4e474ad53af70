internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardJSON
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardTLS
internal import SwitchyardText

/// How the gateway does, for `GET /v1/status`: numbers, and names from the configuration or from fixed lists.
struct StatusReport: Sendable {
    let configuration: Configuration
    let metrics: MetricsSnapshot
    let recent: RecentActivity.Snapshot
    let clockSteps: ClockSteps

    /// From so much of a limit on it is named.
    private static let nearLimit = 0.8
    /// Certificates are named that end in so many days.
    private static let certificateWarning: Int64 = 30 * 86_400

    var json: JSONObject {
        let now = WallTime.now().milliseconds
        var object = JSONObject()
        object["version"] = .string(metrics.version)
        object["public_url"] = .string("\(configuration.publicURL)")
        object["at"] = .string(ISODate.format(now))
        object["started_at"] = .string(ISODate.format(recent.began))
        object["uptime_seconds"] = .integer(max(0, now - recent.began) / 1000)
        object["ready"] = .bool(metrics.obstacles.isEmpty)
        object["obstacles"] = .array((metrics.obstacles + metrics.keysMissed.map(Self.missing)).map { .string($0) })
        object["configuration"] = .object(metrics.configuration.json)
        object["apps"] = .integer(Int64(configuration.apps.count))
        object["waiting_apps"] = .integer(Int64(metrics.waitingApps))
        object["requests"] = requests
        object["sign_ins"] = signIns
        object["refusals"] = .array(recent.last.map(Self.refusal))
        object["issuers"] = .array(issuers)
        object["store"] = store
        object["limits"] = .array(nearLimits)
        object["limited"] = limited
        object["certificates"] = .array(certificates(now / 1000))
        object["connections"] = .array(metrics.listeners.map(Self.connections))
        object["log_lines_lost"] = .integer(Int64(metrics.linesLost))
        object["open_files"] = Self.openFiles.map { .integer($0) }
        object["memory"] = Self.memory
        object["clock_steps"] = clock
        return object
    }

    /// New sign-ins still work, so this does not count for `ready`.
    private static func missing(_ key: String) -> String {
        "the encryption key \"\(key)\" is missing: sign-ins that it sealed get 503 until it is below encryption_keys again"
    }

    private static func connections(_ listener: MetricsSnapshot.Listener) -> JSONValue {
        .object(["listener": .string(listener.address), "open": .integer(Int64(listener.connections))])
    }

    private var signIns: JSONValue {
        func series(_ value: (RecentActivity.Step) -> Int) -> JSONValue {
            .array(recent.steps.map { .integer(Int64(value($0))) })
        }
        return .object([
            "step_seconds": .integer(RecentActivity.stepLength), "until": .string(ISODate.format(recent.end * 1000)),
            "begun": series(\.begun), "completed": series(\.completed), "failed": series(\.failed),
            "abandoned": series(\.abandoned), "refused_callbacks": series(\.refused),
            "failures": Self.counts(recent.failures), "refusals": Self.counts(recent.refusals),
        ])
    }

    private static func refusal(_ refusal: RecentActivity.Refusal) -> JSONValue {
        var object: JSONObject = [
            "at": .string(ISODate.format(refusal.at)), "kind": .string(refusal.kind.rawValue),
            "reason": .string(refusal.reason),
        ]
        object["reference"] = refusal.reference.map { .string("\($0)") }
        object["app"] = refusal.app.map { .string($0.text) }
        return .object(object)
    }

    /// nil while the store is out: no number would be true.
    private var requests: JSONValue? {
        guard let usage = metrics.usage else { return nil }
        var object: JSONObject = [
            "unfinished": .integer(Int64(usage.pending)), "kept": .integer(Int64(usage.requests)),
            "kept_bytes": .integer(Int64(usage.bytes)),
        ]
        if let phases = usage.phases {
            object["pending"] = .integer(Int64(phases.pending))
            object["claimed"] = .integer(Int64(phases.claimed))
            object["release_required"] = .integer(Int64(phases.releaseRequired))
            object["redeeming"] = .integer(Int64(phases.redeeming))
        }
        return .object(object)
    }

    private var issuers: [JSONValue] {
        metrics.issuers.filter { !$0.name.isEmpty }.map { issuer in
            let health = recent.issuers[issuer.name]
            let isFailing = health?.isFailing.values.contains(true)
            let times = issuer.redemption
            var object: JSONObject = [
                "name": .string(issuer.name),
                "state": .string(isFailing.map { $0 ? "failing" : "ok" } ?? "not_asked"),
                "redemptions": .integer(Int64(times.count)),
            ]
            if times.count > 0 { object["redemption_seconds"] = .number(times.seconds / Double(times.count)) }
            if let failure = health?.lastFailure {
                object["last_error"] = .object([
                    "at": .string(ISODate.format(failure.at)), "endpoint": .string(failure.endpoint.rawValue),
                    "reason": .string(failure.reason),
                ])
            }
            return .object(object)
        }
    }

    private var store: JSONValue {
        let kind =
            switch configuration.store {
            case .memory: "memory"
            case .sqlite: "sqlite"
            case .redis: "redis"
            }
        let times = StoreOperation.allCases.map { metrics.storeTimes($0) }
        return .object([
            "kind": .string(kind), "ok": .bool(metrics.usage != nil),
            "failures": .integer(Int64(metrics.storeFailures)),
            "operations": .integer(Int64(times.reduce(0) { $0 + $1.count })),
            "seconds": .number(times.reduce(0) { $0 + $1.seconds }),
        ])
    }

    private var nearLimits: [JSONValue] {
        let limits = configuration.limits
        var used = [("connections", metrics.listeners.reduce(0) { $0 + $1.connections }, limits.connections)]
        if let usage = metrics.usage {
            used += [("requests", usage.pending, limits.requests), ("kept_bytes", usage.bytes, limits.keptBytes)]
        }
        return used.filter { Double($0.1) >= Double($0.2) * Self.nearLimit }.map { limit, used, maximum in
            .object([
                "limit": .string(limit), "used": .integer(Int64(used)), "maximum": .integer(Int64(maximum)),
            ])
        }
    }

    /// The refusals by each limit.
    private var limited: JSONValue {
        Self.counts(
            Dictionary(uniqueKeysWithValues: GatewayLimit.allCases.map { ($0.name, metrics.limited(by: $0)) })
                .filter { $0.value > 0 })
    }

    private func certificates(_ now: Int64) -> [JSONValue] {
        let bySubject = Dictionary(metrics.certificates.map { ($0.subject, $0.validUntil) }, uniquingKeysWith: min)
        return bySubject.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { subject, end in
            .object([
                "subject": .string(subject), "ends_at": .string(ISODate.format(end * 1000)),
                "days": .integer((end - now) / 86_400 - (end < now ? 1 : 0)),
                "ends_soon": .bool(end - now <= Self.certificateWarning),
            ])
        }
    }

    private var clock: JSONValue {
        var object: JSONObject = ["count": .integer(Int64(clockSteps.count))]
        if clockSteps.count > 0 {
            object["last_at"] = .string(ISODate.format(clockSteps.lastAt.milliseconds))
            object["last_seconds"] = .integer(
                Int64((Double(clockSteps.lastMilliseconds) / 1000).rounded()))
        }
        return .object(object)
    }

    private static var openFiles: Int64? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int64(clamping: limit.rlim_cur)
    }

    private static var memory: JSONValue {
        let memory = ProcessMemory.own
        var object = JSONObject()
        object["resident_bytes"] = memory.resident.map { .integer(Int64($0)) }
        object["maximum_bytes"] = memory.maximum.map { .integer(Int64($0)) }
        return .object(object)
    }

    private static func counts(_ counts: [String: Int]) -> JSONValue {
        var object = JSONObject()
        for (name, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            object[name] = .integer(Int64(count))
        }
        return .object(object)
    }
}
