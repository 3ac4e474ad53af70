/// Why there are no tokens, or not the ones that were asked for. The only error type of this library.
///
/// React to ``code``; everything else is for diagnosis. What comes from an issuer is kept as it was sent: it may name
/// the user, so it belongs neither on the screen nor in a log. ``description`` holds none of it.
public struct AuthenticationError: Error, Sendable, CustomStringConvertible, CustomReflectable {
    /// What an app can react to.
    public var code: Code
    /// Why, more exactly; nil when ``code`` says it all.
    public var internalCode: InternalCode?
    /// What happened, for developers. It may hold words of the issuer.
    public var message: String

    // MARK: What the issuer said

    /// `error`, as it was sent (RFC 6749 sections 4.1.2.1 and 5.2).
    public var oauthError: String?
    /// `suberror`, an addition of Microsoft's issuers.
    public var oauthSuberror: String?
    /// `error_codes`, the numbers of Microsoft's token service.
    public var stsErrorCodes: [Int64] = []
    /// Of the issuer's answer, or the gateway's.
    public var httpStatus: Int?
    /// By names in lower case. It may hold cookies.
    public var httpHeaders: [String: String] = [:]
    /// What the issuer calls the request in its own logs.
    public var correlationID: String?
    /// When trying again makes sense, in whole seconds from now.
    public var retryAfter: Int?
    /// A claims challenge: pass it to the next request as its claims.
    public var claims: ClaimsRequest?

    // MARK: What there is all the same

    /// With ``Code/serverDeclinedScopes``: the scopes that were granted, without the reserved ones.
    public var grantedScopes: [String] = []
    /// With ``Code/serverDeclinedScopes``: the scopes that were asked for and not granted.
    public var declinedScopes: [String] = []
    /// Tokens that were obtained although the request failed; they are in the cache as well.
    public var result: AuthenticationResult?

    // MARK: Further circumstances

    /// Whether no request was made, because an earlier one like it has just failed.
    public var isFromThrottling = false
    /// Whom the failure is about, where the issuer or the cache says so.
    public var homeAccountID: String?
    /// The user name of that person.
    public var username: String?
    /// New tokens of a refresh that the cache did not take. They may have taken the place of those that it has.
    var unkept: GrantedTokens?
    /// What failed further down, such as a `TokenStorageError`.
    public var underlyingError: (any Error)?

    /// For tests and fakes of an app.
    public init(_ code: Code, _ internalCode: InternalCode? = nil, _ message: String) {
        self.code = code
        self.internalCode = internalCode
        self.message = message
    }

    /// A sentence for a person, without technical terms.
    public var explanation: String { code.explanation }

    /// What a developer or an administrator can do.
    public var remedy: String { internalCode?.remedy ?? code.remedy }

    /// The number that `MSALError` has for it; −50000 where MSAL has none of its own.
    public var msalCode: Int { code.msalCode }

    /// The number that `MSALInternalError` has for it; nil where MSAL has none.
    public var msalInternalCode: Int? { internalCode?.msalInternalCode ?? code.msalInternalCode }

    /// Without the issuer's words and header fields.
    public var customMirror: Mirror { Mirror(self, children: ["code": code, "internalCode": internalCode as Any]) }

    public var description: String {
        let parts = [code.rawValue, internalCode.map(\.rawValue)].compactMap { $0 }
        return "\(parts.joined(separator: "/")): \(code.explanation)"
    }
}
