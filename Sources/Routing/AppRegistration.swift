public import SwitchyardOAuth

/// One app as the configuration registers it. Never changes; safe from any thread.
///
/// A class, because a look-up hands it out for every callback: one reference to count instead of a dozen.
public final class AppRegistration: Sendable {
    public let id: AppID
    /// For people, on pages and in logs.
    public let name: String
    /// The name of its issuer in the configuration.
    public let issuer: String
    public let clientID: String
    public let redirectURIs: [RedirectURI]
    public let handler: HandlerKind
    public let release: ReleasePolicy
    public let responseMode: ResponseMode
    /// Whether a callback counts only from the browser that opened the request's `start_url`.
    public let requiresStart: Bool
    /// Where ``ReleasePolicy/sameDevice`` sends the browser on to: loopback, or a custom scheme of the app.
    public let returnURI: RedirectURI?
    /// nil: whoever the release policy allows.
    public let relayFrom: RelayFrom?
    /// What is asked for when a request names no scope.
    public let defaultScope: Scopes
    public let clientAuthentication: ClientAuthentication
    /// nil: anyone who reaches the API may begin.
    public let beginFrom: BeginFrom?
    /// The tenants whose ID tokens count; needed where the issuer is a template.
    public let tenants: [String]

    public init(
        id: AppID, name: String, issuer: String, clientID: String, redirectURIs: [RedirectURI],
        handler: HandlerKind = .pending, release: ReleasePolicy = .code, defaultScope: Scopes = Scopes(parsing: ""),
        clientAuthentication: ClientAuthentication = .none, beginFrom: BeginFrom? = nil, tenants: [String] = [],
        responseMode: ResponseMode = .query, requiresStart: Bool = false, returnURI: RedirectURI? = nil,
        relayFrom: RelayFrom? = nil
    ) {
        self.id = id
        self.name = name
        self.issuer = issuer
        self.clientID = clientID
        self.redirectURIs = redirectURIs
        self.handler = handler
        self.release = release
        self.defaultScope = defaultScope
        self.clientAuthentication = clientAuthentication
        self.beginFrom = beginFrom
        self.tenants = tenants
        self.responseMode = responseMode
        self.requiresStart = requiresStart
        self.returnURI = returnURI
        self.relayFrom = relayFrom
    }
}
