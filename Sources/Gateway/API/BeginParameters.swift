internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting
internal import SwitchyardText

/// The parameters of `POST /v1/requests`, checked against the app that they name.
struct BeginParameters: Sendable {
    /// For a resource, the entry that allows it, and after its discovery the same for this one sign-in.
    var app: AppRegistration
    /// For a resource of an agent, with the port once that is open.
    var redirectURI: RedirectURI
    var scope: Scopes
    /// nil for an app.
    let named: NamedResource?
    let hostLabel: String?
    let mode: Mode
    /// The loopback port of the app. There it listens for the browser that comes back (the release policy
    /// `same_device`) or brings the response (the handler `loopback`).
    let returnPort: UInt16?
    /// The public key to which a completed result is sealed.
    let resultKey: PublicKey?
    /// Whether that key must prove each call on the request (RFC 9449).
    let isProofNeeded: Bool
    /// Whether a result with bound tokens can reach the app: sealed, or kept by an agent.
    private let takesBoundTokens: Bool
    /// Parameters of the authorization request beside those that the gateway composes.
    let parameters: [FormField]
    /// Parameters of the token request beside those that the gateway composes.
    let tokenParameters: [FormField]

    enum Mode: Sendable {
        case tokens
        /// With the app's own state; with a challenge, the gateway composes the authorization request.
        case response(state: String, challenge: String?, nonce: String?)
    }

    /// The party that redeems the code, as the request's record has it.
    var completion: RequestRecord.Completion {
        if case .tokens = mode { .tokens } else { .response }
    }

    /// The size limit of scope and further parameters as encoded in an address, in bytes. Issuers take less. The
    /// parameters of the token request have the same limit.
    private static let maximumSize = 8 * 1024

    private static let known: Set<String> = [
        "app", "redirect_uri", "scope", "completion", "prompt", "login_hint", "domain_hint", "claims",
        "extra_parameters", "host_label", "result_key", "result_proof", "return_port", "state", "code_challenge",
        "code_challenge_method", "nonce", "dpop_jkt", "acr_values", "max_age", "authorization_details",
        "www_authenticate", "resource", "previous_scopes", "resource_parameter",
    ]

    /// - Parameter servesBrowsers: whether callbacks to https addresses come to this gateway.
    /// - Parameter keepsTokens: whether this is an agent, which keeps the key of bound tokens itself.
    /// - Parameter binds: whether the configuration binds the tokens of an app's requests to a key.
    init(
        _ request: Request, routes: RouteTable, servesBrowsers: Bool = true, keepsTokens: Bool = false,
        binds: (AppRegistration) -> Bool
    ) throws(APIError) {
        let content = try JSONContent(of: request, known: Self.known)
        let (app, found) = try Self.subject(content, routes)
        var named = found
        if let value = content["resource_parameter"] {
            guard keepsTokens, named != nil, let sends = value.bool else {
                throw .invalidRequest("\"resource_parameter\" is true or false, beside \"resource\" at an agent")
            }
            named?.sendsResource = sends
        }
        self.app = app
        redirectURI = try Self.redirectURI(content, of: app, servesBrowsers)
        scope = try content.scope() ?? app.defaultScope
        hostLabel = try Self.hostLabel(content)
        mode = try Self.mode(content, scope)
        try Self.check(mode, content, of: app, scope, isForResource: named != nil)
        returnPort = try Self.returnPort(content, app)
        resultKey = try Self.resultKey(content)
        isProofNeeded = try Self.needsProof(content, resultKey)
        let thumbprint = try Self.keyThumbprint(content, mode)
        takesBoundTokens = resultKey != nil || keepsTokens
        named?.takesBoundTokens = takesBoundTokens
        self.named = named
        let extra = try ExtraParameters(content)
        if let named {
            try Self.checkAudience(extra)
            try Self.checkLocations(content, named.resource)
        }
        parameters = try Self.parameters(content) + StepUp(content).fields + thumbprint + extra.authorization
        try Self.checkSize(parameters, scope)
        tokenParameters = try Self.tokenParameters(extra, mode)
        if binds(app) { try checkBinding() }
    }

    /// Checks a request for tokens that will be bound to a key: the key must reach the app, or be the app's own.
    func checkBinding() throws(APIError) {
        switch mode {
        case .tokens:
            guard !takesBoundTokens else { return }
            throw .invalidRequest(
                "\"result_key\" is missing: the app's tokens are bound to a key (dpop), which goes out sealed only")
        case .response(_, nil, _): break
        case .response:
            guard !parameters.contains(where: { $0.name == "dpop_jkt" }) else { return }
            throw .invalidRequest(
                "\"dpop_jkt\" is missing: the app's tokens are bound to a key (dpop), so the code has to be too")
        }
    }

    /// The app that the call names, or the entry that allows the resource that it names.
    static func subject(
        _ content: JSONContent, _ routes: RouteTable
    ) throws(APIError) -> (AppRegistration, NamedResource?) {
        if content["resource"] != nil {
            guard content["app"] == nil else { throw .invalidRequest("\"app\" beside \"resource\": write one of them") }
            let (app, named) = try NamedResource.read(content, routes)
            return (app, named)
        }
        guard content["previous_scopes"] == nil else {
            throw .invalidRequest("\"previous_scopes\" is of use only together with \"resource\"")
        }
        if content["app"] == nil, let text = try content.text("redirect_uri") {
            guard let uri = try? RedirectURI(text), let app = routes.route(uri.form)?.app, app.takesAnyIssuer else {
                throw .invalidRequest(
                    "\"app\" is missing, and no app with issuer: any has the \"redirect_uri\", by which it would be found"
                )
            }
            return (app, nil)
        }
        let name = try content.requiredText("app", maximum: 256)
        guard let app = routes.app(named: name), app.resource == nil else {
            throw .invalidRequest("\"app\": there is no app \"\(name)\" in the gateway's configuration")
        }
        return (app, nil)
    }

