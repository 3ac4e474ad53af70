public import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardJOSE
public import SwitchyardJSON
public import SwitchyardOAuth
public import SwitchyardReactor
public import SwitchyardText

/// Exchanges codes for tokens on one event loop, over that loop's connections.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only; what is shared between loops is ``Issuer``.
public final class Redeemer: @unchecked Sendable {
    let loop: EventLoop
    let client: HTTPClient
    let time: TimeSource
    /// Gets a report of each request to an issuer, on the loop's thread.
    let report: @Sendable (IssuerExchange) -> Void

    /// The pause before the one second try.
    let retryDelay: Duration

    public init(
        loop: EventLoop, time: TimeSource = .system, retryDelay: Duration = .milliseconds(500),
        report: @escaping @Sendable (IssuerExchange) -> Void = { _ in }
    ) {
        self.loop = loop
        self.time = time
        self.retryDelay = retryDelay
        self.report = report
        client = HTTPClient(loop: loop)
    }

    /// Redeems a code (or another grant), at most once, and verifies the ID token. Only from a task of the redeemer's
    /// loop.
    ///
    /// A code is sent a second time only if no byte of it was sent the first time, or the issuer answered with a 5xx.
    /// - Throws: ``SignInFailure`` with one of the codes `network`, `server_error`, `throttled`, `invalid_response`,
    ///   `invalid_id_token` or `internal`, or the code that the issuer's OAuth error maps to.
    public func redeem(_ request: RedemptionRequest) async throws(SignInFailure) -> RedeemedTokens {
        let expectations = request.expectations
        let metadata: IssuerMetadata
        do throws(IssuerUnavailableError) {
            metadata = try await self.metadata(for: expectations.issuer)
            if request.needsKeys(metadata) {
                // Before the code is spent, because the ID token could not be verified without keys.
                _ = try await keys(of: expectations.issuer, metadata)
            }
        } catch {
            throw SignInFailure(error)
        }
        let profile = expectations.issuer.settings.profile
        let refreshOrigin = profile.refreshOrigin(metadata)
        if let origin = request.origin, origin != refreshOrigin {
            throw SignInFailure(
                .invalidResponse, description: "the token is of another token endpoint than the issuer's of now")
        }
        let userInfoEndpoint = try Self.userInfoEndpoint(for: request, metadata)
        let own = request.grant.isRefresh ? profile.deviations.refreshEndpoint : nil
        let endpoint = own ?? metadata.endpoints(for: request.authentication).token
        let proving = Proving(request.binding, at: endpoint, of: expectations.issuer)
        let response: TokenResponse
        do throws(SignInFailure) {
            response = try await send(
                to: expectations.issuer, for: .token,
                proving: proving,
                making: { () throws(SignInFailure) in
                    let credentials = try self.credentials(
                        request.authentication, of: expectations.clientID, at: expectations.issuer, metadata)
                    return TokenEndpoint.outgoing(request, to: endpoint, credentials)
                },
                reading: { answer throws(SignInFailure) in
                    try answer.tokens(
                        profile.deviations, isRefresh: request.grant.isRefresh, isBound: request.binding != nil)
                })
        } catch {
            throw error.naming(expectations.issuer, expectations.clientID, request.authentication)
        }
        let claims = try await verifiedClaims(
            of: response, expectations, code: request.code, secret: request.authentication.secret, metadata)
        var userInfo: JSONObject?
        if let userInfoEndpoint {
            userInfo = try await self.userInfo(
                at: userInfoEndpoint, by: response.accessToken, about: claims, request, metadata)
        }
        let requested = expectations.requestedScopes
        let granted = response.scope?.granted(for: requested) ?? requested
        return RedeemedTokens(
            response: response, idTokenClaims: claims, userInfo: userInfo, grantedScopes: granted,
            declinedScopes: requested.declined(grantedBy: granted), origin: refreshOrigin,
            bindingKey: request.binding?.key?.exported, proofNonce: proving.flatMap { $0.nonces[$0.server] })
    }

    /// Verifies tokens that another program obtained: the ID token, as ``redeem(_:)`` does. Only from a task of the
    /// redeemer's loop.
    /// - Parameter secret: the client's, which may have signed the ID token.
    public func verify(
        _ response: TokenResponse, against expectations: TokenExpectations, secret: Secret? = nil
    ) async throws(SignInFailure) -> VerifiedTokens {
        let metadata: IssuerMetadata
        do throws(IssuerUnavailableError) {
            metadata = try await self.metadata(for: expectations.issuer)
        } catch {
            throw SignInFailure(error)
        }
        return VerifiedTokens(
            idTokenClaims: try await verifiedClaims(of: response, expectations, code: nil, secret: secret, metadata),
            origin: expectations.issuer.settings.profile.refreshOrigin(metadata))
    }

