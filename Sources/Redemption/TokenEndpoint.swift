internal import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardText

/// The kind of a form request to an issuer, for messages and reports.
enum IssuerCall {
    case token
    case revocation
    /// A step of a sign-in without a browser.
    case signInStep

    var endpoint: IssuerExchange.Endpoint {
        switch self {
        case .token, .signInStep: .token
        case .revocation: .revocation
        }
    }

    fileprivate var name: String {
        switch self {
        case .token: "token endpoint"
        case .revocation: "revocation endpoint"
        case .signInStep: "sign-in endpoint"
        }
    }

    fileprivate var content: String {
        switch self {
        case .token: "tokens"
        case .revocation: "a confirmation"
        case .signInStep: "what was asked for"
        }
    }
}

/// The token endpoint's side of the protocol (RFC 6749 sections 4.1.3, 5.1 and 5.2), without I/O.
enum TokenEndpoint {
    static func outgoing(_ request: RedemptionRequest, to endpoint: EndpointURL) -> OutgoingRequest {
        let credentials = request.authentication.credentials(of: request.expectations.clientID)
        let fields =
            self.fields(of: request.grant, request.expectations.requestedScopes) + credentials.fields
            + request.parameters.map { ($0.name, $0.value) }
        return form(
            fields, headers: request.headers.map { ($0.name, $0.value) } + credentials.headers, to: endpoint,
            request.expectations.issuer.settings)
    }

    static func outgoing(_ request: RevocationRequest, to endpoint: EndpointURL) -> OutgoingRequest {
        let credentials = request.authentication.credentials(of: request.clientID)
        let hint = request.tokenTypeHint.map { [("token_type_hint", $0)] } ?? []
        return form(
            [("token", request.token.exposedText)] + hint + credentials.fields,
            headers: request.headers.map { ($0.name, $0.value) } + credentials.headers, to: endpoint,
            request.issuer.settings)
    }

    /// A form, for an endpoint that answers with JSON.
    static func form(
        _ fields: [(String, String)], headers: [(String, String)] = [], to endpoint: EndpointURL,
        _ settings: IssuerSettings
    ) -> OutgoingRequest {
        let content = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
        return OutgoingRequest(
            .post, endpoint.text, headers: content + headers, body: FormEncoding.encode(fields), settings)
    }

    private static func fields(of grant: RedemptionRequest.Grant, _ scopes: Scopes) -> [(String, String)] {
        switch grant {
        case .code(let code, let redirectURI, let verifier):
            return [
                ("grant_type", "authorization_code"), ("code", code.exposedText), ("redirect_uri", redirectURI),
                ("code_verifier", verifier.exposedText),
            ]
        case .refreshToken(let token):
            // Includes any scopes: one refresh token serves several APIs at some issuers. An empty list means all
            // granted scopes (RFC 6749 section 6).
            return [("grant_type", "refresh_token"), ("refresh_token", token.exposedText)]
                + (scopes.isEmpty ? [] : [("scope", scopes.text)])
        case .other(let type, let own):
            let own = own.map { ($0.name, $0.value.exposedText) }
            return [("grant_type", type)] + own + (scopes.isEmpty ? [] : [("scope", scopes.text)])
        }
    }

    /// The tokens in an answer; throws the error that it names. Any 2xx may bring them: some issuers answer 201.
    /// - Parameter now: seconds since 1970, for `Retry-After`.
    static func tokens(in answer: IncomingResponse, now: Int64) throws(SignInFailure) -> TokenResponse {
        guard answer.isSuccess else { throw failure(answer, now: now, of: .token).with(answer) }
        guard answer.isJSON else { throw invalid(answer, "the token endpoint's answer is not JSON") }
        let response: TokenResponse
        do throws(TokenResponseError) {
            response = try TokenResponse.parse(body: answer.body)
        } catch {
            // Some issuers send their errors with the status of a success.
            if let answered = TokenErrorResponse(body: answer.body) {
                throw SignInFailure(answered, httpStatus: answer.status, retryAfter: answer.retryAfter(now: now)).with(
                    answer)
            }
            var failure = invalid(answer, IssuerText(error.description))
            failure.wantsBrowser = (try? JSONValue.parse(answer.body))?.object?["challenge_type"] == "redirect"
            throw failure
        }
        // An answer that names an error is no success, even with tokens beside.
        if let answered = TokenErrorResponse(response.members) {
            throw SignInFailure(answered, httpStatus: answer.status, retryAfter: answer.retryAfter(now: now)).with(
                answer)
        }
        return response
    }

