internal import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardText

/// The kind of a form request to an issuer, for messages and reports.
enum IssuerCall {
    case token
    case revocation
    /// An authorization request, before the browser goes to the issuer.
    case push
    /// A step of a sign-in without a browser.
    case signInStep
    /// The account of an access token.
    case account
    /// The claims about the person (OpenID Connect Core section 5.3).
    case userInfo

    var endpoint: IssuerExchange.Endpoint {
        switch self {
        case .token, .signInStep: .token
        case .revocation: .revocation
        case .push: .push
        case .account: .account
        case .userInfo: .userInfo
        }
    }

    var name: String {
        switch self {
        case .token: "token endpoint"
        case .revocation: "revocation endpoint"
        case .push: "pushed authorization request endpoint"
        case .signInStep: "sign-in endpoint"
        case .account: "account url"
        case .userInfo: "userinfo endpoint"
        }
    }

    var content: String {
        switch self {
        case .token: "tokens"
        case .revocation: "a confirmation"
        case .push: "a request_uri"
        case .signInStep: "what was asked for"
        case .account: "an account"
        case .userInfo: "claims"
        }
    }
}

/// The token endpoint's side of the protocol (RFC 6749 sections 4.1.3, 5.1 and 5.2), without I/O.
enum TokenEndpoint {
    static func outgoing(
        _ request: RedemptionRequest, to endpoint: EndpointURL, _ credentials: ClientCredentials
    ) -> OutgoingRequest {
        let settings = request.expectations.issuer.settings
        let deviations = settings.profile.deviations
        let standard =
            self.fields(of: request.grant, request.expectations.requestedScopes, deviations) + credentials.fields
        let names = deviations.parameterNames
        let own = names.renaming(standard)
        let asked =
            own
            + request.parameters.map { ($0.name, $0.value) }.filter { field in
                !own.contains(field.0) && !names.isName(field.0, in: .token)
            }
        let defaults = settings.profile.tokenDefaults.map { ($0.name, $0.value) }
        let fields = asked + defaults.filter { field in !asked.contains(field.0) }
        let headers = request.headers.map { ($0.name, $0.value) } + credentials.headers
        var outgoing =
            deviations.sendsJSONTokenRequests
            ? json(fields, headers: headers, to: endpoint, settings)
            : form(fields, headers: headers, to: endpoint, settings)
        outgoing.clientCertificate = credentials.certificate
        return outgoing
    }

    static func outgoing(
        _ request: RevocationRequest, to endpoint: EndpointURL, _ credentials: ClientCredentials
    ) -> OutgoingRequest {
        let hint = request.tokenTypeHint.map { [("token_type_hint", $0)] } ?? []
        let names = request.issuer.settings.profile.deviations.parameterNames
        var outgoing = form(
            [("token", request.token.exposedText)] + hint + names.renaming(credentials.fields),
            headers: request.headers.map { ($0.name, $0.value) } + credentials.headers, to: endpoint,
            request.issuer.settings)
        outgoing.clientCertificate = credentials.certificate
        return outgoing
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

    /// The same as a JSON object of strings (the deviation `token_request: json`).
    private static func json(
        _ fields: [(String, String)], headers: [(String, String)], to endpoint: EndpointURL, _ settings: IssuerSettings
    ) -> OutgoingRequest {
        var object = JSONObject()
        for (name, value) in fields { object[name] = .string(value) }
        let content = [("Accept", "application/json"), ("Content-Type", "application/json")]
        return OutgoingRequest(
            .post, endpoint.text, headers: content + headers, body: JSONValue.object(object).serialized, settings)
    }

    private static func fields(
        of grant: RedemptionRequest.Grant, _ scopes: Scopes, _ deviations: Deviations
    ) -> [(String, String)] {
        let scope = scopes.isEmpty ? [] : [("scope", deviations.text(of: scopes))]
        switch grant {
        case .code(let code, let redirectURI, let verifier):
            return [
                ("grant_type", "authorization_code"), ("code", code.exposedText), ("redirect_uri", redirectURI),
            ] + (deviations.omitsPKCE ? [] : [("code_verifier", verifier.exposedText)])
        case .refreshToken(let token):
            // Includes any scopes: one refresh token serves several APIs at some issuers. An empty list means all
            // granted scopes (RFC 6749 section 6).
            return [("grant_type", "refresh_token"), ("refresh_token", token.exposedText)] + scope
        case .other(let type, let own):
            let own = own.map { ($0.name, $0.value.exposedText) }
            return [("grant_type", type)] + own + scope
        }
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

extension [(String, String)] {
    fileprivate func contains(_ name: String) -> Bool { contains { $0.0 == name } }
}

extension ParameterNames {
    /// Fields of a request to the token endpoint under the provider's names.
    fileprivate func renaming(_ fields: [(String, String)]) -> [(String, String)] {
        fields.map { (name(of: $0.0, in: .token), $0.1) }
    }
}

extension OutgoingRequest {
    /// A request within the limits of the issuer's settings.
    init(
        _ method: Method, _ url: String, headers: [(String, String)] = [("Accept", "application/json")],
        body: [UInt8]? = nil, _ settings: IssuerSettings
    ) {
        if let given = settings.given {
            self = given.request(method, url, headers: headers, body: body)
            return
        }
        self.init(
            method, url, headers: headers, body: body, timeout: settings.timeout, maximumBytes: settings.maximumBytes,
            trustAnchor: settings.trustAnchor, route: settings.route, allowsPlainHTTP: settings.allowsLoopbackHTTP)
    }
}
