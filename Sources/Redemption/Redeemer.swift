internal import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardJOSE
public import SwitchyardJSON
public import SwitchyardOAuth
public import SwitchyardReactor

/// Exchanges codes for tokens on one event loop, over that loop's connections.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only; what is shared between loops is ``Issuer``.
public final class Redeemer: @unchecked Sendable {
    let loop: EventLoop
    let client: HTTPClient
    let time: TimeSource
    /// For each issuer, with the version of its keys; they must not leave this thread.
    var verifiers: [String: (issuer: Issuer, version: Int, verifier: SignatureVerifier)] = [:]

    /// The pause before the one second try.
    private let retryDelay: Duration

    public init(loop: EventLoop, time: TimeSource = .system, retryDelay: Duration = .milliseconds(500)) {
        self.loop = loop
        self.time = time
        self.retryDelay = retryDelay
        client = HTTPClient(loop: loop)
    }

    /// Redeems a code (or another grant), at most once, and verifies the ID token. Only from a task of the redeemer's loop.
    ///
    /// A code is sent a second time only when nothing of it was sent the first time, or the issuer answered with a 5xx.
    /// - Throws: ``SignInFailure`` with one of the codes `network`, `server_error`, `throttled`, `invalid_response`,
    ///   `invalid_id_token` or `internal`, or what the issuer's OAuth error means.
    public func redeem(_ request: RedemptionRequest) async throws(SignInFailure) -> RedeemedTokens {
        let metadata: IssuerMetadata
        do throws(IssuerUnavailable) {
            metadata = try await self.metadata(for: request.issuer)
            if request.requestedScopes.contains("openid") {
                // Before the code is spent: without keys its ID token would be worth nothing.
                _ = try await keys(of: request.issuer, metadata)
            }
        } catch {
            throw SignInFailure(error)
        }
        let answer = try await send(TokenEndpoint.outgoing(request, to: metadata.tokenEndpoint))
        let response = try TokenEndpoint.tokens(in: answer, now: time.wallSeconds())
        let claims = try await verifiedClaims(of: response, request, metadata)
        let granted = response.scope ?? request.requestedScopes
        return RedeemedTokens(
            response: response, idTokenClaims: claims, grantedScopes: granted,
            declinedScopes: request.requestedScopes.declined(grantedBy: granted))
    }

    /// Verifies tokens that somebody else obtained: the ID token, as ``redeem(_:)`` does. Only from a task of the redeemer's
    /// loop.
    /// - Parameter request: what the tokens are held against.
    public func verify(
        _ response: TokenResponse, of request: RedemptionRequest
    ) async throws(SignInFailure) -> JSONObject? {
        let metadata: IssuerMetadata
        do throws(IssuerUnavailable) {
            metadata = try await self.metadata(for: request.issuer)
        } catch {
            throw SignInFailure(error)
        }
        return try await verifiedClaims(of: response, request, metadata)
    }

    /// Posts a form to an endpoint of an issuer that answers with a JSON object. Only from a task of the redeemer's loop.
    /// - Throws: ``SignInFailure``, as ``redeem(_:)``.
    public func post(
        _ fields: [FormField], to endpoint: EndpointURL, of issuer: Issuer
    ) async throws(SignInFailure) -> JSONObject {
        let request = OutgoingRequest(
            .post, endpoint.text,
            headers: [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")],
            body: FormEncoding.encode(fields.map { ($0.name, $0.value) }), issuer.settings)
        return try TokenEndpoint.object(in: try await send(request), now: time.wallSeconds())
    }

    private func send(_ request: OutgoingRequest) async throws(SignInFailure) -> IncomingResponse {
        var delay = retryDelay
        do throws(TransferError) {
            let answer = try await client.send(request)
            guard (500...599).contains(answer.status) else { return answer }
        } catch {
            // Once it is sent, the code may be spent, answer or not.
            guard !error.wasSent, error.kind != .refused else { throw TokenEndpoint.failure(error) }
            // A network that comes back takes longer than a server that does.
            if error.obstacle == .offline { delay *= 4 }
        }
        await EventLoop.sleep(until: Instant.now() + delay)
        do throws(TransferError) {
            return try await client.send(request)
        } catch {
            throw TokenEndpoint.failure(error)
        }
    }
}

extension SignInFailure {
    /// What an issuer that is out of reach means for the sign-in.
    init(_ error: IssuerUnavailable) {
        self.init(.network, description: IssuerText(error.description), retryAfter: error.retryAfter)
        isOffline = error.isOffline
    }
}