    /// Takes a token out of use (RFC 7009). Only from a task of the redeemer's loop.
    /// - Parameter endpoint: of the issuer's metadata.
    /// - Throws: ``SignInFailure``, as ``redeem(_:)``. A token that the issuer does not know is revoked.
    public func revoke(_ request: RevocationRequest, at endpoint: EndpointURL) async throws(SignInFailure) {
        let metadata: IssuerMetadata
        do throws(IssuerUnavailableError) {
            metadata = try await self.metadata(for: request.issuer)
        } catch {
            throw SignInFailure(error)
        }
        let endpoint = metadata.endpoints(for: request.authentication).revocation ?? endpoint
        try await send(
            to: request.issuer, for: .revocation,
            proving: Proving(request.binding, at: endpoint, of: request.issuer),
            making: { () throws(SignInFailure) in
                let credentials = try self.credentials(
                    request.authentication, of: request.clientID, at: request.issuer, metadata)
                return TokenEndpoint.outgoing(request, to: endpoint, credentials)
            },
            reading: { answer throws(SignInFailure) in try answer.revocation() })
    }

    /// The credentials of one request of a client, as of now.
    func credentials(
        _ authentication: ClientAuthentication, of clientID: String, at issuer: Issuer, _ metadata: IssuerMetadata
    ) throws(SignInFailure) -> ClientCredentials {
        let audience = ClientAudience(metadata, issuer.settings.profile.deviations, now: time.wall().seconds)
        return try authentication.credentials(of: clientID, for: audience)
    }

    /// Posts a form to an endpoint of an issuer that answers with a JSON object. Only from a task of the
    /// redeemer's loop.
    /// - Throws: ``SignInFailure``, as ``redeem(_:)``.
    public func post(
        _ fields: [FormField], to endpoint: EndpointURL, of issuer: Issuer
    ) async throws(SignInFailure) -> JSONObject {
        let request = TokenEndpoint.form(fields.map { ($0.name, $0.value) }, to: endpoint, issuer.settings)
        return try await send(
            to: issuer, for: .signInStep, making: { request },
            reading: { answer throws(SignInFailure) in try answer.object() })
    }
}

/// The tokens for a code or a refresh token. The ID token, if there is one, has been verified.
public struct RedeemedTokens: Sendable {
    public let response: TokenResponse
    /// nil without an ID token.
    public let idTokenClaims: JSONObject?
    /// The claims of the userinfo endpoint about the same person; nil where they were not wanted.
    public let userInfo: JSONObject?
    /// The account of the tokens, for an issuer without ID tokens; nil until the issuer is asked.
    public var identity: AccountIdentity?
    /// The scopes that the issuer granted; by default the requested ones (RFC 6749 section 5.1).
    public let grantedScopes: Scopes
    /// The requested scopes that were not granted.
    public let declinedScopes: Scopes
    /// The origin of the issuer's endpoint for refresh tokens. A refresh token goes to no other (``EndpointURL/origin``).
    public let origin: String
    /// The private key that the tokens are bound to, as a JWK; nil for bearer tokens, and where the app has it.
    public let bindingKey: Secret?
    /// The nonce that the server wants in the next proof of possession; nil without one.
    public let proofNonce: ProofNonce?
}

/// Tokens that another program obtained, as far as their issuer vouches for them.
public struct VerifiedTokens: Sendable {
    /// nil without an ID token.
    public let idTokenClaims: JSONObject?
    /// The origin of the issuer's endpoint for refresh tokens. A refresh token goes to no other (``EndpointURL/origin``).
    public let origin: String
}

/// The two clocks that redemption looks at. Replaced only by tests.
public struct TimeSource: Sendable {
    /// For caches and limits.
    let now: @Sendable () -> Instant
    /// For the times in tokens and headers.
    let wall: @Sendable () -> WallTime

    public init(now: @escaping @Sendable () -> Instant, wall: @escaping @Sendable () -> WallTime) {
        self.now = now
        self.wall = wall
    }

    public static let system = TimeSource(now: Instant.now, wall: WallTime.now)
}

extension SignInFailure {
    /// Names the issuer and the client, if the issuer refused the client without a description.
    func naming(_ issuer: Issuer, _ clientID: String, _ authentication: ClientAuthentication) -> SignInFailure {
        guard code == .invalidClient, description == nil else { return self }
        var failure = self
        failure.description = """
            the issuer "\(issuer.settings.name)" does not accept the client "\(clientID)" with the authentication \
            "\(authentication.name)"
            """
        return failure
    }

    /// The sign-in failure for an issuer that is out of reach.
    init(_ error: IssuerUnavailableError) {
        let code: Code =
            switch error.cause {
            case .status(429): .throttled
            case .status(500...): .serverError
            case .status, .unreachable, .wrong: .network
            }
        self.init(code, description: IssuerText(error.description), retryAfter: error.retryAfter)
        isOffline = error.isOffline
        obstacle = error.obstacle
    }
}
