internal import SwitchyardText

/// An authorization request with PKCE (RFC 6749 section 4.1.1, RFC 7636, OpenID Connect Core section 3.1.2.1).
public struct AuthorizationRequest: Sendable {
    public var authorizationEndpoint: EndpointURL
    public var clientID: String
    public var redirectURI: RedirectURI
    public var scope: Scopes
    public var state: String
    /// Always S256. Left out for a provider with ``Deviations/omitsPKCE``.
    public var codeChallenge: String
    public var nonce: String?
    public var responseMode: String?
    public var prompt: String?
    public var loginHint: String?
    public var domainHint: String?
    /// A claims request (OpenID Connect Core section 5.5), as JSON text.
    public var claims: String?
    /// The demands on the authentication.
    public var stepUp = StepUp.none
    /// The thumbprint of the key that the code is bound to (RFC 9449 section 10); nil for none.
    public var keyThumbprint: String?
    /// How the request is signed; nil for an unsigned one.
    public var signing: RequestSigning?
    /// The signed object of ``signed(now:)``.
    private var object: String?
    /// Further parameters, after the others. One of ``ownParameters`` is dropped: it cannot replace a value set here.
    public var extra: [(String, String)]
    /// The deviations of the issuer, and the parameters that each of its requests gets.
    public var profile: IssuerProfile

    public init(
        authorizationEndpoint: EndpointURL, clientID: String, redirectURI: RedirectURI, scope: Scopes, state: String,
        codeChallenge: String, nonce: String? = nil, responseMode: String? = nil, prompt: String? = nil,
        loginHint: String? = nil, domainHint: String? = nil, claims: String? = nil, extra: [(String, String)] = [],
        profile: IssuerProfile = .strict
    ) {
        self.authorizationEndpoint = authorizationEndpoint
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scope = scope
        self.state = state
        self.codeChallenge = codeChallenge
        self.nonce = nonce
        self.responseMode = responseMode
        self.prompt = prompt
        self.loginHint = loginHint
        self.domainHint = domainHint
        self.claims = claims
        self.extra = extra
        self.profile = profile
    }

    /// The forbidden extra parameters: those that this type sets, and those that would replace all of them (RFC 9101).
    public static let ownParameters: Set<String> = [
        "response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method",
        "nonce", "response_mode", "prompt", "login_hint", "domain_hint", "claims", "request", "request_uri",
    ]

    /// The parameters that have a property of their own, and that the query of an issuer's endpoint may still have.
    static let properParameters = StepUp.names.union(["dpop_jkt"])

    /// Whether an issuer could read a parameter as one of those set here: some take `STATE` or `[state]` for `state`.
    public static func isOwn(_ name: some StringProtocol) -> Bool {
        let readings = ParameterName(name).readings
        return !ownParameters.isDisjoint(with: readings) || isProper(readings)
    }

    /// Whether a parameter has a property of its own: ``stepUp``, or the key that the code is bound to.
    public static func isProper(_ name: some StringProtocol) -> Bool { isProper(ParameterName(name).readings) }

    private static func isProper(_ readings: Set<String>) -> Bool { !properParameters.isDisjoint(with: readings) }

    /// The request with a fresh signature, where it is signed at all; nil only when memory is short.
    public func signed(now: Int64) -> AuthorizationRequest? {
        guard let signing else { return self }
        guard let object = signing.object(parameters, of: clientID, now: now) else { return nil }
        var request = self
        request.object = object
        return request
    }

    /// The parameters that leave this machine. Of a signed request these are the client ID and the object only (RFC 9101
    /// section 5), also before it was signed: no request goes out with less than the app demands.
    public var sent: [(String, String)] {
        signing == nil ? parameters : [client, ("request", object ?? "")]
    }

    /// The URL for the browser.
    public var url: String { url(with: sent) }

    /// The URL for the browser after the request was pushed: it has the client ID and the reference only (RFC 9126
    /// section 4).
    public func url(of pushed: PushedRequest) -> String { url(with: [client, ("request_uri", pushed.requestURI)]) }

    private var client: (String, String) {
        (profile.deviations.parameterNames.name(of: "client_id", in: .authorization), clientID)
    }

    /// A query of the endpoint stays in front as it is ("MUST be retained", RFC 6749 section 3.1), without parameters
    /// that would occur twice.
    private func url(with own: [(String, String)]) -> String {
        let ownQuery = String(decoding: FormEncoding.encode(own), as: UTF8.self)
        guard let mark = authorizationEndpoint.text.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return "\(authorizationEndpoint.text)?\(ownQuery)"
        }
        let base = authorizationEndpoint.text[..<mark]
        let names = Set(own.map(\.0))
        let retained = (authorizationEndpoint.query ?? "").split(separator: "&").filter { piece in
            let fields = try? FormEncoding.decode(Array(piece.utf8))
            guard let name = fields?.first?.name else { return true }
            return !names.contains(name) && !Self.ownParameters.contains(name)
        }
        let query = retained + [Substring(ownQuery)]
        return base + "?" + query.joined(separator: "&")
    }

    /// All parameters of the request, in their order.
    public var parameters: [(String, String)] {
        let deviations = profile.deviations
        var all = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI.text), ("state", state),
        ]
        if !deviations.omitsPKCE { all += [("code_challenge", codeChallenge), ("code_challenge_method", "S256")] }
        let optional = [
            ("scope", deviations.text(of: scope)),
            ("nonce", deviations.omitsNonce || deviations.hasNoIDTokens ? nil : nonce),
            ("response_mode", responseMode), ("prompt", prompt), ("login_hint", loginHint),
            ("domain_hint", domainHint), ("claims", claims),
        ]
        // A parameter without a value counts as left out (RFC 6749 section 3.1), and some issuers refuse it.
        for case (let name, let value?) in optional where !value.isEmpty { all.append((name, value)) }
        all += stepUp.fields.map { ($0.name, $0.value) }
        if let keyThumbprint { all.append(("dpop_jkt", keyThumbprint)) }
        let names = deviations.parameterNames
        let own = all.map { (names.name(of: $0.0, in: .authorization), $0.1) }
        let asked = own + extra.filter { !Self.isOwn($0.0) && !names.isName($0.0, in: .authorization) }
        let defaults = profile.authorizationParameters.map { ($0.name, $0.value) }
        return asked + defaults.filter { field in !asked.contains { $0.0 == field.0 } }
    }
}
