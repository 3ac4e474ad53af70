public import SwitchyardCrypto
public import SwitchyardJSON

/// How a sign-in ended without tokens, as the app that waits for it is told.
public struct SignInFailure: Error, Hashable, Sendable {
    /// The kind of failure that an app can react to. The raw values are those of the apps' API.
    public enum Code: String, CaseIterable, Sendable {
        /// The issuer wants the person (OpenID Connect Core section 3.1.2.6).
        case interactionRequired = "interaction_required"
        /// Fewer scopes were granted than asked for, and the app takes no fewer.
        case serverDeclinedScopes = "server_declined_scopes"
        /// Microsoft's issuers: the resource asks for app protection policies.
        case serverProtectionPoliciesRequired = "server_protection_policies_required"
        /// The person gave up, or the app did.
        case userCanceled = "user_canceled"
        /// Somebody, or a policy, said no.
        case accessDenied = "access_denied"
        /// The issuer finds the request wrong (RFC 6749 sections 4.1.2.1 and 5.2, as the four below).
        case invalidRequest = "invalid_request"
        /// The issuer does not know the client, or not by this authentication.
        case invalidClient = "invalid_client"
        /// The code is used, expired, or not this client's.
        case invalidGrant = "invalid_grant"
        /// A scope does not exist, or is not for this client.
        case invalidScope = "invalid_scope"
        /// The client may not ask in this way.
        case unauthorizedClient = "unauthorized_client"
        /// The issuer refused with an error of its own, which no standard names.
        case authorizationFailed = "authorization_failed"
        /// The issuer failed.
        case serverError = "server_error"
        /// The issuer cannot answer now.
        case temporarilyUnavailable = "temporarily_unavailable"
        /// The issuer asks for patience (429).
        case throttled
        /// No usable answer came from the issuer.
        case network
        /// The issuer's answer breaks the protocol.
        case invalidResponse = "invalid_response"
        /// The ID token does not verify, or is not for this request.
        case invalidIDToken = "invalid_id_token"
        /// The code was not released in time, three proofs were wrong, or the person said that it was not them.
        case releaseFailed = "release_failed"
        /// No callback came in time.
        case expired
        /// The gateway could not do its part.
        case `internal`
    }

    public var code: Code
    /// Why, more exactly; nil when ``code`` says it all.
    public var internalCode: InternalCode?
    /// `error` and `suberror` as the issuer sent them.
    public var oauthError: IssuerText?
    public var oauthSuberror: IssuerText?
    /// For developers, not for the screen: it may come from the issuer and name the user.
    public var description: IssuerText?
    public var correlationID: IssuerText?
    public var httpStatus: Int?
    /// Whole seconds.
    public var retryAfter: Int?
    /// A claims challenge to send with the next attempt.
    public var claims: IssuerClaims?
    /// `error_codes`: the numbers of Microsoft's token service.
    public var errorCodes: [Int64] = []
    /// The header of the issuer's answer, by names in lower case. Not for logs: it may hold cookies.
    public var httpHeaders: [String: String] = [:]
    /// With ``Code/network``: whether this machine may be offline. nil when that is not known.
    public var isOffline: Bool?
    /// The exact cause, where ``code`` has several; for logs and histories.
    public var obstacle: SignInObstacle?
    /// The token with which the next step of a native sign-in begins.
    public var continuationToken: Secret?
    /// The user name that the failure concerns, where the issuer says so (`adi`).
    public var username: IssuerText?
    /// The nonce that the server wants in the next proof of possession.
    public var proofNonce: ProofNonce?
    /// Native sign-in: the issuer asks for the browser.
    public var wantsBrowser = false

    public init(
        _ code: Code, internalCode: InternalCode? = nil, oauthError: IssuerText? = nil,
        oauthSuberror: IssuerText? = nil,
        description: IssuerText? = nil, correlationID: IssuerText? = nil, httpStatus: Int? = nil,
        retryAfter: Int? = nil, claims: IssuerClaims? = nil
    ) {
        self.code = code
        self.internalCode = internalCode
        self.oauthError = oauthError
        self.oauthSuberror = oauthSuberror
        self.description = description
        self.correlationID = correlationID
        self.httpStatus = httpStatus
        self.retryAfter = retryAfter
        self.claims = claims
    }

    /// The `error` object of the apps' API. It omits absent values, and those for in-process use only (``errorCodes``,
    /// ``httpHeaders``, ``isOffline``, ``obstacle``, ``continuationToken``, ``username``, ``wantsBrowser``).
    public var json: JSONObject {
        var object: JSONObject = ["code": .string(code.rawValue)]
        object["internal_code"] = internalCode?.json
        object["oauth_error"] = oauthError.map { .string($0.text) }
        object["oauth_suberror"] = oauthSuberror.map { .string($0.text) }
        object["description"] = description.map { .string($0.text) }
        object["correlation_id"] = correlationID.map { .string($0.text) }
        object["http_status"] = httpStatus.map { .integer(Int64($0)) }
        object["retry_after"] = retryAfter.map { .integer(Int64($0)) }
        object["claims"] = claims.map { .string($0.text) }
        return object
    }

    /// The `error` object of a gateway's API. A code that is not known here is ``Code/internal``.
    public init(json: JSONObject) {
        func text(_ name: String) -> IssuerText? { json[name]?.string.map { IssuerText($0) } }
        self.init(
            json["code"]?.string.flatMap(Code.init(rawValue:)) ?? .internal,
            internalCode: json["internal_code"].flatMap(InternalCode.init(json:)),
            oauthError: text("oauth_error"), oauthSuberror: text("oauth_suberror"),
            description: text("description"), correlationID: text("correlation_id"),
            httpStatus: json["http_status"]?.integer.map { Int(clamping: $0) },
            retryAfter: json["retry_after"]?.integer.map { Int(clamping: $0) },
            claims: json["claims"]?.string.flatMap { IssuerClaims($0) })
    }

    /// The part of a failure that its app may know before the request is released, when the sign-in may be another
    /// person's: the name of the error without the issuer's words about the person (rules: who began is who finishes).
    public var beforeRelease: SignInFailure {
        SignInFailure(
            code, internalCode: internalCode, oauthError: oauthError, description: description?.leadingErrorNumber)
    }
}
