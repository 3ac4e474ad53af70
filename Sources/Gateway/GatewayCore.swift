internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardTLS
internal import Synchronization

/// What all endpoints share: the requests, the events, and whether the gateway is stopping. Safe from any thread.
final class GatewayCore: Sendable {
    let registry: RequestRegistry
    let events: GatewayEvents
    let metrics: Metrics
    let status: StatusFeed
    /// Of all configurations since the start: who waits goes on waiting when another one is taken.
    let waiting: WaitingCounter
    let time: SteadyTime
    let work = ActiveWork()
    let reload = ReloadDoor()
    let configuration: ConfigurationState
    let probe = DoorProbe()
    let deliveries = DeliveryLedger()
    let tickets = Tickets()
    let remotes = RemoteSignIns()
    let wrongProofs = WrongProofs()
    let timelines: Timelines
    /// nil for a gateway that is nobody's agent.
    let agent: (any LocalAgent)?
    private let stopping = Atomic(false)
    private let server = Mutex<ServerState?>(nil)
    private let lives = Atomic(0)

    /// - Parameter sink: one of those that `events` are told to.
    init(
        registry: RequestRegistry, events: GatewayEvents, metrics: Metrics, waiting: WaitingCounter,
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

    /// What is asked of those around the endpoints, from any thread.
    struct ServerState: Sendable {
        /// Why nobody can connect to a listener any more.
        let problems: @Sendable () -> [String]
        let counts: @Sendable () async -> ServerCounts
        /// Those that are shown.
        let certificates: @Sendable () -> [ServedCertificate]
        /// Of the log.
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

    /// The gateway goes on: what it was to give away comes back.
    func goOn() {
        lives.add(1, ordering: .relaxed)
        stopping.store(false, ordering: .relaxed)
    }

    /// From now on, who waits is told to come again.
    func beginStopping() {
        stopping.store(true, ordering: .relaxed)
        registry.changes.notifyAll()
    }
}

extension GatewayCore {
    /// How a request stands, also where another gateway carries it.
    func status(of record: RequestRecord) -> PublicStatus {
        let status = PublicStatus(record)
        // Others are an agent's business only.
        guard agent != nil, case .pending = record.phase, remotes[record.id]?.isHeld == true else { return status }
        return .releaseRequired
    }

    /// Waits until a request has left every phase that `isWaiting` names, the gateway stops, `isGivenUp` says so, or
    /// `deadline` comes. Only from a task of an event loop.
    /// - Parameters:
    ///   - watch: whose signal the caller raises for a reason of its own, such as that the peer has gone.
    ///   - record: as it was seen after the watch's mark.
    /// - Returns: the record as it is then; nil when it is no longer known.
    func wait(
        on watch: RequestWatch, from record: RequestRecord, until deadline: Instant,
        while isWaiting: (RequestRecord) -> Bool, isGivenUp: () -> Bool = { false }
    ) async throws(StoreFailure) -> RequestRecord? {
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
