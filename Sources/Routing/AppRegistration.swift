public import OAuth

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
        clientAuthentication: ClientAuthentication = .none, beginFrom: BeginFrom? = nil, tenants: [String] = []
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
    }
}
