internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// How a sign-in ended, as it is counted.
enum SignInResult: Hashable, Sendable {
    case completed
    case failed(SignInFailure.Code)

    static let allCases = [completed] + SignInFailure.Code.allCases.map { failed($0) }

    var name: String {
        switch self {
        case .completed: "completed"
        case .failed(let code): code.rawValue
        }
    }
}

/// The counts of one app.
struct AppCounts: Counts {
    /// Pending token requests that it began.
    var begun = 0
    /// Browsers that were sent on to it, where it holds no requests.
    var dispatched = 0
    /// Outcomes that it has read.
    var collected = 0
    var callbacks: [CallbackOutcome: Int] = [:]
    var signIns: [SignInResult: Int] = [:]
    var tokens: [TokenUse: [SignInResult: Int]] = [:]
    var deliveries: [DeliveryName: [DeliveryResult: Int]] = [:]

    mutating func add(_ other: AppCounts) {
        begun &+= other.begun
        dispatched &+= other.dispatched
        collected &+= other.collected
        callbacks.merge(other.callbacks, uniquingKeysWith: &+)
        signIns.merge(other.signIns, uniquingKeysWith: &+)
        tokens.merge(other.tokens) { $0.merging($1, uniquingKeysWith: &+) }
        deliveries.merge(other.deliveries) { $0.merging($1, uniquingKeysWith: &+) }
    }
}

/// The counts of one issuer.
struct IssuerCounts: Counts {
    var requests: [IssuerExchange.Endpoint: [IssuerExchange.Result: Int]] = [:]
    /// How long its token endpoint took for each request, failed ones included.
    var redemption = Histogram(bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30])

    mutating func add(_ other: IssuerCounts) {
        requests.merge(other.requests) { $0.merging($1, uniquingKeysWith: &+) }
        redemption.add(other.redemption)
    }
}

/// The counts of events of one loop, or of several together. A value without I/O.
struct EventCounters: Sendable {
    /// The times of an operation of the store, without any.
    static let storeTimes = Histogram(
        bounds: [
            0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
        ])

    private(set) var names: MetricNames
    private(set) var apps = NamedCounts<AppCounts>()
    private(set) var issuers = NamedCounts<IssuerCounts>()
    private(set) var limited: [GatewayLimit: Int] = [:]
    private(set) var store: [StoreOperation: Histogram] = [:]

    init(_ names: MetricNames) {
        self.names = names
    }

    /// From now on counts by the names of another configuration.
    mutating func adopt(_ names: MetricNames) {
        guard names !== self.names else { return }
        apps.renumber(from: self.names.apps, to: names.apps)
        issuers.renumber(from: self.names.issuers, to: names.issuers)
        self.names = names
    }

    /// - Parameter other: by the same names.
    mutating func add(_ other: EventCounters) {
        apps.add(other.apps)
        issuers.add(other.issuers)
        limited.merge(other.limited, uniquingKeysWith: +)
        for (operation, times) in other.store { store[operation, default: Self.storeTimes].add(times) }
    }

    /// Browsers were sent on to an app, by its place in the configuration that ``names`` are of.
    mutating func dispatched(_ count: Int, app number: Int) {
        apps[number].dispatched &+= count
    }

    mutating func limited(by limit: GatewayLimit) { limited[limit, default: 0] += 1 }

    mutating func took(_ duration: Duration, for operation: StoreOperation) {
        store[operation, default: Self.storeTimes].add(duration)
    }

    /// Counts an event. The switches have no default: an event without an entry does not compile.
    mutating func count(_ event: GatewayEvent) {
        switch event {
        case .signIn(let step, _, let app): count(step, of: names.apps.number(of: app))
        case .callback(let report):
            let number = report.app.map { names.apps.number(of: $0) } ?? names.apps.others
            apps[number].callbacks[report.outcome, default: 0] += 1
            if report.outcome == .limited { limited(by: .callbackRate) }
        case .token(let use, let note, let app, _):
            let result = note.map { SignInResult.failed($0.code) } ?? .completed
            apps[names.apps.number(of: app)].tokens[use, default: [:]][result, default: 0] += 1
        case .issuerCalled(let exchange): count(exchange)
        // The server has counted connections at its door, also those that never come to ask for anything.
        case .limited(.connections, _, _), .limited(.connectionsPerAddress, _, _),
            .limited(.connectionsPerNetwork, _, _):
            break
        case .limited(let limit, _, _): limited(by: limit)
        case .delivered(let report):
            apps[names.apps.number(of: report.app)].deliveries[report.handler, default: [:]][
                report.result, default: 0] += 1
        // Counted by the loop itself, which knows the app's number: see `dispatched`.
        case .dispatched: break
        // A callback that is refused for it is counted as one.
        case .responseNotTrusted: break
        // Counted by the server, as answers with their codes.
        case .beginRefused, .useRefused, .callRefused: break
        // The refusals that follow are counted by the server.
        case .releaseGuessed: break
        // Only some failures are reported; the registry counts them all.
        case .storeFailed: break
        // News of the gateway itself are no rate: the log reports them.
        case .gateway: break
        }
    }

    private mutating func count(_ step: SignInStep, of app: Int) {
        switch step {
        case .begun: apps[app].begun += 1
        case .collected: apps[app].collected += 1
        case .completed: ended(.completed, app)
        case .passedOn(let handler):
            ended(.completed, app)
            // Other handlers report their own results.
            if handler == .loopback { apps[app].deliveries[.loopback, default: [:]][.ok, default: 0] += 1 }
        case .failed(let note): ended(.failed(note.code), app)
        case .denied: ended(.failed(.releaseFailed), app)
        case .canceled: ended(.failed(.userCanceled), app)
        case .expired: ended(.failed(.expired), app)
        // On the way: how many stand where is a count of the store.
        case .startPageSeen, .started, .held, .released, .wrongCode, .redeemed, .sealed, .acknowledged:
            break
        // Events of an agent: they go to the log, which one person reads.
        case .keeping: break
        }
    }

    private mutating func ended(_ result: SignInResult, _ app: Int) { apps[app].signIns[result, default: 0] += 1 }

    private mutating func count(_ exchange: IssuerExchange) {
        let issuer = names.issuers.number(of: exchange.issuer)
        issuers[issuer].requests[exchange.endpoint, default: [:]][exchange.result, default: 0] += 1
        if exchange.endpoint == .token { issuers[issuer].redemption.add(exchange.duration) }
    }
}
