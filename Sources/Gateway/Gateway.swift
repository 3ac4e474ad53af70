public import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
public import SwitchyardReactor
internal import SwitchyardRedis
internal import SwitchyardRedisStore
internal import SwitchyardRouting
internal import SwitchyardTLS
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
    private let connections: ConnectionLimiter
    let policies: PolicySource
    /// What follows from the configuration of now.
    private let setup: Mutex<Setup>
    let events: GatewayEvents
    let log: EventLog?
    /// nil where all gateways have the store at the same time, or where nothing outlives the process.
    let exclusiveStore: ExclusiveStore?
    /// As whom it is talked to; nil where it is nobody else's.
    private let storeAccess: RedisAccess?

    /// Of this program.
    public static let version = "0.1.0"

    /// Makes this a process that serves: memory is used for speed where an app that links a library would want it back.
    /// To be called before anything else.
    public static func prepareProcess() {
        ServerContext.keepMemory()
    }

    /// Binds every listener and begins to serve.
    /// - Parameters:
    ///   - group: loops that run already.
    ///   - log: nil for none.
    ///   - listeners: of this configuration, if they were bound before.
    ///   - agent: who keeps tokens for the programs of this process's user; nil for a gateway that is nobody's agent.
    /// - Throws: ``GatewayError`` naming the listener or the file.
    public init(
        _ configuration: Configuration, on group: EventLoopGroup, log: EventLog?,
        listeners bound: BoundListeners? = nil,
        agent: (any LocalAgent)? = nil
    ) throws(GatewayError) {
        let sockets: BoundListeners
        if let bound { sockets = bound } else { sockets = try BoundListeners(configuration) }
        let sink = TimelineSink()
        let metrics = Metrics(configuration, group.loops)
        let status = StatusFeed()
        let events = GatewayEvents((log.map { [$0] } ?? []) + [sink, metrics, status.recent] as [any EventSink])
        let policies = PolicySource(configuration)
        let stores = try Self.stores(configuration, policies, group, events)
        exclusiveStore = stores.exclusive
        storeAccess = stores.access
        let time = SteadyTime()
        let registry = Self.registry(stores.shared, policies, time, events, metrics)
        events.tell(.gateway(.storeChosen(configuration.store)))
        let waiting = WaitingCounter(maximum: configuration.limits.waitingPerAddress)
        let core = GatewayCore(
            registry: registry, events: events, metrics: metrics, waiting: waiting, status: status, time: time,
            sink: sink, agent: agent)
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
        connections = ConnectionLimiter(Self.connectionPolicy(configuration), key: \.connectionKey)
        server = Server(
            group: group, limits: configuration.limits.http, connections: connections,
            service: GatewayService(workers: workers))
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
        events.tell(.gateway(.ready(publicURL: "\(configuration.publicURL)")))
    }

    /// The requests of `store`, which lives by `policies`.
    private static func registry(
        _ store: any SharedStore, _ policies: PolicySource, _ time: SteadyTime, _ events: GatewayEvents,
        _ metrics: Metrics
    ) -> RequestRegistry {
        let registry = RequestRegistry(
            store: store, policy: policies.policy, clock: { time.now() },
            tell: { news in
                switch news {
                case .ended(let record): events.tellEnd(of: record)
                case .storeFailed(let failure, let failures):
                    events.tell(.storeFailed(reason: failure.description, failures: failures))
                case .storeBack: events.tell(.gateway(.storeBack))
                }
            },
            note: { operation, duration in metrics.took(duration, for: operation) })
        policies.follow { registry.adopt($0) }
        return registry
    }

    /// Takes over a configuration that was read again, or says why the old one stays.
    /// - Parameter file: its name.
    /// - Returns: what was told.
    @discardableResult
    public func reload(_ outcome: LoadOutcome, from file: String) -> ReloadReport {
        let warnings = outcome.diagnostics.warnings.map(\.description)
        for warning in warnings { events.tell(.gateway(.configurationWarning(warning))) }
        guard let configuration = outcome.configuration else {
            let errors = outcome.diagnostics.errors.map(\.description)
            for error in errors { events.tell(.gateway(.reloadRefused(file: file, reason: error))) }
            return .refused(errors)
        }
        do {
            try reload(configuration)
            log?.adopt(configuration.log)
            log?.adopt(beginRate: configuration.limits.beginRate)
            events.refresh()
            let (apps, issuers) = (configuration.apps.count, configuration.issuers.count)
            events.tell(.gateway(.reloaded(file: file, apps: apps, issuers: issuers)))
            return .taken(apps: apps, issuers: issuers, warnings: warnings)
        } catch {
            events.tell(.gateway(.reloadRefused(file: file, reason: "\(error)")))
            return .refused(["\(error)"])
        }
    }

    /// Lets the admin listener ask for a reload. `perform` is called from a task of any loop.
    public func whenAskedToReload(_ perform: @escaping @Sendable () async -> ReloadReport) {
        core.reload.adopt(perform)
    }

    /// Reads the certificates of the listeners again that have one of `files`, and shows them to the connections that
    /// come from now on. Where key and certificate do not fit, the old ones stay.
    /// - Returns: the listeners whose new ones cannot be used, and why.
    public func renewCertificates(in files: Set<String>) -> [CertificateRefusal] {
        let configuration = policies.configuration
        var refusals: [CertificateRefusal] = []
        for (number, listener) in configuration.listeners.enumerated()
        where listener.tls.contains(where: { $0.paths.contains(where: files.contains) }) {
            do throws(GatewayError) {
                guard let context = try Self.context(for: listener, configuration) else { continue }
                server.replaceContext(ofListener: number, with: context)
                events.tell(.gateway(.certificateTaken(address: "\(listener.address)")))
            } catch {
                refusals.append(CertificateRefusal(listener: number, reason: error.description))
            }
        }
        return refusals
    }

    /// Says that a listener goes on with its old certificates.
    public func tell(_ refusal: CertificateRefusal) {
        events.tell(.gateway(.certificateRefused(reason: refusal.reason)))
    }

    /// Takes over a new configuration for what begins from now on. Listeners stay as they are but for their
    /// certificates: other addresses or services take a restart.
    /// - Throws: ``GatewayError``; then nothing has changed.
    public func reload(_ configuration: Configuration) throws(GatewayError) {
        let current = policies.configuration.listeners
        guard current.map(\.address) == configuration.listeners.map(\.address),
            current.map(\.serve) == configuration.listeners.map(\.serve),
            current.map(\.tls.isEmpty) == configuration.listeners.map(\.tls.isEmpty)
        else { throw GatewayError("listeners cannot be added, removed or changed without a restart") }
        guard policies.configuration.store.place == configuration.store.place else {
            throw GatewayError("the store cannot be changed without a restart")
        }
        let credentials = try Self.credentials(for: configuration.store)
        var contexts: [(Int, ServerContext)] = []
        for (number, listener) in configuration.listeners.enumerated() {
            if let context = try Self.context(for: listener, configuration) { contexts.append((number, context)) }
        }
        for (number, context) in contexts { server.replaceContext(ofListener: number, with: context) }
        let next = setup.withLock { Setup(configuration, after: $0) }
        let names = core.metrics.adopt(configuration)
        for worker in workers { worker.loop.execute { worker.adopt(next, names) } }
        core.waiting.adopt(maximum: configuration.limits.waitingPerAddress)
        policies.adopt(configuration)
        core.agent?.adopt(configuration)
        connections.adopt(Self.connectionPolicy(configuration))
        server.replaceLimits(with: configuration.limits.http)
        setup.withLock { $0 = next }
        if let credentials { storeAccess?.replace(with: credentials) }
    }

    /// The configuration's store, also as one that can be given away, where only one gateway can have it at a time, and as whom
    /// it is talked to.
    private static func stores(
        _ configuration: Configuration, _ policies: PolicySource, _ group: EventLoopGroup,
        _ events: GatewayEvents
    ) throws(GatewayError) -> (shared: any SharedStore, exclusive: ExclusiveStore?, access: RedisAccess?) {
        let maximum = configuration.limits.requests
        switch configuration.store {
        case .memory: return (MemoryStore(maximumRemembered: maximum), nil, nil)
        case .sqlite(let path):
            let exclusive = try ExclusiveStore(path: path, policies)
            return (exclusive, exclusive, nil)
        case .redis(let redis):
            do throws(TLSError) {
                let deployment = try redis.deployment
                let shared = RedisStore(
                    deployment, prefix: redis.prefix, maximumRemembered: maximum, on: group.loops,
                    warn: { warning in events.tell(.gateway(.storeWarning(warning))) })
                return (shared, nil, deployment.options.access)
            } catch {
                throw GatewayError("the store's TLS: \(error)")
            }
        }
    }

    /// What the store asks for now of who talks to it; nil where that is nobody else's.
    private static func credentials(
        for store: Configuration.Store
    ) throws(GatewayError) -> RedisAccess.Credentials? {
        guard case .redis(let redis) = store else { return nil }
        do throws(TLSError) {
            return try redis.credentials
        } catch {
            throw GatewayError("the store's TLS: \(error)")
        }
    }

    private static func connectionPolicy(_ configuration: Configuration) -> ConnectionLimiter.Policy {
        let (limits, proxies) = (configuration.limits, configuration.trustedProxies)
        return ConnectionLimiter.Policy(
            total: limits.connections, perAddress: limits.connectionsPerAddress,
            // Behind a trusted proxy everybody has its address, or its user.
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

    /// What connections of one caller have in common (rules: limits everywhere). A user of this machine counts as a multicast
    /// address, from which nobody ever connects.
    fileprivate var connectionKey: UInt128? {
        switch self {
        case .ip: address?.limitKey.bits
        case .local(let uid): UInt128(0xFF) << 120 | UInt128(uid ?? .max)
        }
    }
}

extension RedisStoreConfiguration {
    /// As the client of Redis takes it.
    var deployment: RedisDeploymentConfiguration {
        get throws(TLSError) {
            var options = RedisOptions()
            options.access = RedisAccess(try credentials)
            options.database = database
            return RedisDeploymentConfiguration(servers, options)
        }
    }

    /// As they stand in their files now.
    var credentials: RedisAccess.Credentials {
        get throws(TLSError) {
            let tls = isTLS ? try ClientContext(onlyAuthorities: onlyAuthorities, identity: identity) : nil
            return RedisAccess.Credentials(tls: tls, user: user, password: password?.exposedText)
        }
    }
}
