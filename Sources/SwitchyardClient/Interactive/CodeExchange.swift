internal import SwitchyardCrypto
internal import SwitchyardJOSE
internal import SwitchyardOAuth
internal import SwitchyardRedemption

/// A sign-in whose code this process redeems: the issuer, the secrets that the authorization request commits to, and the
/// exchange itself. On the network loop.
struct CodeExchange {
    let core: ClientCore
    let request: InteractiveRequest
    let issuer: Issuer
    let metadata: IssuerMetadata
    let authentication: ClientAuthentication
    let nonce = Random.token(byteCount: 32)
    let pkce = PKCE()
    /// The key to which the tokens will be bound; nil for bearer tokens.
    let key: PrivateKey?

    init(_ core: ClientCore, _ request: InteractiveRequest) async throws(AuthenticationError) {
        self.core = core
        self.request = request
        issuer = core.issuer(for: request.authority)
        metadata = try await core.metadata(of: issuer)
        authentication = try await core.authentication()
        key = try core.bindingKey()
    }

    /// Redeems the code of an authorization response.
    /// - Parameters:
    ///   - redirectURI: the one that was in the authorization request.
    ///   - arrival: when the callback came, at the earliest and the latest; nil for now.
    func grant(
        for response: CheckedResponse, redirectURI: RedirectURI, arrival: ClosedRange<Int64>? = nil
    ) async throws(AuthenticationError) -> TokenGrant {
        switch response.outcome {
        case .error(let error): throw AuthenticationError(SignInFailure(error))
        case .code(let code):
            let cloud = cloud(of: response)
            var redemption = RedemptionRequest(
                .code(code, redirectURI: redirectURI.text, verifier: pkce.verifier),
                expecting: TokenExpectations(
                    issuer: cloud.map(core.issuer) ?? issuer, clientID: core.settings.clientID,
                    requestedScopes: request.sentScopes, nonce: nonce, tenants: request.authority.tenants),
                authentication: authentication, parameters: request.tokenParameters)
            redemption.expectations.stepUp = request.stepUp
            redemption.expectations.arrival = arrival
            redemption.binding = key.map { .key($0) }
            var grant = try await core.redeem(redemption, granting: request.scopes, request.correlationID)
            grant.authority = cloud
            return grant
        }
    }

    /// The cloud that the person belongs to, where the issuer says so and it is one of the issuer's own. Any other host
    /// is passed over: a response does not choose where a code goes.
    private func cloud(of response: CheckedResponse) -> Authority? {
        guard let host = response.parameters.first(where: { $0.name == "cloud_instance_host_name" })?.value else {
            return nil
        }
        let cloud = request.authority.forCloudInstance(host: host)
        if cloud == nil { core.log.warning("the response names a cloud that is not known; it is passed over") }
        return cloud == request.authority ? nil : cloud
    }
}