    /// The JSON object in the answer of another endpoint of the issuer.
    static func object(in answer: IncomingResponse, now: Int64) throws(SignInFailure) -> JSONObject {
        guard answer.isSuccess else { throw failure(answer, now: now, of: .signInStep).with(answer) }
        guard answer.isJSON, let object = (try? JSONValue.parse(answer.body))?.object else {
            throw invalid(answer, "the issuer's answer is no JSON object")
        }
        if let error = TokenErrorResponse(object) {
            throw SignInFailure(error, httpStatus: answer.status, retryAfter: answer.retryAfter(now: now)).with(answer)
        }
        return object
    }

    /// Whether a token was revoked: an answer to that has no content that counts (RFC 7009 section 2.2).
    static func revocation(in answer: IncomingResponse, now: Int64) throws(SignInFailure) {
        guard answer.isSuccess else { throw failure(answer, now: now, of: .revocation).with(answer) }
    }

    private static func failure(_ answer: IncomingResponse, now: Int64, of call: IssuerCall) -> SignInFailure {
        let name = call.name
        let retryAfter = answer.retryAfter(now: now)
        if answer.status >= 400, let error = TokenErrorResponse(body: answer.body) {
            return SignInFailure(error, httpStatus: answer.status, retryAfter: retryAfter)
        }
        switch answer.status {
        case 429:
            return SignInFailure(
                .throttled, description: "the issuer asks for patience", httpStatus: 429, retryAfter: retryAfter)
        case 500...599:
            var failure = SignInFailure(
                .serverError, internalCode: .serverError, description: "the \(name) answers with a server error",
                httpStatus: answer.status, retryAfter: retryAfter)
            failure.obstacle = .status(answer.status)
            return failure
        case 300...399: return invalid(answer, "the \(name) redirects, which is not followed")
        default:
            var failure = invalid(answer, "the \(name)'s answer is neither \(call.content) nor an OAuth error")
            failure.retryAfter = retryAfter
            return failure
        }
    }

    private static func invalid(_ answer: IncomingResponse, _ description: IssuerText) -> SignInFailure {
        var failure = SignInFailure(.invalidResponse, description: description, httpStatus: answer.status)
        failure.obstacle = answer.isSuccess ? .named(.wrongAnswer) : .status(answer.status)
        return failure.with(answer)
    }

    /// The sign-in failure for an exchange without an answer.
    static func failure(_ error: TransferError, of call: IssuerCall) -> SignInFailure {
        var failure =
            switch error.kind {
            case .tooLarge, .malformedResponse: SignInFailure(.invalidResponse, description: IssuerText(error.message))
            case .invalidRequest: SignInFailure(.internal, description: IssuerText(error.message))
            case .notConnected, .timedOut, .interrupted: network(error, call)
            }
        failure.obstacle = IssuerExchange.Problem(error).obstacle
        return failure
    }

    private static func network(_ error: TransferError, _ call: IssuerCall) -> SignInFailure {
        let consequence = if case .token = call { ", and the code may be spent, or the refresh token" } else { "" }
        var failure = SignInFailure(
            .network,
            description: error.wasSent
                ? "no answer from the \(call.name)\(consequence): \(error.message)"
                : "the \(call.name) cannot be reached: \(error.message)")
        failure.isOffline = error.obstacle.map { $0 == .offline }
        return failure
    }
}

extension SignInFailure {
    fileprivate func with(_ answer: IncomingResponse) -> SignInFailure {
        var failure = self
        failure.httpHeaders = answer.headers
        return failure
    }
}

extension OutgoingRequest {
    /// A request within the limits of the issuer's settings.
    init(
        _ method: Method, _ url: String, headers: [(String, String)] = [("Accept", "application/json")],
        body: [UInt8]? = nil, _ settings: IssuerSettings
    ) {
        self.init(
            method, url, headers: headers, body: body, timeout: settings.timeout, maximumBytes: settings.maximumBytes,
            trustAnchor: settings.trustAnchor, allowsPlainHTTP: settings.allowsLoopbackHTTP)
    }
}

extension IncomingResponse {
    var isSuccess: Bool { (200...299).contains(status) }

    /// Whether the content is `application/json` or a type that ends in `+json` (RFC 6839 section 3.1).
    var isJSON: Bool {
        let type = (header("Content-Type") ?? "").prefix(before: UInt8(ascii: ";"))
            .prefix(before: UInt8(ascii: " ")).asciiLowercased
        return type == "application/json" || type.hasSuffix("+json")
    }
}
