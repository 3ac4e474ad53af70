public import SwitchyardHTTP
public import SwitchyardReactor
internal import Synchronization

/// A small, honest OpenID provider for demos, tests and benchmarks, which misbehaves when it is asked to.
///
/// Whoever says a name is signed in as that person, so it serves loopback only. Everything is kept in memory and ends
/// with the process. Safe from any thread.
///
/// An authorization request chooses misbehaviors with the parameter `demo` (comma-separated) or with scopes `demo:…`.
/// What belongs to no single sign-in (new keys, endpoints out of reach, answers to the next token requests) is changed by
/// a POST to `/demo/control`, and `/demo/stats` tells what was asked.
public final class DemoIssuer: Service {
    private let configuration: DemoIssuerConfiguration
    private let address: Mutex<IssuerAddress>
    private let server = Mutex<Server?>(nil)
    private let keys: SigningKeys
    private let outage = Outage()
    private let statistics = Statistics()
    private let authorization: AuthorizationEndpoint
    private let token: TokenEndpoint
    private let userInfo: UserInfoEndpoint
    private let api: ProtectedAPI
    private let native: NativeEndpoint
    private let control: ControlEndpoint

    /// Makes a fresh signing key; with RSA that takes a moment.
    /// - Throws: ``DemoIssuerError``.
    public init(_ configuration: DemoIssuerConfiguration) throws(DemoIssuerError) {
        guard Loopback.contains(configuration.address) else {
            throw .notLoopback(address: configuration.address.description)
        }
        let clients = try ClientRegistry(configuration.clients)
        let grants = GrantStore()
        let consents = ConsentStore()
        let script = TokenScript()
        let sessions = NativeSessions()
        let challenges = ClaimsChallenges()
        keys = try SigningKeys(configuration.signingAlgorithm)
        let signer = JWTSigner(keys: keys)
        authorization = AuthorizationEndpoint(
            clients: clients, grants: grants, consents: consents, signer: signer, statistics: statistics,
            autoApprove: configuration.autoApprove)
        token = TokenEndpoint(
            clients: clients, grants: grants, consents: consents, mint: TokenMint(signer: signer, grants: grants),
            sessions: sessions, script: script, statistics: statistics)
        native = NativeEndpoint(sessions: sessions, script: script, statistics: statistics)
        control = ControlEndpoint(
            keys: keys, outage: outage, clients: clients, script: script, challenges: challenges, sessions: sessions)
        api = ProtectedAPI(grants: grants, challenges: challenges, statistics: statistics)
        userInfo = UserInfoEndpoint(grants: grants, statistics: statistics)
        address = Mutex(try Self.issuerAddress(configuration, configuration.address))
        self.configuration = configuration
    }

    /// The names of all misbehaviors of a sign-in, by where they show.
    public static var misbehaviors: [(place: String, names: [String])] { Misbehaviors.names }

    /// The issuer's name, as clients configure it. When it is derived from port 0, it is right after ``start(on:)`` only.
    public var issuer: String { address.withLock { $0.issuer } }

    /// Serves on the configured address until ``stop(grace:)``.
    /// - Returns: the port that was bound.
    /// - Throws: ``SystemError`` when the address cannot be used.
    public func start(on group: EventLoopGroup) throws(SystemError) -> UInt16 {
        let connections = ConnectionLimiter(ConnectionLimiter.Policy(total: 4096, perAddress: 4096), key: { _ in nil })
        let server = Server(group: group, limits: HTTPLimits(), connections: connections, service: self)
        // The name is known only once the port is, and nobody can ask before that: they do not know the port either.
        let port = try server.listen(Listener(configuration.address, context: configuration.tls, number: 0))
        if configuration.issuer == nil, case .tcp(let host, _) = configuration.address {
            address.withLock { $0 = Self.derivedAddress(configuration, .tcp(host: host, port: port)) }
        }
        self.server.withLock { $0 = server }
        return port
    }

    /// Ends what ``start(on:)`` began; requests that run may take `grace` to finish.
    public func stop(grace: Duration) async {
        let server = server.withLock { server in
            defer { server = nil }
            return server
        }
        await server?.stop(grace: grace)
    }

    public func respond(to request: Request) async -> Response {
        guard Loopback.contains(request.connection.peer) else {
            return .text(.forbidden, "The demo issuer serves loopback only.")
        }
        guard let (endpoint, address) = address.withLock({ $0 }).endpoint(at: request.pathBytes) else {
            return .text(.notFound, "There is nothing at this address.")
        }
        guard endpoint.allows(request.method) else {
            var response = Response.text(.methodNotAllowed, "This address has other methods.")
            response.add("Allow", endpoint.allowedMethods)
            return response
        }
        return outage.contains(endpoint) ? .cutOff : await respond(to: request, endpoint, address)
    }

    private func respond(to request: Request, _ endpoint: Endpoint, _ address: IssuerAddress) async -> Response {
        switch endpoint {
        case .discovery:
            statistics.count(.discoveryRequests)
            return .json(.ok, Documents.discovery(address, keys.algorithm))
        case .jwks:
            statistics.count(.jwksRequests)
            return .json(.ok, keys.jwks)
        case .authorization: return authorization.respond(to: request, at: address)
        case .consent: return authorization.decide(request, at: address)
        case .token: return await token.respond(to: request, at: address)
        case .userInfo: return userInfo.respond(to: request)
        case .initiate: return await native.respond(to: request, .initiate, at: address)
        case .challenge: return await native.respond(to: request, .challenge, at: address)
        case .introspect: return await native.respond(to: request, .introspect, at: address)
        case .api: return api.respond(to: request, at: address)
        case .statistics: return .json(.ok, statistics.json(for: request))
        case .control: return control.respond(to: request)
        case .elsewhere:
            statistics.count(.redirectsFollowed)
            return .text(.ok, "Nobody should have come here.")
        }
    }

    private static func issuerAddress(
        _ configuration: DemoIssuerConfiguration, _ address: ListenAddress
    ) throws(DemoIssuerError) -> IssuerAddress {
        guard let issuer = configuration.issuer else { return derivedAddress(configuration, address) }
        return try IssuerAddress(issuer)
    }

    private static func derivedAddress(
        _ configuration: DemoIssuerConfiguration, _ address: ListenAddress
    ) -> IssuerAddress {
        IssuerAddress(scheme: configuration.tls == nil ? "http" : "https", authority: address.description)
    }
}
