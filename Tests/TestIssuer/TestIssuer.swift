internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardReactor

/// The demo issuer with the means for tests: it makes the mistakes that a test asks for, counts its requests, and
/// changes while it runs.
///
/// It is put together from the parts of the honest ``DemoIssuer``: requests go to those, and their answers are changed.
/// An authorization request chooses misbehaviors with the parameter `demo` (comma-separated) or with scopes `demo:…`.
/// What belongs to no single sign-in (new keys, endpoints out of reach, answers to the next token requests) is changed
/// by a POST to `/demo/control`, and `/demo/stats` tells what was asked.
final class TestIssuer: Service {
    private let issuer: DemoIssuer
    private let statistics = Statistics()
    private let outage = Outage()
    private let script = TokenScript()
    private let authorization: MisbehavingAuthorization
    private let tokens: MisbehavingTokens
    private let control: ControlEndpoint
    private let native: NativeEndpoint

    /// - Throws: ``DemoIssuerError``.
    init(_ configuration: DemoIssuerConfiguration) throws(DemoIssuerError) {
        var configuration = configuration
        // They grant no right, and the honest issuer need not know their meaning.
        configuration.ownScopePrefix = Misbehaviors.scopePrefix
        configuration.shapes = [{ PolicyShape(of: $0) }, { ADFSShape(of: $0) }]
        let issuer = try DemoIssuer(configuration)
        let keys = TestKeys(issuer.keys)
        let wishes = SignInWishes()
        let sessions = NativeSessions()
        self.issuer = issuer
        native = NativeEndpoint(sessions: sessions)
        authorization = MisbehavingAuthorization(issuer: issuer, keys: keys, wishes: wishes, statistics: statistics)
        tokens = MisbehavingTokens(
            issuer: issuer, keys: keys, wishes: wishes, script: script,
            native: NativeGrants(issuer: issuer, sessions: sessions), statistics: statistics,
            elsewhere: { issuer.issuer + Path.elsewhere.rawValue })
        control = ControlEndpoint(issuer: issuer, keys: keys, outage: outage, sessions: sessions, script: script)
    }

    /// - Returns: the issuer's name.
    func start(on group: EventLoopGroup) throws(SystemError) -> String {
        _ = try issuer.start(on: group, answering: self)
        return issuer.issuer
    }

    /// The endpoints for tests.
    private enum Path: String {
        case statistics = "/demo/stats"
        /// Changes keys and makes endpoints unreachable.
        case control = "/demo/control"
        /// The target of the token endpoint's redirect, if it must redirect.
        case elsewhere = "/demo/elsewhere"
    }

    func respond(to request: Request) async -> Response {
        switch Path(rawValue: request.pathText) {
        case .statistics: return .json(.ok, statistics.json(for: request))
        case .control: return control.respond(to: request)
        case .elsewhere:
            statistics.count(.redirectsFollowed)
            return .text(.ok, "Nobody should have come here.")
        case nil: break
        }
        if let address = NativeEndpoint.Address(request.pathText) { return await respond(to: request, at: address) }
        guard let (endpoint, address) = issuer.endpoint(of: request), endpoint.allows(request.method) else {
            return await issuer.respond(to: request)
        }
        if outage.contains(Outage.Part(endpoint)) { return .cutOff }
        switch endpoint {
        case .authorization:
            statistics.count(.authorizationRequests)
            return authorization.respond(to: request, at: address, isDecision: false)
        case .consent: return authorization.respond(to: request, at: address, isDecision: true)
        case .token: return await tokens.respond(to: request, at: address)
        case .revocation: return await scripted(.revocation, request) { await self.issuer.respond(to: request) }
        case .discovery: statistics.count(.discoveryRequests)
        case .jwks: statistics.count(.jwksRequests)
        case .userInfo: statistics.count(.userInfoRequests)
        case .api: statistics.count(.apiRequests)
        }
        return await issuer.respond(to: request)
    }

    private func respond(to request: Request, at address: NativeEndpoint.Address) async -> Response {
        if request.method == .post, outage.contains(.native) { return .cutOff }
        guard request.method == .post else { return native.respond(to: request, at: address) }
        return await scripted(address.kind, request) { self.native.respond(to: request, at: address) }
    }

    /// Native authentication, and revocation: only a script changes these endpoints' responses.
    private func scripted(
        _ kind: RequestKind, _ request: Request, _ course: () async -> Response
    ) async -> Response {
        do throws(TokenError) {
            guard let clientID = try TokenRequest.parameters(of: request)["client_id"] else { throw .noClient }
            statistics.count(kind, of: clientID)
            return try await script.answer(clientID, kind, request) { _ async throws(TokenError) in
                await course()
            }
        } catch {
            return error.response
        }
    }
}
