internal import SwitchyardOAuth
internal import SwitchyardText

/// The cause of a failed sign-in, for operators.
struct SignInFailureNote: Sendable {
    enum Cause: String, Sendable, CaseIterable {
        case wrongCode = "wrong_code"
        /// Its callbacks came in other browsers than the one that started.
        case anotherBrowser = "another_browser"
        case heldTooLong = "held_too_long"
        /// The gateway that worked on it did not end in time.
        case abandoned
        /// The person at the browser said that another person began it; reported as ``SignInStep/denied``.
        case denied
        /// The app is another issuer's or client's than when it began.
        case registrationChanged = "registration_changed"
        /// The issuer no longer took a code that had been held.
        case codeTooOld = "code_too_old"
    }

    /// The failure's code, as in the app's answer.
    let code: SignInFailure.Code
    var cause: Cause?
    /// The exact obstacle between the gateway and the tokens, if the code has several causes.
    private(set) var obstacle: SignInObstacle?
    /// The name of the issuer that it was about.
    var issuer: String?
    /// The failure, in our own words.
    var detail: String?
    /// The number that Microsoft's issuers give the error, such as `AADSTS7000215`.
    var number: String?
    /// The issuer's word for it, where it is one that a standard, or a provider with many apps, has.
    var oauthError: KnownIssuerError?
    /// The word of the token endpoint, whichever it is; nil for a text that is no name. The log alone shows it.
    private(set) var ownError: String?
    /// Whether the unsigned callback brought it. Any program that controls the browser can write one, so it is not the
    /// issuer's word.
    private(set) var isFromCallback = false

    init(code: SignInFailure.Code, cause: Cause? = nil) {
        self.code = code
        self.cause = cause
    }

    /// - Parameter issuer: the name of the app's.
    init(_ failure: SignInFailure, issuer: String?, isFromCallback: Bool = false) {
        self.init(code: failure.code)
        self.isFromCallback = isFromCallback
        self.issuer = issuer
        obstacle = failure.obstacle
        oauthError = failure.oauthError.flatMap { KnownIssuerError($0.text) }
        if !isFromCallback, let name = failure.oauthError?.text, Self.isName(name), name != code.rawValue {
            ownError = name
        }
        number = failure.oauthError.flatMap { _ in failure.beforeRelease.description.map { "\($0)" } }
        detail = isFromCallback ? nil : Self.hint(for: failure.code)
        // With an error of the issuer the description is the issuer's too, and may name the user.
        if detail == nil, failure.oauthError == nil { detail = failure.description.map { "\($0)" } }
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allBytes { ASCII.isAlphanumeric($0) || [0x2D, 0x2E, 0x5F].contains($0) }
    }

    /// The word that the log and histories show as `cause`.
    var exactCause: String? { cause?.rawValue ?? obstacle?.label }

    /// Whether it is up to an operator that such sign-ins succeed again.
    var isForOperators: Bool {
        if isFromCallback { return false }
        return switch code {
        case .invalidRequest, .invalidClient, .invalidScope, .unauthorizedClient, .authorizationFailed, .serverError,
            .throttled, .network,
            .invalidResponse, .invalidIDToken, .internal:
            true
        case .interactionRequired, .serverDeclinedScopes, .serverProtectionPoliciesRequired, .userCanceled,
            .accessDenied, .invalidGrant, .temporarilyUnavailable, .releaseFailed, .expired:
            false
        }
    }

    /// The hint for failures that a wrong registration causes, from the table of causes.
    private static func hint(for code: SignInFailure.Code) -> String? {
        switch code {
        case .invalidClient, .unauthorizedClient, .invalidScope:
            "\(code.explanation.cause). \(code.explanation.remedy)"
        default: nil
        }
    }
}
