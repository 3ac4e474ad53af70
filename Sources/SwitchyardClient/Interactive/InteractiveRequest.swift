internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardReactor

/// ``InteractiveTokenParameters`` that have been found to make sense, put together with the application's settings.
struct InteractiveRequest: Sendable {
    let authority: Authority
    /// The scopes that the app asked for.
    let scopes: Scopes
    /// The scopes of the authorization request: with the reserved scopes, and those of other APIs.
    let sentScopes: Scopes
    /// The scopes of one API, with the reserved ones.
    private let apiScopes: Scopes
    let loginHint: String?
    let domainHint: String?
    let prompt: Prompt?
    let account: Account?
    let claims: ClaimsRequest?
    let stepUp: StepUp
    let extraParameters: [(String, String)]
    let correlationID: CorrelationID
    let deadline: Instant
    let way: CallbackWay
    let presentation: Presentation
    let releaseCode: (@Sendable (ReleaseCodeQuestion) async -> String?)?
    /// The state that identifies its callback.
    let state = Secret(Random.token(byteCount: 32))
    /// Fulfilled when it has ended, for the page that the person looks at.
    let isSignedIn = Promise<Bool>()

    /// - Throws: `invalidParameter`, naming the parameter.
    init(_ parameters: InteractiveTokenParameters, _ settings: ClientSettings) throws(AuthenticationError) {
        authority = parameters.authority ?? settings.authority
        scopes = try ScopeRules.checked(parameters.scopes, settings, authority)
        let more = try ScopeRules.checked(
            parameters.extraScopesToConsent, settings, authority, mayBeEmpty: true)
        sentScopes = ScopeRules.sent(scopes, settings, consentingTo: more)
        apiScopes = ScopeRules.sent(scopes, settings)
        account = parameters.account
        loginHint = parameters.loginHint ?? parameters.account?.username
        domainHint = parameters.domainHint
        prompt = parameters.prompt
        claims = settings.claims(parameters.claims)
        stepUp = try parameters.stepUp?.checked() ?? .none
        correlationID = try CorrelationID.checked(parameters.correlationID)
        extraParameters = try Self.extra(parameters, authority, correlationID)
        guard parameters.timeout > .zero else {
            throw AuthenticationError(.invalidParameter, .invalidParameter, "timeout must be more than zero")
        }
        deadline = Instant.now() + parameters.timeout
        way = try settings.way(parameters.callbackWay ?? settings.callbackWay)
        presentation = parameters.presentation
        releaseCode = parameters.releaseCode
    }

    /// The parameters that the token request adds.
    var tokenParameters: [FormField] {
        var fields: [FormField] = []
        if authority.requiresClientInfo {
            // The scopes of one API: tokens for the extra consented scopes come by later requests.
            fields.append(FormField("scope", apiScopes.text))
            fields.append(FormField("client_info", "1"))
        }
        if let claims { fields.append(FormField("claims", claims.json)) }
        return fields
    }

    private static func extra(
        _ parameters: InteractiveTokenParameters, _ authority: Authority, _ correlationID: CorrelationID
    ) throws(AuthenticationError) -> [(String, String)] {
        if parameters.claims != nil, parameters.extraParameters["claims"] != nil {
            throw AuthenticationError(
                .invalidParameter, .invalidParameter, "claims are given both as claims and in extraParameters")
        }
        for name in parameters.extraParameters.keys where AuthorizationRequest.isOwn(name) {
            throw AuthenticationError(
                .invalidParameter, .invalidParameter,
                "extraParameters holds \(name), which this library sets itself: use the property for it")
        }
        let own =
            authority.requiresClientInfo
            ? [("client_info", "1"), ("client-request-id", correlationID.text)] : []
        return own + parameters.extraParameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
