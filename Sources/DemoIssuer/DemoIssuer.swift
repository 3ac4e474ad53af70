public import SwitchyardHTTP
public import SwitchyardReactor
internal import Synchronization

/// A small, honest OpenID provider for the demo, the tests and the benchmarks.
///
/// It believes each name that is typed in, so it serves loopback only. It keeps its state in memory until the process
/// ends. Safe from any thread.
///
/// It makes no mistakes itself. The test issuer puts these endpoints together in another way to do so.
public final class DemoIssuer: Service {
    private let configuration: DemoIssuerConfiguration
    private let address: Mutex<IssuerAddress>
    private let server = Mutex<Server?>(nil)
    package let keys: SigningKeys
    package let clients: ClientRegistry
    package let authorization: AuthorizationEndpoint
    package let token: TokenEndpoint
    package let challenges = ClaimsChallenges()
    package let scopeRules: ScopeRules
    package let consents = ConsentStore()
    private let revocation: RevocationEndpoint
    private let userInfo: UserInfoEndpoint
    private let api: ProtectedAPI

    /// Makes a fresh signing key; with RSA that takes a moment.
    /// - Throws: ``DemoIssuerError``.
    public init(_ configuration: DemoIssuerConfiguration) throws(DemoIssuerError) {
        guard Loopback.contains(configuration.address) else {
            throw .notLoopback(address: configuration.address.description)
        }
        let grants = GrantStore()
        clients = try ClientRegistry(configuration.clients)
        keys = try SigningKeys(configuration.signingAlgorithm)
        scopeRules = ScopeRules(ownPrefix: configuration.ownScopePrefix)
        authorization = AuthorizationEndpoint(
            clients: clients, grants: grants, consents: consents, keys: keys, scopeRules: scopeRules,
            autoApprove: configuration.autoApprove)
        token = TokenEndpoint(
            clients: clients, grants: grants, consents: consents, scopeRules: scopeRules,
            mint: TokenMint(keys: keys, grants: grants))
        revocation = RevocationEndpoint(clients: clients, grants: grants)
        api = ProtectedAPI(grants: grants, challenges: challenges, scopeRules: scopeRules)
        userInfo = UserInfoEndpoint(grants: grants)
        address = Mutex(try Self.issuerAddress(configuration, configuration.address))
        self.configuration = configuration
    }

    /// The issuer's name, as clients configure it. When it is derived from port 0, it is right after
    /// ``start(on:)`` only.
    public var issuer: String { address.withLock { $0.issuer } }

    /// Serves on the configured address until ``stop(grace:)``.
    /// - Returns: the port that was bound.
    /// - Throws: ``SystemError`` when the address cannot be used.
    public func start(on group: EventLoopGroup) throws(SystemError) -> UInt16 {
        try start(on: group, answering: self)
    }

    /// Starts with another service at the issuer's address.
    package func start(on group: EventLoopGroup, answering service: any Service) throws(SystemError) -> UInt16 {
        let connections = ConnectionLimiter(ConnectionLimiter.Policy(total: 4096, perAddress: 4096), keys: { _ in nil })
        let server = Server(group: group, limits: HTTPLimits(), connections: connections, service: service)
        // The name contains the port, which is known only now. No request can come earlier, since clients need the port
        // too.
        let port = try server.listen(Listener(configuration.address, context: configuration.tls, number: 0))
        if configuration.issuer == nil, case .tcp(let host, _) = configuration.address {
            address.withLock { $0 = Self.derivedAddress(configuration, .tcp(host: host, port: port)) }
        }
        self.server.withLock { $0 = server }
        return port
    }

    /// Stops the server of ``start(on:)``; requests that run may take `grace` to finish.
    public func stop(grace: Duration) async {
        let server = server.withLock { server in
            defer { server = nil }
            return server
        }
        await server?.stop(grace: grace)
    }

    /// Serves programs of this machine only.
    public func respond(to request: Request) async -> Response {
        guard Loopback.contains(request.connection.peer) else {
            return .text(.forbidden, "The demo issuer serves loopback only.")
        }
        guard let (endpoint, address) = endpoint(of: request) else {
            return .text(.notFound, "There is nothing at this address.")
        }
        guard endpoint.allows(request.method) else {
            var response = Response.text(.methodNotAllowed, "This address has other methods.")
            response.add("Allow", endpoint.allowedMethods)
            return response
        }
        switch endpoint {
        case .discovery: return .json(.ok, Documents.discovery(address, keys.algorithm))
        case .jwks: return .json(.ok, keys.jwks)
        case .authorization: return authorization.respond(to: request, at: address, isDecision: false)
        case .consent: return authorization.respond(to: request, at: address, isDecision: true)
        case .token: return token.respond(to: request, at: address)
        case .revocation: return revocation.respond(to: request)
        case .userInfo: return userInfo.respond(to: request)
        case .api: return api.respond(to: request, at: address)
        }
    }

    /// Which endpoint a request names, and the issuer's address in the shape in which it does; nil for a foreign path.
    package func endpoint(of request: Request) -> (Endpoint, IssuerAddress)? {
        address.withLock { $0 }.endpoint(at: request.pathBytes)
    }

    private static func issuerAddress(
        _ configuration: DemoIssuerConfiguration, _ address: ListenAddress
    ) throws(DemoIssuerError) -> IssuerAddress {
        guard let issuer = configuration.issuer else { return derivedAddress(configuration, address) }
        return try IssuerAddress(issuer, configuration.shapes)
    }

    private static func derivedAddress(
        _ configuration: DemoIssuerConfiguration, _ address: ListenAddress
    ) -> IssuerAddress {
        IssuerAddress(
            scheme: configuration.tls == nil ? "http" : "https", authority: address.description, configuration.shapes)
    }
}
