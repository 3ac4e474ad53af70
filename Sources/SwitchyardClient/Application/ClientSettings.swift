internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardOAuth

/// A configuration that has been found to make sense.
struct ClientSettings: Sendable {
    let clientID: String
    let bundleID: String
    let authority: Authority
    /// The configured one, or the default; nil if the gateway chooses among its registered ones.
    let redirectURI: RedirectURI?
    let gateway: GatewayAddress?
    let callbackWay: CallbackWay
    /// The deviations of the issuer, and what else its requests need.
    let profile: IssuerProfile
    /// How calls leave this machine.
    let route: OutgoingRoute
    let configuration: PublicClientApplicationConfiguration

    /// - Throws: `invalidConfiguration` with the mistake and its correction.
    init(_ configuration: PublicClientApplicationConfiguration) throws(AuthenticationError) {
        self.configuration = configuration
        clientID = try Self.required(configuration.clientID, "clientID")
        bundleID = try Self.required(configuration.bundleID, "bundleID")
        authority = configuration.authority
        let route = try configuration.proxy.route()
        self.route = route
        gateway = try configuration.gateway.map { (gateway) throws(AuthenticationError) in
            try GatewayAddress(gateway, trustAnchor: configuration.trustAnchor, route)
        }
        redirectURI = try Self.redirectURI(configuration, hasGateway: gateway != nil)
        callbackWay = configuration.callbackWay
        if let given = configuration.profile { profile = given } else { profile = try IssuerProfile(configuration) }
        guard configuration.tokenExpirationBuffer >= .zero else {
            throw AuthenticationError(
                .invalidConfiguration, .invalidParameter, "tokenExpirationBuffer is less than zero")
        }
        guard (Duration.seconds(1) ... .seconds(120)).contains(configuration.issuerTimeout) else {
            throw AuthenticationError(
                .invalidConfiguration, .invalidParameter, "issuerTimeout is not from 1 to 120 seconds")
        }
        _ = try way(callbackWay)
    }

    private static func required(_ value: String, _ name: String) throws(AuthenticationError) -> String {
        guard value.contains(where: { !$0.isWhitespace }) else {
            throw AuthenticationError(.invalidConfiguration, .invalidParameter, "\(name) is required and is blank")
        }
        return value
    }

    private static func redirectURI(
        _ configuration: PublicClientApplicationConfiguration, hasGateway: Bool
    ) throws(AuthenticationError) -> RedirectURI? {
        guard let text = configuration.redirectURI else {
            if hasGateway { return nil }
            return try RedirectURIRules.checked(
                RedirectURI.defaultURI(bundleID: configuration.bundleID), bundleID: configuration.bundleID)
        }
        return try RedirectURIRules.checked(text, bundleID: configuration.bundleID)
    }

    /// Asked for in every sign-in, so an app does not name them; `email` is the app's own choice.
    var automaticScopes: Scopes { profile.deviations.automaticScopes }

    /// The way that `.automatic` means, or the requested one, if it can work.
    func way(_ wanted: CallbackWay) throws(AuthenticationError) -> CallbackWay {
        switch (wanted.name, redirectURI?.form) {
        case (.automatic, _) where gateway != nil: return .gateway
        case (.automatic, .loopback), (.loopback, .loopback): return .loopback
        case (.automatic, .customScheme), (.forwarded, _?): return .forwarded
        case (.gateway, _) where gateway != nil: return .gateway
        case (.gateway, _):
            throw AuthenticationError(
                .invalidConfiguration, .invalidParameter, "callbackWay is gateway, and no gateway is configured")
        case (.loopback, _):
            throw AuthenticationError(
                .invalidConfiguration, .invalidRedirectURI,
                "callbackWay is loopback, which takes a redirect URI such as http://127.0.0.1 or http://localhost")
        case (.automatic, _):
            throw AuthenticationError(
                .invalidConfiguration, .invalidRedirectURI,
                "an https redirect URI needs the gateway that serves it; configure one, or set callbackWay to "
                    + "forwarded if the app itself gets these callbacks")
        case (.forwarded, _):
            throw AuthenticationError(
                .invalidConfiguration, .invalidRedirectURI, "callbackWay is forwarded, which takes a redirectURI")
        }
    }

    /// The claims of a request with the capabilities of the app.
    func claims(_ requested: ClaimsRequest?) -> ClaimsRequest? {
        let all = (requested ?? ClaimsRequest()).adding(clientCapabilities: configuration.clientCapabilities)
        return all.isEmpty ? nil : all
    }
}

/// A gateway of the configuration, and the settings that it is told.
struct GatewayAddress: Sendable {
    let connection: GatewayConnection
    let configuration: GatewayConfiguration

    init(_ configuration: GatewayConfiguration, trustAnchor: String?, _ route: OutgoingRoute)
        throws(AuthenticationError)
    {
        self.configuration = configuration
        do throws(GatewayCallError) {
            connection = try GatewayConnection(configuration.address, trustAnchor: trustAnchor, route: route)
        } catch {
            throw AuthenticationError(.invalidConfiguration, .invalidParameter, error.description)
        }
    }
}
