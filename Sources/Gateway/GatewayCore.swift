internal import SwitchyardConfiguration
internal import SwitchyardGatewayClient
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardTLS
internal import Synchronization

/// The state that all endpoints share: the requests, the events, and whether the gateway is stopping. Safe from any
/// thread.
final class GatewayCore: Sendable {
    let registry: RequestRegistry
    let events: EventReporter
    let metrics: Metrics
    let status: StatusFeed
    /// The waiting apps under all configurations since the start: they go on waiting when the configuration changes.
    let waiting: WaitingCounter
    let time: SteadyTime
    let work = ActiveWork()
    let reload = AdminReload()
    let configuration: ConfigurationState
    let probe = ListenerProbe()
    let deliveries = DeliveryLedger()
    let tickets = Tickets()
    let remotes = RemoteSignIns()
    /// Only an agent uses it.
    let callbackPorts = CallbackPorts()
    let wrongProofs = WrongProofs()
    let timelines: Timelines
    /// nil for a gateway without an agent.
    let agent: (any LocalAgent)?
    private let stopping = Atomic(false)
    private let server = Mutex<ServerState?>(nil)
    private let lives = Atomic(0)

    /// - Parameter sink: one of the sinks of `events`.
    init(
        registry: RequestRegistry, events: EventReporter, metrics: Metrics, waiting: WaitingCounter,
        status: StatusFeed = StatusFeed(), time: SteadyTime = SteadyTime(), sink: TimelineSink = TimelineSink(),
        leftOut: [LeftOutFile] = [], agent: (any LocalAgent)? = nil
    ) {
        configuration = ConfigurationState(leftOut: leftOut)
        self.status = status
        self.agent = agent
        timelines = Timelines(registry, events, sink)
        self.time = time
        self.metrics = metrics
        self.waiting = waiting
        self.registry = registry
        self.events = events
        registry.followWrongProofs { [wrongProofs] in wrongProofs.hear($0, at: $1) }
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// The state of the server around the endpoints, readable from any thread.
    struct ServerState: Sendable {
        /// The reasons why listeners no longer take connections.
        let problems: @Sendable () -> [String]
        let counts: @Sendable () async -> ServerCounts
        /// The certificates that are shown to clients.
        let certificates: @Sendable () -> [ServedCertificate]
        /// The number of lines that the log has lost.
        let linesLost: @Sendable () -> Int
    }

    /// Every listener is open.
    func listenersAreOpen(_ state: ServerState) { server.withLock { $0 = state } }

    /// nil until every listener is open.
    var serverState: ServerState? { server.withLock(\.self) }

    /// Why the gateway should get no new sign-ins; empty while all is well.
    /// - Parameter usage: of the store, as it was found now; nil where it could not be.
    func obstacles(_ usage: StoreUsage?) -> [String] {
        guard !isStopping else { return ["the gateway is stopping"] }
        var reasons = serverState?.problems() ?? ["not every listener is open yet"]
        if usage == nil || registry.storeFailure != nil {
            reasons.append("the store is out\(registry.storeFailure.map { ": \($0)" } ?? "")")
        }
        return reasons
    }

    /// How often the gateway has gone on after it was about to stop.
    var life: Int { lives.load(ordering: .relaxed) }

    /// Resumes the gateway after a stop that did not come to its end.
    func goOn() {
        lives.add(1, ordering: .relaxed)
        stopping.store(false, ordering: .relaxed)
    }

    /// Tells waiting apps to come again, from now on.
    func beginStopping() {
        stopping.store(true, ordering: .relaxed)
        registry.changes.notifyAll()
    }
}

extension GatewayCore {
    /// How a request stands, also where another gateway carries it.
    func status(of record: RequestRecord) -> SignInStatus {
        let status = SignInStatus(record)
        // Others are an agent's business only.
        guard agent != nil, case .pending = record.phase, remotes[record.id]?.isHeld == true else { return status }
        return .releaseRequired
    }

    /// Waits until a request has left every phase that `isWaiting` names, the gateway stops, `isGivenUp` says so, or
    /// `deadline` comes. Call it only from a task of an event loop.
    /// - Parameters:
    ///   - watch: a watch. The caller may raise its signal for a reason of its own, such as that the peer has gone.
    ///   - record: the record as seen after the watch's revision.
    /// - Returns: the record at that time; nil when it is no longer known.
    func wait(
        on watch: RequestWatch, from record: RequestRecord, until deadline: Instant,
        while isWaiting: (RequestRecord) -> Bool, isGivenUp: () -> Bool = { false }
    ) async throws(StoreError) -> RequestRecord? {
        var record = record
        while isWaiting(record), !isStopping, !isGivenUp(), Instant.now() < deadline {
            let nextLook = registry.rereadInterval.map { Instant.now() + $0 } ?? .never
            _ = await watch.signal.wait(until: min(deadline, nextLook))
            guard let current = try await registry.find(watch) else { return nil }
            record = current
        }
        return record
    }
}
