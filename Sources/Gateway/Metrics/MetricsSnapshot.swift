internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardTLS

/// The gateway's counts since its start, and its present state. A copy; safe from any thread.
struct MetricsSnapshot: Sendable {
    /// The counts of an app.
    struct App: Sendable {
        /// The app's id; empty for counts without an app.
        let id: String
        fileprivate let counts: AppCounts

        /// The counts of ``AppCounts``.
        var begun: Int { counts.begun }
        var dispatched: Int { counts.dispatched }
        var collected: Int { counts.collected }

        func callbacks(_ outcome: CallbackOutcome) -> Int { counts.callbacks[outcome] ?? 0 }
        func signIns(_ result: SignInResult) -> Int { counts.signIns[result] ?? 0 }
        func tokens(_ use: TokenUse, _ result: SignInResult) -> Int { counts.tokens[use]?[result] ?? 0 }

        func deliveries(_ handler: DeliveryName, _ result: DeliveryResult) -> Int {
            counts.deliveries[handler]?[result] ?? 0
        }
    }

    /// The counts of an issuer.
    struct Issuer: Sendable {
        /// Its name in the configuration; empty for those that are long gone from it.
        let name: String
        fileprivate let counts: IssuerCounts

        func requests(_ endpoint: IssuerExchange.Endpoint, _ result: IssuerExchange.Result) -> Int {
            counts.requests[endpoint]?[result] ?? 0
        }

        var redemption: Histogram { counts.redemption }
    }

    struct Listener: Sendable {
        /// The address as the configuration names it.
        let address: String
        let connections: Int
        /// How many answers of each status code.
        let answers: [(code: Int, count: Int)]
    }

    let version: String
    /// Why the gateway should get no new sign-ins; empty while all is well.
    let obstacles: [String]
    let names: MetricNames
    fileprivate let counters: EventCounters
    fileprivate let server: ServerCounts
    /// nil while the store is out.
    let usage: StoreUsage?
    let storeFailures: Int
    /// Apps that wait for an outcome.
    let waitingApps: Int
    /// Lines of the log that could not be written.
    let linesLost: Int
    let certificates: [ServedCertificate]
    /// Encryption keys that requests were sealed with and that are not configured.
    var keysMissed: [String] = []
    let configuration: ConfigurationState.Snapshot

    init(
        version: String, obstacles: [String], counters: EventCounters, server: ServerCounts, usage: StoreUsage?,
        storeFailures: Int, waitingApps: Int, linesLost: Int, certificates: [ServedCertificate],
        configuration: ConfigurationState.Snapshot
    ) {
        self.configuration = configuration
        self.version = version
        self.obstacles = obstacles
        names = counters.names
        self.counters = counters
        self.server = server
        self.usage = usage
        self.storeFailures = storeFailures
        self.waitingApps = waitingApps
        self.linesLost = linesLost
        self.certificates = certificates
    }

    /// An app by its number in ``names``; nil if it has no counts.
    func app(_ number: Int) -> App? {
        guard counters.apps.hasCounts(number) else { return nil }
        return App(id: names.apps.name(of: number), counts: counters.apps[number])
    }

    /// The apps with any count.
    var apps: [App] { counters.apps.numbers.compactMap { app($0) } }

    /// The configured issuers, and others with any count.
    var issuers: [Issuer] {
        (0..<names.issuers.count).compactMap { number in
            guard counters.issuers.hasCounts(number) || number < names.issuers.presentCount else { return nil }
            return Issuer(name: names.issuers.name(of: number), counts: counters.issuers[number])
        }
    }

    var listeners: [Listener] {
        names.listeners.enumerated().map { number, address in
            Listener(
                address: address, connections: server.connections(of: number), answers: server.answers(of: number))
        }
    }

    func handshakes(_ result: ServerCounts.Handshake) -> Int { server.handshakes(result) }

    /// The number of refusals because of a limit.
    func limited(by limit: GatewayLimit) -> Int {
        switch limit {
        case .connections: server.turnedAway(.total)
        case .connectionsPerAddress: server.turnedAway(.perAddress)
        case .connectionsPerNetwork: server.turnedAway(.perNetwork)
        default: counters.limited[limit] ?? 0
        }
    }

    /// How long the store took, failed operations included.
    func storeTimes(_ operation: StoreOperation) -> Histogram {
        counters.store[operation] ?? EventCounters.storeTimes
    }
}

extension GatewayCore {
    /// All that is counted, and how the gateway is right now. Only from a task of a loop; it asks all
    /// others, and the store.
    func snapshot() async -> MetricsSnapshot {
        let usage = try? await registry.usage()
        let server = await serverState?.counts()
        var snapshot = MetricsSnapshot(
            version: Gateway.version, obstacles: obstacles(usage), counters: await metrics.counters(),
            server: server ?? ServerCounts(), usage: usage, storeFailures: registry.storeFailures,
            waitingApps: waiting.total, linesLost: serverState?.linesLost() ?? 0,
            certificates: serverState?.certificates() ?? [], configuration: configuration.snapshot)
        snapshot.keysMissed = registry.keysMissed
        return snapshot
    }
}