    private static func hostLabel(_ content: JSONContent) throws(APIError) -> String? {
        guard let label = try content.text("host_label", maximum: 64) else { return nil }
        guard label.allBytes({ ASCII.isAlphanumeric($0) || "._-".utf8.contains($0) }) else {
            throw .invalidRequest("\"host_label\" may hold letters, digits, dots, underscores and hyphens")
        }
        return label
    }

    private static func resultKey(_ content: JSONContent) throws(APIError) -> PublicKey? {
        guard let value = content.value("result_key") else { return nil }
        guard let jwk = value.object else {
            throw .invalidRequest("\"result_key\" \(PublicKeyError.notP256)")
        }
        do throws(PublicKeyError) {
            return try PublicKey(jwk)
        } catch {
            throw .invalidRequest("\"result_key\" \(error)")
        }
    }

    /// `dpop_jkt` of an app that redeems by itself and has the key: the code will be bound to it.
    private static func keyThumbprint(
        _ content: JSONContent, _ mode: Mode
    ) throws(APIError) -> [FormField] {
        guard let text = try content.text("dpop_jkt", maximum: 128) else { return [] }
        guard case .response = mode else {
            throw .invalidRequest("\"dpop_jkt\" is the gateway's own with completion \"tokens\"")
        }
        guard Base64URL.decode(text)?.count == 32 else {
            throw .invalidRequest(
                "\"dpop_jkt\" is no SHA-256 thumbprint of a JWK (RFC 7638): 43 characters of base64url")
        }
        return [FormField("dpop_jkt", text)]
    }

    private static func needsProof(_ content: JSONContent, _ key: PublicKey?) throws(APIError) -> Bool {
        guard let value = content.value("result_proof") else { return false }
        guard let needsProof = value.bool else { throw .invalidRequest("\"result_proof\" has to be true or false") }
        guard key != nil || !needsProof else {
            throw .invalidRequest("\"result_proof\" needs a \"result_key\", which makes the proofs")
        }
        return needsProof
    }

    // MARK: Further parameters

    private static func parameters(_ content: JSONContent) throws(APIError) -> [FormField] {
        var parameters: [FormField] = []
        for name in ["prompt", "login_hint", "domain_hint"] {
            if let value = try content.text(name) { parameters.append(FormField(name, value)) }
        }
        if let claims = try claims(content) { parameters.append(FormField("claims", claims)) }
        return parameters
    }

    /// A token is for the resource that the entry allows. Another audience would be one that no entry and no `use_from` has seen.
    private static func checkAudience(_ extra: ExtraParameters) throws(APIError) {
        let names: Set = ["resource", "audience"]
        for field in extra.authorization + extra.token where !names.isDisjoint(with: ParameterName(field.name).readings)
        {
            throw .invalidRequest(
                "\"extra_parameters\": \"\(field.name.prefix(64))\" beside \"resource\", which says what the token is for"
            )
        }
    }

    /// The same for the servers that `authorization_details` name (RFC 9396 section 2.2). A place that cannot be read is another one.
    private static func checkLocations(_ content: JSONContent, _ resource: ResourceURL) throws(APIError) {
        for details in content["authorization_details"]?.array ?? [] {
            guard let locations = details.object?["locations"] else { continue }
            let places = locations.array?.map { place in
                place.string.flatMap { try? ResourceURL($0, allowingLoopbackHTTP: true) }
            }
            guard let places, places.allSatisfy({ $0.map(resource.covers) ?? false }) else {
                throw .invalidRequest(
                    "\"authorization_details\": \"locations\" may name \(resource) and what lies below it, beside \"resource\""
                )
            }
        }
    }

    private static func checkSize(_ parameters: [FormField], _ scope: Scopes) throws(APIError) {
        let size = FormEncoding.encode(parameters.map { ($0.name, $0.value) } + [("scope", scope.text)]).count
        guard size <= maximumSize else {
            throw .invalidRequest(
                "the authorization request would be too long for browsers: \(size) bytes in its address, and at most "
                    + "\(maximumSize) are taken")
        }
    }

    /// An app that redeems composes its own token request; there `resource` goes to the authorization request alone.
    private static func tokenParameters(_ extra: ExtraParameters, _ mode: Mode) throws(APIError) -> [FormField] {
        guard case .tokens = mode else {
            guard !extra.isNested || extra.token.isEmpty else {
                throw .invalidRequest(
                    "\"extra_parameters\": \"token\" is of use only with completion \"tokens\", where the gateway redeems"
                )
            }
            return []
        }
        let size = FormEncoding.encode(extra.token.map { ($0.name, $0.value) }).count
        guard size <= maximumSize else {
            throw .invalidRequest(
                "\"extra_parameters\": \"token\" has \(size) bytes, and at most \(maximumSize) are taken")
        }
        return extra.token
    }

    /// An object, or a string that holds one (OpenID Connect Core section 5.5).
    static func claims(_ content: JSONContent) throws(APIError) -> String? {
        guard let value = content["claims"] else { return nil }
        let object = value.object ?? value.string.flatMap { (try? JSONValue.parse(Array($0.utf8)))?.object }
        guard let object else { throw .invalidRequest("\"claims\" has to be a JSON object") }
        let text = String(decoding: JSONValue.object(object).serialized, as: UTF8.self)
        guard text.utf8.count <= 4096 else { throw .invalidRequest("\"claims\" is longer than 4096 bytes") }
        return text
    }
}
