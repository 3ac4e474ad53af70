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
        fileprivate let row: ArraySlice<Int>

        /// Pending token requests that it began.
        var begun: Int { self[AppColumn.begun] }
        /// Browsers that were sent on to it, where it holds no requests.
        var dispatched: Int { self[AppColumn.dispatched] }
        /// Outcomes that it has read.
        var collected: Int { self[AppColumn.collected] }

        func callbacks(_ outcome: CallbackOutcome) -> Int { self[AppColumn.callback(outcome)] }
        func signIns(_ result: SignInResult) -> Int { self[AppColumn.signIn(result)] }
        func tokens(_ use: TokenUse, _ result: SignInResult) -> Int { self[AppColumn.token(use, result)] }

        func deliveries(_ handler: DeliveryName, _ result: DeliveryResult) -> Int {
            self[AppColumn.delivery(handler, result)]
        }

        private subscript(column: Int) -> Int { row[row.startIndex + column] }
    }

    /// The counts of an issuer.
    struct Issuer: Sendable {
        /// Its name in the configuration; empty for those that are long gone from it.
        let name: String
        fileprivate let row: ArraySlice<Int>?

        func requests(_ endpoint: IssuerExchange.Endpoint, _ result: IssuerExchange.Result) -> Int {
            row.map { $0[$0.startIndex + IssuerColumn.request(endpoint, result)] } ?? 0
        }

        /// How long its token endpoint took for each request, failed ones included.
        var redemption: Histogram {
            Histogram(bounds: IssuerColumn.bounds, row: row, from: IssuerColumn.redemption)
        }
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
        counters.apps[number].map { App(id: names.apps.name(of: number), row: $0) }
    }

    /// The apps with any count.
    var apps: [App] { counters.apps.numbers.compactMap { app($0) } }

    /// The configured issuers, and others with any count.
    var issuers: [Issuer] {
        (0..<names.issuers.count).compactMap { number in
            let row = counters.issuers[number]
            guard row != nil || number < names.issuers.presentCount else { return nil }
            return Issuer(name: names.issuers.name(of: number), row: row)
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
        Histogram(bounds: EventCounters.storeBounds, row: counters.store[operation.number])
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
