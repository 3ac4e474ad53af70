/// The reason why there are no tokens, or other tokens than requested. The only error type of this library.
///
/// React to ``code``; the rest is for diagnosis. The issuer's words are kept as they were sent. They may name the user,
/// so keep them off the screen and out of logs. ``description`` is free of them.
public struct AuthenticationError: Error, Sendable, CustomStringConvertible, CustomReflectable {
    /// The kind of error that an app can react to.
    public var code: Code
    /// Why, more exactly; nil when ``code`` says it all.
    public var internalCode: InternalCode?
    /// A description for developers. It may hold words of the issuer.
    public var message: String

    // MARK: From the issuer

    /// `error`, as it was sent (RFC 6749 sections 4.1.2.1 and 5.2).
    public var oauthError: String?
    /// `suberror`, an addition of Microsoft's issuers.
    public var oauthSuberror: String?
    /// `error_codes`, the numbers of Microsoft's token service.
    public var stsErrorCodes: [Int64] = []
    /// The status of the issuer's answer, or of the gateway's.
    public var httpStatus: Int?
    /// By names in lower case. It may hold cookies.
    public var httpHeaders: [String: String] = [:]
    /// The request's name in the issuer's own logs.
    public var correlationID: String?
    /// When trying again makes sense, in whole seconds from now.
    public var retryAfter: Int?
    /// A claims challenge: pass it to the next request as its claims.
    public var claims: ClaimsRequest?
    /// An API's demand on the sign-in: pass it to the next request as its `stepUp`.
    public var stepUp: StepUpRequest?

    // MARK: Partial results

    /// With ``Code/serverDeclinedScopes``: the scopes that were granted, without the reserved ones.
    public var grantedScopes: [String] = []
    /// With ``Code/serverDeclinedScopes``: the scopes that were asked for and not granted.
    public var declinedScopes: [String] = []
    /// Tokens that were obtained although the request failed; they are in the cache as well.
    public var result: AuthenticationResult?

    // MARK: Further circumstances

    /// Whether no request was made, because an earlier one like it has just failed.
    public var isFromThrottling = false
    /// The account that the failure concerns, where the issuer or the cache says so.
    public var homeAccountID: String?
    /// The user name of that person.
    public var username: String?
    /// New tokens of a refresh that the cache did not take. They may have taken the place of those that it has.
    var unkept: GrantedTokens?
    /// The underlying failure, such as a `TokenStorageError`.
    public var underlyingError: (any Error)?

    /// For tests and fakes of an app.
    public init(_ code: Code, _ internalCode: InternalCode? = nil, _ message: String) {
        self.code = code
        self.internalCode = internalCode
        self.message = message
    }

    /// A sentence for a person, without technical terms.
    public var explanation: String { code.explanation }

    /// The step that a developer or an administrator can take.
    public var remedy: String { internalCode?.remedy ?? code.remedy }

    /// The number in `MSALError`; −50000 where MSAL has no number of its own.
    public var msalCode: Int { code.msalCode }

    /// The number in `MSALInternalError`; nil if MSAL has no such number.
    public var msalInternalCode: Int? { internalCode?.msalInternalCode ?? code.msalInternalCode }

    /// Without the issuer's words and header fields.
    public var customMirror: Mirror { Mirror(self, children: ["code": code, "internalCode": internalCode as Any]) }

    public var description: String {
        let parts = [code.rawValue, internalCode.map(\.rawValue)].compactMap { $0 }
        return "\(parts.joined(separator: "/")): \(code.explanation)"
    }
}
