internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests

/// A callback that was not accepted.
struct IntakeError: Error {
    let problem: CallbackError
    /// The reference of the request that its state belongs to, if there is one.
    let reference: Reference?
    /// The trace of that request, or of the callback.
    let trace: TraceContext?
    /// The browser of a callback that the store may still accept after the wait for it ended; nil if the store cannot.
    var lateBrowser: LateBrowser?

    /// The data that identifies the browser when it comes again.
    struct LateBrowser {
        let record: RequestRecord
        /// The secret of the cookie for it.
        let secret: Secret
        /// The loopback port that the browser takes the callback to; nil without one.
        let port: UInt16?
    }
}

/// The reason why a callback was not accepted. The refusal changed no request. The raw values name it in logs.
enum CallbackError: String, Error, CaseIterable, Sendable {
    case malformed
    case duplicateParameter = "duplicate_parameter"
    case missingState = "missing_state"
    case missingCode = "missing_code"
    case tooLarge = "too_large"
    /// The callback came in another way than the app's `response_mode` names.
    case wrongResponseMode = "wrong_response_mode"
    case unknownState = "unknown_state"
    case wrongRedirectURI = "wrong_redirect_uri"
    case wrongIssuer = "wrong_issuer"
    /// A signed response that does not verify.
    case responseNotTrusted = "response_not_trusted"
    /// The callback came in another browser than the one that opened the request's `start_url`.
    case anotherBrowser = "another_browser"
    /// A user that may not relay for the request has relayed it.
    case foreignRelay = "foreign_relay"
    case expired
    case canceled
    case replayed
    case unavailable

    init(_ error: AuthorizationResponseError) {
        self =
            switch error {
            case .malformed, .bothCodeAndError: .malformed
            case .duplicateParameter: .duplicateParameter
            case .missingState: .missingState
            case .neitherCodeNorError: .missingCode
            case .tooLarge: .tooLarge
            case .notSigned: .wrongResponseMode
            case .wrongRedirectURI: .wrongRedirectURI
            case .wrongState: .unknownState
            case .missingIssuer, .wrongIssuer: .wrongIssuer
            case .unreadableJWT, .missingClaim, .wrongAudience, .expired, .notYetValid, .inside, .signature:
                .responseNotTrusted
            }
    }

    init(_ refusal: RequestTransition.Refusal) {
        self =
            switch refusal {
            case .unknown: .unknownState
            case .conflicting: .replayed
            case .canceled: .canceled
            case .expired: .expired
            case .strayCode: .anotherBrowser
            case .repeated, .notNow, .noRoom: .unavailable
            }
    }
}
