internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPages
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardTLS

/// The setup that follows from one configuration. Immutable: a reload makes another. Pending requests continue under
/// it, except those of apps that now have another issuer or client. Safe from any thread.
final class Setup: Sendable {
    let configuration: Configuration
    let issuers: IssuerDirectory
    let beginLimiter: RateLimiter
    let callbackLimiter: RateLimiter
    /// Limits requests for our own pages, which reload themselves.
    let pageLimiter: RateLimiter
    let collectLimiter: RateLimiter
    /// Limits callbacks that need a private key to be read.
    let decryptionLimiter: RateLimiter
    private let issuerIdentifiers: [String: String]
    /// The services of each listener, by its number.
    let services: [ListenerServices]
    let pages: PageBook
    /// By name.
    let logos: [String: Logo]
    private let callerAnchors: CallerAnchors
    /// Stays over reloads.
    let resources: KnownResources

    /// - Parameter previous: the setup of the configuration before. Its knowledge of unchanged issuers stays: a reload
    ///   must not depend on whether issuers answer just now.
    init(_ configuration: Configuration, after previous: Setup? = nil) {
        self.configuration = configuration
        let limits = configuration.limits
        issuerIdentifiers = Dictionary(configuration.issuers.map { ($0.name, $0.issuer) }) { first, _ in first }
        let same = Set(previous?.configuration.issuers ?? [])
        issuers = IssuerDirectory(
            configuration.issuers.map { issuer in
                let settings = Self.settings(for: issuer, configuration)
                if same.contains(issuer), let known = previous?.issuers[issuer.name], known.settings == settings {
                    return known
                }
                return Issuer(settings)
            })
        beginLimiter = RateLimiter(rate: limits.beginRate)
        callbackLimiter = RateLimiter(rate: limits.callbackRate)
        pageLimiter = RateLimiter(rate: limits.callbackRate * 4)
        collectLimiter = RateLimiter(rate: limits.collectRate)
        decryptionLimiter = RateLimiter(rate: 50, capacity: 50)
        services = configuration.listeners.map { listener in
            ListenerServices(listener.serve).union(listener.isForOwner ? .ownerOnly : [])
        }
        pages = PageBook(configuration.pages)
        logos = Self.logos(configuration)
        callerAnchors = CallerAnchors(configuration.apps)
        resources = previous?.resources ?? KnownResources()
    }

    var routes: RouteTable { configuration.routes }

    /// The authorities for certificates of an app's callers; nil when its `begin_from` names no authority.
    func trustAnchors(of app: AppRegistration) -> TrustAnchors? { callerAnchors[app] }

    /// For a sign-in to a resource, its authorization server.
    func issuer(of app: AppRegistration) -> Issuer? {
        guard let entry = app.resource else { return issuers[app.issuer] }
        return app.grant.map { resources.issuer($0, rules(for: entry)) }
    }

    /// The deviations and parameters of the app's issuer.
    func profile(of app: AppRegistration) -> IssuerProfile {
        issuer(of: app)?.settings.profile ?? .strict
    }

    /// The names of parameters at the app's issuer.
    func parameterNames(of app: AppRegistration) -> ParameterNames { profile(of: app).deviations.parameterNames }

    /// The digest of the app's issuer and client. A code is for these only, also if a reload changes the app meanwhile.
    func registration(of app: AppRegistration) -> SHA256Digest {
        if let grant = app.grant { return SHA256Digest(of: "resource \(grant.digest) \(grant.clientID)") }
        return SHA256Digest(of: "\(issuerIdentifiers[app.issuer] ?? "") \(app.issuer) \(app.clientID)")
    }

    /// The address at which a browser begins: a page of ours or, on a gateway without pages, the issuer's.
    func startURL(of id: RequestID, for authorizationURL: String) -> String {
        configuration.servesBrowsers ? publicURL("/start/\(id)") : authorizationURL
    }

    /// An absolute URL below the public one.
    func publicURL(_ path: String) -> String {
        "\(configuration.publicURL)\(path)"
    }

    private static func logos(_ configuration: Configuration) -> [String: Logo] {
        let logos = [configuration.pages.logo] + configuration.apps.map { $0.branding?.logo }
        return logos.reduce(into: [:]) { named, logo in if let logo { named[logo.name] = logo } }
    }

    private static func settings(for issuer: IssuerConfiguration, _ configuration: Configuration) -> IssuerSettings {
        let source: IssuerSettings.Source =
            switch issuer.source {
            case .configured(let metadata): .configured(metadata)
            case .discovery(let url): .discovery(url)
            }
        return IssuerSettings(
            name: issuer.name, source: source, rule: issuer.rule, profile: issuer.profile,
            trustAnchor: issuer.trustAnchor?.path, route: configuration.route,
            allowsLoopbackHTTP: configuration.allowsLoopbackHTTP, timeout: configuration.limits.issuerTimeout,
            maximumBytes: configuration.limits.issuerBytes)
    }
}

/// The services of a listener in one word, because every request asks for them.
struct ListenerServices: OptionSet {
    let rawValue: UInt8

    static let callbacks = ListenerServices(rawValue: 1)
    static let api = ListenerServices(rawValue: 2)
    static let admin = ListenerServices(rawValue: 4)
    /// No service: only the user of this process gets any.
    static let ownerOnly = ListenerServices(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ services: Set<ListenerConfiguration.Service>) {
        self = services.reduce(into: []) { all, service in
            switch service {
            case .callbacks: all.insert(.callbacks)
            case .api: all.insert(.api)
            case .admin: all.insert(.admin)
            }
        }
    }
}
