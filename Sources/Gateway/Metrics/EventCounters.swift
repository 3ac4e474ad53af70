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

/// The positions of counters in the row of an app.
enum AppColumn {
    static let begun = 0
    static let dispatched = 1
    static let collected = 2
    private static let callbacks = 3
    private static let signIns = callbacks + outcomes.count
    private static let tokens = signIns + results.count
    private static let deliveries = tokens + TokenUse.allCases.count * results.count
    static let count = deliveries + DeliveryName.allCases.count * DeliveryResult.allCases.count

    private static let outcomes = Positions(CallbackOutcome.allCases)
    private static let results = Positions(SignInResult.allCases)
    private static let uses = Positions(TokenUse.allCases)
    private static let handlers = Positions(DeliveryName.allCases)
    private static let deliveryResults = Positions(DeliveryResult.allCases)

    static func callback(_ outcome: CallbackOutcome) -> Int { callbacks + outcomes[outcome] }
    static func signIn(_ result: SignInResult) -> Int { signIns + results[result] }
    static func token(_ use: TokenUse, _ result: SignInResult) -> Int {
        tokens + uses[use] * results.count + results[result]
    }
    static func delivery(_ handler: DeliveryName, _ result: DeliveryResult) -> Int {
        deliveries + handlers[handler] * deliveryResults.count + deliveryResults[result]
    }
}

/// The positions of values in their list.
private struct Positions<Value: Hashable & Sendable>: Sendable {
    private let positions: [Value: Int]

    /// - Parameter values: all that there are.
    init(_ values: [Value]) { positions = Dictionary(uniqueKeysWithValues: zip(values, values.indices)) }

    var count: Int { positions.count }

    subscript(_ value: Value) -> Int {
        guard let position = positions[value] else { preconditionFailure("\(value) is not among all cases") }
        return position
    }
}

/// The positions of counters in the row of an issuer.
enum IssuerColumn {
    /// Upper bounds of the time that a redemption takes, in seconds.
    static let bounds: [Double] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
    private static let endpoints = Positions(IssuerExchange.Endpoint.allCases)
    private static let results = Positions(IssuerExchange.Result.allCases)
    /// How long redemptions took.
    static let redemption = endpoints.count * results.count
    static let count = redemption + Histogram.width(bounds)

    static func request(_ endpoint: IssuerExchange.Endpoint, _ result: IssuerExchange.Result) -> Int {
        endpoints[endpoint] * results.count + results[result]
    }
}

/// The counts of events of one loop, or of several together. A value without I/O.
struct EventCounters: Sendable {
    /// Upper bounds of the time that an operation of the store takes, in seconds.
    static let storeBounds: [Double] = [
        0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
    ]

    private(set) var names: MetricNames
    private(set) var apps: CounterRows
    private(set) var issuers: CounterRows
    private(set) var limited: [GatewayLimit: Int] = [:]
    /// By ``StoreOperation/number``.
    private(set) var store = CounterRows(
        width: Histogram.width(storeBounds), count: StoreOperation.allCases.count)

    init(_ names: MetricNames) {
        self.names = names
        apps = CounterRows(width: AppColumn.count, count: names.apps.count)
        issuers = CounterRows(width: IssuerColumn.count, count: names.issuers.count)
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
        store.add(other.store)
    }

    /// Browsers were sent on to an app, by its position in the configuration that ``names`` are of.
    mutating func dispatched(_ count: Int, app number: Int) {
        apps.add(count, to: AppColumn.dispatched, of: number)
    }

    mutating func limited(by limit: GatewayLimit) { limited[limit, default: 0] += 1 }

    mutating func took(_ duration: Duration, for operation: StoreOperation) {
        store.add(duration, Self.storeBounds, of: operation.number)
    }

    /// Counts an event. The switches have no default: an event without an entry does not compile.
    mutating func count(_ event: GatewayEvent) {
        switch event {
        case .signIn(let step, _, let app): count(step, of: names.number(of: app))
        case .callback(let report):
            let number = report.app.map { names.number(of: $0) } ?? names.apps.others
            apps.add(to: AppColumn.callback(report.outcome), of: number)
            if report.outcome == .limited { limited(by: .callbackRate) }
        case .token(let use, let note, let app, _):
            apps.add(
                to: AppColumn.token(use, note.map { .failed($0.code) } ?? .completed), of: names.number(of: app))
        case .issuerCalled(let exchange): count(exchange)
        // The server counts connections itself, also those without a request.
        case .limited(.connections, _, _), .limited(.connectionsPerAddress, _, _),
            .limited(.connectionsPerNetwork, _, _):
            break
        case .limited(let limit, _, _): limited(by: limit)
        case .delivered(let report):
            apps.add(
                to: AppColumn.delivery(report.handler, report.result), of: names.number(of: report.app))
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
        case .begun: apps.add(to: AppColumn.begun, of: app)
        case .collected: apps.add(to: AppColumn.collected, of: app)
        case .completed: apps.add(to: AppColumn.signIn(.completed), of: app)
        case .passedOn(let handler):
            apps.add(to: AppColumn.signIn(.completed), of: app)
            // Other handlers report their own results.
            if handler == .loopback { apps.add(to: AppColumn.delivery(.loopback, .ok), of: app) }
        case .failed(let note): apps.add(to: AppColumn.signIn(.failed(note.code)), of: app)
        case .denied: apps.add(to: AppColumn.signIn(.failed(.releaseFailed)), of: app)
        case .canceled: apps.add(to: AppColumn.signIn(.failed(.userCanceled)), of: app)
        case .expired: apps.add(to: AppColumn.signIn(.failed(.expired)), of: app)
        // On the way: how many stand where is a count of the store.
        case .startPageSeen, .started, .held, .released, .wrongCode, .redeemed, .sealed, .acknowledged:
            break
        // Events of an agent: they go to the log, which one person reads.
        case .keeping: break
        }
    }

    private mutating func count(_ exchange: IssuerExchange) {
        let issuer = names.issuers.number(of: exchange.issuer)
        issuers.add(to: IssuerColumn.request(exchange.endpoint, exchange.result), of: issuer)
        guard exchange.endpoint == .token else { return }
        issuers.add(exchange.duration, from: IssuerColumn.redemption, IssuerColumn.bounds, of: issuer)
    }
}

extension StoreOperation {
    /// Its position in ``StoreOperation/allCases``.
    var number: Int {
        switch self {
        case .insert: 0
        case .find: 1
        case .apply: 2
        case .useProof: 3
        case .age: 4
        case .usage: 5
        }
    }
}
