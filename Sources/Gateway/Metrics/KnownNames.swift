internal import SwitchyardConfiguration
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The names that a label may have for one kind of item, each with a number. First come those of the configuration,
/// then some of earlier configurations with counts that stay for a while, then one for the rest. Immutable; safe from
/// any thread.
///
/// A configured name's number is its position in the configuration, so code that has found an app has its number.
struct KnownNames: Sendable {
    /// So many are remembered of those that are gone, the latest.
    static let maximumRetired = 1000

    let presentCount: Int
    /// Oldest first.
    let retired: [String]
    private let retiredNumbers: [String: Int]
    private let presentName: @Sendable (Int) -> String
    private let presentNumber: @Sendable (String) -> Int?

    /// - Parameters:
    ///   - name: of a number below `count`.
    ///   - number: below `count`; nil for a name that is not configured.
    ///   - previous: of the configuration before.
    init(
        count: Int, name: @escaping @Sendable (Int) -> String, number: @escaping @Sendable (String) -> Int?,
        after previous: KnownNames?
    ) {
        presentCount = count
        presentName = name
        presentNumber = number
        let gone = previous.map { previous in
            (previous.retired + (0..<previous.presentCount).map(previous.presentName)).filter { number($0) == nil }
        }
        let retired = Array((gone ?? []).suffix(Self.maximumRetired))
        self.retired = retired
        retiredNumbers = Dictionary(uniqueKeysWithValues: zip(retired, (0..<retired.count).map { count + $0 }))
    }

    /// How many numbers there are.
    var count: Int { others + 1 }

    /// The one number of all unknown names.
    var others: Int { presentCount + retired.count }

    func number(of name: String) -> Int { presentNumber(name) ?? retiredNumbers[name] ?? others }

    /// Empty for ``others``.
    func name(of number: Int) -> String {
        if number < presentCount { return presentName(number) }
        return number < others ? retired[number - presentCount] : ""
    }
}

/// The source of label values: a configuration, and the one before it. Immutable; safe from any thread.
final class MetricNames: Sendable {
    let apps: KnownNames
    let issuers: KnownNames
    /// By number.
    let listeners: [String]
    private let routes: RouteTable

    init(_ configuration: Configuration, after previous: MetricNames? = nil) {
        let routes = configuration.routes
        self.routes = routes
        apps = KnownNames(
            count: routes.apps.count, name: { routes.apps[$0].id.text },
            number: { AppID($0).flatMap { routes.number(ofApp: $0) } },
            after: previous?.apps)
        let issuers = configuration.issuers.map(\.name)
        let numbers = Dictionary(zip(issuers, issuers.indices)) { first, _ in first }
        self.issuers = KnownNames(
            count: issuers.count, name: { issuers[$0] }, number: { numbers[$0] }, after: previous?.issuers)
        listeners = configuration.listeners.map { "\($0.address)" }
    }

    /// The number of an app, as ``KnownNames/number(of:)``.
    func number(of app: AppID) -> Int { routes.number(ofApp: app) ?? apps.number(of: app.text) }

    /// Whether an app that is configured needs the gateway for its tokens: its client's secret is there.
    func usesTokens(app number: Int) -> Bool { routes.apps[number].clientAuthentication != .none }

    /// Whether an app that is configured holds requests.
    func holdsRequests(app number: Int) -> Bool { routes.apps[number].handlers.holdsRequests }

    /// Whether it reads outcomes of its requests.
    func collects(app number: Int) -> Bool { routes.apps[number].handlers.completesRequests }

    /// Whether browsers are sent on to it.
    func isDispatched(app number: Int) -> Bool { routes.apps[number].handlers.target != nil }

    /// The handlers that may bring it callbacks.
    func handlers(app number: Int) -> [DeliveryName] {
        let handlers = routes.apps[number].handlers
        return (handlers.deliveries + [handlers.last].compactMap(\.self)).compactMap(\.deliveryName)
    }
}
