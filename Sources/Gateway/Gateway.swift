public import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
public import SwitchyardReactor
internal import SwitchyardRedis
internal import SwitchyardRouting
internal import SwitchyardTLS
internal import SwitchyardText
internal import Synchronization

/// Why a gateway cannot start, or does not take a new configuration.
public struct GatewayError: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A running gateway: listeners, endpoints, and the requests between them. Safe from any thread.
public final class Gateway: Sendable {
    let group: EventLoopGroup
    let core: GatewayCore
    let workers: [GatewayWorker]
    let server: Server
    let connections: ConnectionLimiter
    let policies: PolicySource
    /// The setup that follows from the current configuration.
    let setup: Mutex<Setup>
    let events: EventReporter
    let log: EventLog?
    /// nil if several gateways can have the store at the same time, or if the store ends with the process.
    let exclusiveStore: ExclusiveStore?
    /// The credentials for Redis; nil for other stores.
    let storeAccess: RedisAccess?

    public static let version = SwitchyardVersion.text

    /// Makes this a process that serves: memory is used for speed where an app that links a library would want it back.
    /// To be called before anything else.
    public static func prepareProcess() {
        ServerContext.keepMemory()
    }

    /// Binds every listener and begins to serve.
    /// - Parameters:
    ///   - group: loops that run already.
    ///   - log: nil for no log.
    ///   - listeners: the listeners of this configuration, if they were bound before.
    ///   - leftOut: the files of the configuration that are not in use as they are.
    ///   - agent: the agent that keeps tokens for the programs of this process's user; nil for a gateway without an
    ///     agent.
    /// - Throws: ``GatewayError`` naming the listener or the file.
    public init(
        _ configuration: Configuration, on group: EventLoopGroup, log: EventLog?,
        listeners bound: BoundListeners? = nil, leftOut: [LeftOutFile] = [],
        agent: (any LocalAgent)? = nil
    ) throws(GatewayError) {
        let sockets: BoundListeners
        if let bound { sockets = bound } else { sockets = try BoundListeners(configuration) }
        let sink = TimelineSink()
        let metrics = Metrics(configuration, group.loops)
        let status = StatusFeed()
        let events = EventReporter((log.map { [$0] } ?? []) + [sink, metrics, status.recent] as [any EventSink])
        let policies = PolicySource(configuration)
        let stores = try Self.stores(configuration, policies, group, events)
        exclusiveStore = stores.exclusive
        storeAccess = stores.access
        let time = SteadyTime()
        let registry = Self.registry(stores.shared, policies, time, events, metrics)
        events.report(.gateway(.storeChosen(configuration.store)))
        let waiting = WaitingCounter(maximum: configuration.limits.waitingPerAddress)
        let core = GatewayCore(
            registry: registry, events: events, metrics: metrics, waiting: waiting, status: status, time: time,
            sink: sink, leftOut: leftOut, agent: agent)
        agent?.adopt(configuration)
        let setup = Setup(configuration)
        let workers = group.loops.map { GatewayWorker(core, $0, setup) }
        self.group = group
        self.core = core
        self.workers = workers
        self.setup = Mutex(setup)
        self.events = events
        self.log = log
        log?.adopt(beginRate: configuration.limits.beginRate)
        self.policies = policies
        connections = ConnectionLimiter(
            Self.connectionPolicy(configuration, isAgent: agent != nil), keys: \.connectionKeys)
        server = Server(
            group: group, limits: configuration.limits.http, connections: connections,
            service: GatewayService(workers: workers))
        // Before the first call, which may begin a sign-in to a resource.
        if agent != nil { serveCallbackPorts() }
        for (number, listener) in configuration.listeners.enumerated() {
            let context = try Self.context(for: listener, configuration)
            sockets.serve(listener, number, context, on: server, events)
        }
        core.listenersAreOpen(
            GatewayCore.ServerState(
                problems: { [weak server, listeners = configuration.listeners] in
                    (server?.failures ?? []).map { "\(listeners[$0.listener].address): \($0.reason)" }
                },
                counts: { [weak server] in await server?.counts ?? ServerCounts() },
                certificates: { [weak server] in server?.certificates ?? [] },
                linesLost: { log?.linesLost ?? 0 }))
        startAging()
        startTimelines()
        resumeCarried()
        events.report(.gateway(.ready(publicURL: "\(configuration.publicURL)")))
    }

    /// The requests of `store`, which lives by `policies`.
    private static func registry(
        _ store: any SharedStore, _ policies: PolicySource, _ time: SteadyTime, _ events: EventReporter,
        _ metrics: Metrics
    ) -> RequestRegistry {
        let registry = RequestRegistry(
            store: store, policy: policies.policy, clock: { time.now() },
            report: { news in
                switch news {
                case .ended(let record): events.reportEnd(of: record)
                case .storeFailed(let failure, let failures):
                    events.report(.storeFailed(reason: failure.description, failures: failures))
                case .storeBack: events.report(.gateway(.storeBack))
                case .keyMissing(let id): events.report(.gateway(.keyMissing(id: id)))
                }
            },
            note: { operation, duration in metrics.took(duration, for: operation) })
        policies.follow { registry.adopt($0) }
        return registry
    }

    /// The connections that one program may have to its user's agent. All programs there have one user, so the limit by
    /// user alone would let one program shut out all others.
    private static let connectionsOfProgram = 64

    static func connectionPolicy(_ configuration: Configuration, isAgent: Bool) -> ConnectionLimiter.Policy {
        let (limits, proxies) = (configuration.limits, configuration.trustedProxies)
        return ConnectionLimiter.Policy(
            total: limits.connections, perAddress: limits.connectionsPerAddress,
            perNetwork: limits.connectionsPerNetwork, perProgram: isAgent ? connectionsOfProgram : nil,
            unfinishedBytes: limits.unfinishedBytes,
            // Behind a trusted proxy all callers have its address, or its user.
            isShared: { peer in
                switch peer {
                case .ip: peer.address.map { proxies.contains($0) } ?? false
                case .local(let uid): uid.map { proxies.contains(uid: $0) } ?? false
                }
            })
    }

    static func context(
        for listener: ListenerConfiguration, _ configuration: Configuration
    ) throws(GatewayError) -> ServerContext? {
        guard !listener.tls.isEmpty else { return nil }
        // Asked for only where it can count: browsers trouble people with the question.
        let requestsCertificate = listener.serve.contains(.api) && configuration.asksForClientCertificates
        do {
            return try ServerContext(
                identities: listener.tls, protocols: Server.protocols,
                requestsClientCertificate: requestsCertificate)
        } catch {
            throw GatewayError("listener \(listener.address): \(error)")
        }
    }
}

extension Peer {
    fileprivate var address: IPAddress? {
        guard case .ip(let bytes, _) = self else { return nil }
        return IPAddress(bytes: bytes)
    }

    /// The caller and the network that a connection counts for (rules: limits everywhere). A user of this machine counts
    /// as a multicast address, which never connects.
    fileprivate var connectionKeys: ConnectionLimiter.Keys? {
        switch self {
        case .ip: address.map { ConnectionLimiter.Keys(address: $0.limitKey.bits, network: $0.network.bits) }
        case .local(let uid):
            ConnectionLimiter.Keys(address: UInt128(0xFF) << 120 | UInt128(uid ?? .max), network: nil)
        }
    }
}
