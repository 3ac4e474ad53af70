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

    private let nonce = Random.token(byteCount: 32)
    private let pkce = PKCE()
    /// The key to which the tokens will be bound; nil for bearer tokens.
    private let key: PrivateKey?

    init(
        _ core: ClientCore, _ request: InteractiveRequest, redirectURI: RedirectURI
    ) throws(AuthenticationError) {
        self.core = core
        self.request = request
        self.redirectURI = redirectURI
        key = try core.bindingKey()
    }

    private var state: Secret { request.state }

    /// - Parameter present: brings the person to the address.
    func run(
        present: (_ url: String) async throws(AuthenticationError) -> Void
    ) async throws(AuthenticationError) -> TokenGrant {
        // A caller that gave up has ended the state already; it must not begin after that.
        guard !Task.isCancelled else { throw .canceled }
        let waiting = core.router.begin(state, form: redirectURI.form, isSignedIn: request.isSignedIn)
        defer { core.router.end(state) }
        let issuer = core.issuer(for: request.authority)
        let metadata = try await core.metadata(of: issuer)
        let authentication = try await core.authentication()
        core.router.expect(metadata.identification(tenants: request.authority.tenants), for: state)
        // If the caller has given up, it must not see a browser open.
        guard !Task.isCancelled else { throw .canceled }
        let address = try await address(of: authorization(metadata), issuer, metadata, authentication)
        guard !Task.isCancelled else { throw .canceled }
        try await present(address)
        core.log.info("the browser has the authorization request; waiting for the callback")
        let response = try await Deadline.value(of: waiting, before: request.deadline)
        // The caller is gone, so the code is not spent.
        guard !Task.isCancelled else { throw .canceled }
        return try await redeem(response, issuer, authentication)
    }

    /// The address for the browser. A pushed request goes to the issuer first (RFC 9126).
    private func address(
        of authorization: AuthorizationRequest, _ issuer: Issuer, _ metadata: IssuerMetadata,
        _ authentication: ClientAuthentication
    ) async throws(AuthenticationError) -> String {
        guard core.settings.configuration.pushedRequests.policy.pushes(to: metadata) else { return authorization.url }
        guard metadata.endpoints(for: authentication).pushedRequest != nil else {
            throw AuthenticationError(
                .invalidConfiguration, .invalidParameter,
                "requests have to be pushed, and the issuer names no pushed_authorization_request_endpoint")
        }
        var push = PushRequest(authorization, to: issuer, authentication: authentication)
        push.binding = key.map { .key($0) }
        push.headers = [request.correlationID.header]
        do throws(SignInFailure) {
            return authorization.url(of: try await core.runtime.redeemer.push(push))
        } catch {
            throw AuthenticationError(error)
        }
    }

    private func authorization(_ metadata: IssuerMetadata) -> AuthorizationRequest {
        var authorization = AuthorizationRequest(
            authorizationEndpoint: metadata.authorizationEndpoint, clientID: core.settings.clientID,
            redirectURI: redirectURI, scope: request.sentScopes, state: state.exposedText,
            codeChallenge: pkce.challenge, nonce: nonce, prompt: request.prompt?.rawValue,
            loginHint: request.loginHint, domainHint: request.domainHint, claims: request.claims?.json,
            extra: request.extraParameters, profile: core.settings.profile)
        authorization.stepUp = request.stepUp
        authorization.keyThumbprint = key?.publicKey.thumbprintText
        return authorization
    }

    private func redeem(
        _ response: CheckedResponse, _ issuer: Issuer, _ authentication: ClientAuthentication
    ) async throws(AuthenticationError) -> TokenGrant {
        switch response.outcome {
        case .error(let error): throw AuthenticationError(SignInFailure(error))
        case .code(let code):
            let cloud = core.cloud(of: response, from: request.authority)
            var redemption = RedemptionRequest(
                .code(code, redirectURI: redirectURI.text, verifier: pkce.verifier),
                expecting: TokenExpectations(
                    issuer: cloud.map(core.issuer) ?? issuer, clientID: core.settings.clientID,
                    requestedScopes: request.sentScopes, nonce: nonce, tenants: request.authority.tenants),
                authentication: authentication, parameters: request.tokenParameters)
            redemption.expectations.stepUp = request.stepUp
            redemption.binding = key.map { .key($0) }
            var grant = try await core.redeem(redemption, granting: request.scopes, request.correlationID)
            grant.authority = cloud
            return grant
        }
    }
}

extension ClientCore {
    /// The cloud that the person belongs to, where the issuer says so and it is one of the issuer's own. Any other host
    /// is passed over: a response does not choose where a code goes.
    func cloud(of response: CheckedResponse, from authority: Authority) -> Authority? {
        guard let host = response.parameters.first(where: { $0.name == "cloud_instance_host_name" })?.value else {
            return nil
        }
        let cloud = authority.forCloudInstance(host: host)
        if cloud == nil { log.warning("the response names a cloud that is not known; it is passed over") }
        return cloud == authority ? nil : cloud
    }
}
