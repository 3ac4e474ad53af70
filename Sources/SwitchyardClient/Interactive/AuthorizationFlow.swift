internal import SwitchyardCrypto
internal import SwitchyardJOSE
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRedemption

/// A sign-in in which this process redeems the code: the authorization request, the wait, and the exchange. On the
/// network loop.
struct AuthorizationFlow {
    let core: ClientCore
    let request: InteractiveRequest
    /// The redirect URI, with the port where this process listens on one.
    let redirectURI: RedirectURI

    private var state: Secret { request.state }

    /// - Parameter present: brings the person to the address.
    func run(
        present: (_ url: String) async throws(AuthenticationError) -> Void
    ) async throws(AuthenticationError) -> TokenGrant {
        // A caller that gave up has ended the state already; it must not begin after that.
        guard !Task.isCancelled else { throw .canceled }
        let waiting = core.router.begin(state, form: redirectURI.form, isSignedIn: request.isSignedIn)
        defer { core.router.end(state) }
        let exchange = try await CodeExchange(core, request)
        core.router.expect(exchange.metadata.identification(tenants: request.authority.tenants), for: state)
        // If the caller has given up, it must not see a browser open.
        guard !Task.isCancelled else { throw .canceled }
        let address = try await address(exchange)
        guard !Task.isCancelled else { throw .canceled }
        try await present(address)
        core.log.info("the browser has the authorization request; waiting for the callback")
        let response = try await Deadline.value(of: waiting, before: request.deadline)
        // The caller is gone, so the code is not spent.
        guard !Task.isCancelled else { throw .canceled }
        return try await exchange.grant(for: response, redirectURI: redirectURI)
    }

    /// The address for the browser. A pushed request goes to the issuer first (RFC 9126).
    private func address(_ exchange: CodeExchange) async throws(AuthenticationError) -> String {
        let (metadata, authentication) = (exchange.metadata, exchange.authentication)
        let authorization = authorization(exchange)
        guard core.settings.configuration.pushedRequests.policy.pushes(to: metadata) else { return authorization.url }
        guard metadata.endpoints(for: authentication).pushedRequest != nil else {
            throw AuthenticationError(
                .invalidConfiguration, .invalidParameter,
                "requests have to be pushed, and the issuer names no pushed_authorization_request_endpoint")
        }
        var push = PushRequest(authorization, to: exchange.issuer, authentication: authentication)
        push.binding = exchange.key.map { .key($0) }
        push.headers = [request.correlationID.header]
        do throws(SignInFailure) {
            return authorization.url(of: try await core.runtime.redeemer.push(push))
        } catch {
            throw AuthenticationError(error)
        }
    }

    private func authorization(_ exchange: CodeExchange) -> AuthorizationRequest {
        var authorization = AuthorizationRequest(
            authorizationEndpoint: exchange.metadata.authorizationEndpoint, clientID: core.settings.clientID,
            redirectURI: redirectURI, scope: request.sentScopes, state: state.exposedText,
            codeChallenge: exchange.pkce.challenge, nonce: exchange.nonce, prompt: request.prompt?.rawValue,
            loginHint: request.loginHint, domainHint: request.domainHint, claims: request.claims?.json,
            extra: request.extraParameters, profile: core.settings.profile)
        authorization.stepUp = request.stepUp
        authorization.keyThumbprint = exchange.key?.publicKey.thumbprintText
        return authorization
    }
}
