public import SwitchyardCrypto
public import SwitchyardOAuth
internal import SwitchyardText

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
    /// Whether its callbacks may come from any issuer: only the app knows which one, and judges it (`issuer: any`).
    public var takesAnyIssuer: Bool { issuer == Self.anyIssuer }
    public let redirectURIs: [RedirectURI]
    public let handlers: HandlerList
    public let release: ReleasePolicy
    public let responseMode: ResponseMode
    /// Whether a callback counts only from the browser that opened the request's `start_url`.
    public let requiresStart: Bool
    /// The address to which ``ReleasePolicy/sameDevice`` sends the browser on: loopback, or a custom scheme of the app.
    public let returnURI: RedirectURI?
    /// The callers that may relay callbacks; nil for all that the release policy allows.
    public let relayFrom: RelayFrom?
    /// The default scope of a request.
    public let defaultScope: Scopes
    public let clientAuthentication: ClientAuthentication
    /// Whether its authorization requests are pushed to the issuer first.
    public let push: PushPolicy
    /// The callers that may begin; nil for all that reach the API.
    public let beginFrom: BeginFrom?
    /// Which programs of a user may have its tokens from the user's agent; nil: any of that user's.
    public let useFrom: UseFrom?
    /// The accepted tenants of ID tokens; required if the issuer is a template.
    public let tenants: [String]
    /// The gateway that brings its https callbacks, for an app of an agent; nil without one.
    public let gateway: RemoteGateway?
    public let tokenHandling: TokenHandling
    /// Its private keys.
    public let keys: ClientKeys
    /// Whether its authorization requests are signed (RFC 9101), by the first of its keys.
    public let signsRequests: Bool
    /// Its own logo and help on pages; nil for the operator's.
    public let branding: AppBranding?
    /// For resources, which are no app: the entry that allows them; nil for an app.
    public let resource: ResourceEntry?
    /// For one sign-in to a resource: its authorization server and its client, which ``issuer`` and ``clientID`` then are.
    public let grant: ResourceGrant?
    /// The address to which every browser is sent on at once, ready for the answer; nil for an app of another kind.
    public let redirectTarget: RedirectTarget?

    /// The name in the place of an issuer's, which no issuer has.
    public static let anyIssuer = "any"

    public init(
        id: AppID, name: String, issuer: String, clientID: String, redirectURIs: [RedirectURI],
        handlers: HandlerList = [.pending], release: ReleasePolicy = .code, defaultScope: Scopes = Scopes(parsing: ""),
        clientAuthentication: ClientAuthentication = .none, beginFrom: BeginFrom? = nil, tenants: [String] = [],
        responseMode: ResponseMode = .query, requiresStart: Bool = false, returnURI: RedirectURI? = nil,
        relayFrom: RelayFrom? = nil, useFrom: UseFrom? = nil, gateway: RemoteGateway? = nil, push: PushPolicy = .auto,
        tokenHandling: TokenHandling = .standard, keys: ClientKeys = .none, signsRequests: Bool = false,
        branding: AppBranding? = nil, resource: ResourceEntry? = nil, grant: ResourceGrant? = nil
    ) {
        self.id = id
        self.name = name
        self.issuer = issuer
        self.clientID = clientID
        self.redirectURIs = redirectURIs
        self.handlers = handlers
        self.release = release
        self.defaultScope = defaultScope
        self.clientAuthentication = clientAuthentication
        self.push = push
        self.beginFrom = beginFrom
        self.tenants = tenants
        self.responseMode = responseMode
        self.requiresStart = requiresStart
        self.returnURI = returnURI
        self.relayFrom = relayFrom
        self.useFrom = useFrom
        self.gateway = gateway
        self.tokenHandling = tokenHandling
        self.keys = keys
        self.signsRequests = signsRequests
        self.branding = branding
        self.resource = resource
        self.grant = grant
        redirectTarget = handlers.deliveries.isEmpty ? handlers.target.map { RedirectTarget($0) } : nil
    }
}

/// A gateway that carries callbacks to an agent: it stands at the https redirect URIs of the agent's apps.
public struct RemoteGateway: Hashable, Sendable {
    /// The address of its API for apps: https, or http on loopback.
    public let url: String
    /// The path of an extra trust anchor in PEM, beside the system's.
    public let trustAnchor: String?
    /// The API key for its `begin_from`; nil if it requires no key.
    public let apiKey: Secret?
    /// The certificate for the gateway; nil if it requires no certificate.
    public let identity: CertificateFiles?

    public init(
        url: String, trustAnchor: String? = nil, apiKey: Secret? = nil, identity: CertificateFiles? = nil
    ) {
        self.url = url
        self.trustAnchor = trustAnchor
        self.apiKey = apiKey
        self.identity = identity
    }
}

extension AppRegistration {
    /// The same resources for one sign-in. Its issuer and client are those of the grant.
    public func signingIn(with grant: ResourceGrant) -> AppRegistration {
        let url = try? ResourceURL(grant.resource, allowingLoopbackHTTP: true)
        return AppRegistration(
            id: id, name: grant.host ?? name, issuer: grant.metadata.issuer, clientID: grant.clientID,
            redirectURIs: url.flatMap { redirectURI(of: $0) }.map { [$0] } ?? redirectURIs,
            release: release, clientAuthentication: authentication(of: grant), beginFrom: beginFrom, useFrom: useFrom,
            tokenHandling: tokenHandling, resource: resource, grant: grant)
    }

    /// The key of a client stands at its entry. An entry that has another client by now has none for the grant.
    private func authentication(of grant: ResourceGrant) -> ClientAuthentication {
        guard grant.keyMethod != nil, !grant.authentication.hasKey else { return grant.authentication }
        guard let client = resource?.client, client.id.isExactly(grant.clientID),
            client.issuer.isExactly(grant.metadata.issuer)
        else { return .none }
        return client.authentication
    }

    /// Whether the tokens of this request are bound to a key. With `auto`, the client document or the resource demands it.
    /// - Parameter document: whether the client document that is the client ID has `dpop_bound_access_tokens`.
    public func bindsTokens(asDocument document: Bool) -> Bool {
        switch tokenHandling.binding {
        case .off: false
        case .auto: document || grant?.bindsTokens == true
        case .required: true
        }
    }

    /// The gateway at which callbacks to one of the redirect URIs come; nil where they come here.
    public func gateway(at uri: RedirectURI) -> RemoteGateway? {
        if case .https = uri.form { gateway } else { nil }
    }
}
