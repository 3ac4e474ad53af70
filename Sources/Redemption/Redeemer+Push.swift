internal import SwitchyardHTTPClient
internal import SwitchyardJSON
public import SwitchyardOAuth
internal import SwitchyardText

/// An authorization request that goes to the issuer before the browser does (RFC 9126).
public struct PushRequest: Sendable {
    public var authorization: AuthorizationRequest
    public var issuer: Issuer
    public var authentication: ClientAuthentication
    /// How it proves the key to which the code will be bound; nil for none.
    public var binding: TokenBinding?
    /// Further header fields.
    public var headers: [FormField] = []

    public init(
        _ authorization: AuthorizationRequest, to issuer: Issuer, authentication: ClientAuthentication
    ) {
        self.authorization = authorization
        self.issuer = issuer
        self.authentication = authentication
    }
}

extension Redeemer {
    /// Pushes an authorization request. Only from a task of the redeemer's loop.
    ///
    /// It is sent a second time under the rules for a code (``redeem(_:)``).
    /// - Throws: ``SignInFailure``, as ``redeem(_:)``; ``SignInFailure/isRefusal`` says whether the issuer decided.
    public func push(_ request: PushRequest) async throws(SignInFailure) -> PushedRequest {
        let metadata: IssuerMetadata
        do throws(IssuerUnavailableError) {
            metadata = try await self.metadata(for: request.issuer)
        } catch {
            throw SignInFailure(error)
        }
        guard let endpoint = metadata.endpoints(for: request.authentication).pushedRequest else {
            throw SignInFailure(
                .internal,
                description: """
                    the issuer "\(request.issuer.settings.name)" names no pushed_authorization_request_endpoint, and the \
                    app's requests have to be pushed (par)
                    """)
        }
        let clientID = request.authorization.clientID
        do throws(SignInFailure) {
            return try await send(
                to: request.issuer, for: .push, proving: Proving(request.binding, at: endpoint, of: request.issuer),
                making: { () throws(SignInFailure) in
                    let credentials = try credentials(
                        request.authentication, of: clientID, at: request.issuer, metadata)
                    // An issuer may count the signed object of a try once, too.
                    guard let signed = request.authorization.signed(now: time.wall().seconds) else {
                        throw SignInFailure(.internal, description: "no request object can be made")
                    }
                    var request = request
                    request.authorization = signed
                    return PushEndpoint.outgoing(request, to: endpoint, credentials)
                },
                reading: { answer throws(SignInFailure) in try answer.pushedRequest() })
        } catch {
            throw error.naming(request.issuer, clientID, request.authentication)
        }
    }
}

/// The request to the endpoint for pushed authorization requests (RFC 9126 section 2.1), without I/O.
enum PushEndpoint {
    static func outgoing(
        _ request: PushRequest, to endpoint: EndpointURL, _ credentials: ClientCredentials
    ) -> OutgoingRequest {
        let settings = request.issuer.settings
        let parameters = request.authorization.sent
        let names = settings.profile.deviations.parameterNames
        // The client ID stands among the parameters already.
        let proof = credentials.fields.filter { $0.0 != "client_id" }.map { (names.name(of: $0.0, in: .token), $0.1) }
        var outgoing = TokenEndpoint.form(
            parameters + proof, headers: request.headers.map { ($0.name, $0.value) } + credentials.headers,
            to: endpoint, settings)
        outgoing.clientCertificate = credentials.certificate
        return outgoing
    }
}

extension IssuerAnswer {
    /// RFC 9126 section 2.2.
    fileprivate func pushedRequest() throws(SignInFailure) -> PushedRequest {
        let answer = try object(of: .push)
        let lifetime = answer["expires_in"]?.integer ?? answer["expires_in"]?.string.flatMap { Int64($0) }
        guard let uri = answer["request_uri"]?.string, let lifetime,
            let pushed = PushedRequest(requestURI: uri, lifetime: lifetime)
        else {
            var failure = SignInFailure(
                .invalidResponse,
                description:
                    "the pushed authorization request endpoint's answer has no usable request_uri and expires_in")
            failure.obstacle = .named(.wrongAnswer)
            throw failure
        }
        return pushed
    }
}

extension SignInFailure {
    /// Whether the issuer decided against the request, or answered with no valid answer. Otherwise the same request may
    /// succeed later: the issuer had an error of its own, asked for patience, or did not answer.
    public var isRefusal: Bool {
        if let httpStatus, httpStatus == 429 || httpStatus >= 500 { return false }
        switch code {
        case .network, .throttled, .internal: return false
        default: return true
        }
    }
}
