internal import SwitchyardHTTP
internal import SwitchyardOAuth

/// The answers for each problem: the page and its status for a browser, the reason for a program that relays. The words
/// of a page are in `Phrases/Languages`, by ``CallbackRefusal``.
extension CallbackError {
    /// The page for a browser.
    var refusal: CallbackRefusal {
        switch self {
        case .malformed: .malformed
        case .tooLarge: .tooLarge
        case .duplicateParameter: .duplicateParameter
        case .missingState, .unknownState: .unknownState
        case .missingCode: .missingCode
        case .wrongRedirectURI: .wrongRedirectURI
        case .wrongIssuer: .wrongIssuer
        case .wrongResponseMode: .wrongResponseMode
        case .responseNotTrusted: .responseNotTrusted
        case .anotherBrowser, .foreignRelay: .anotherBrowser
        case .expired, .canceled: .expired
        case .replayed: .replayed
        case .unavailable: .unavailable
        }
    }

    /// The reason for a program that relays (`POST /v1/callbacks`).
    var relayRefusal: RelayRefusal {
        switch self {
        case .malformed, .duplicateParameter, .missingState, .missingCode, .tooLarge, .wrongIssuer, .wrongResponseMode,
            .responseNotTrusted:
            .malformed
        case .wrongRedirectURI: .stateMismatch
        case .unknownState, .canceled, .unavailable, .anotherBrowser: .noPendingRequest
        // The same answer as for any stranger.
        case .foreignRelay: .notMine
        case .expired: .expired
        case .replayed: .alreadyConsumed
        }
    }
}

extension CallbackRefusal {
    /// The status that the page has, unless its sender knows better.
    var status: Status {
        switch self {
        case .unknownState, .expired, .wrongRedirectURI, .wrongIssuer, .wrongResponseMode, .responseNotTrusted,
            .duplicateParameter, .missingCode, .malformed:
            .badRequest
        case .anotherBrowser: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .replayed: .conflict
        case .ended: .gone
        case .tooLarge: .contentTooLarge
        case .unsupportedContentType: .unsupportedMediaType
        case .tooManyRequests: .tooManyRequests
        case .prefetch, .unavailable: .serviceUnavailable
        }
    }

    /// The word for it in the log, where no outcome of a callback says it.
    var reason: String {
        switch self {
        case .unknownState: CallbackError.unknownState.rawValue
        case .expired, .ended: CallbackError.expired.rawValue
        case .wrongRedirectURI: CallbackError.wrongRedirectURI.rawValue
        case .wrongIssuer: CallbackError.wrongIssuer.rawValue
        case .wrongResponseMode: CallbackError.wrongResponseMode.rawValue
        case .responseNotTrusted: CallbackError.responseNotTrusted.rawValue
        case .duplicateParameter: CallbackError.duplicateParameter.rawValue
        case .missingCode: CallbackError.missingCode.rawValue
        case .malformed, .unsupportedContentType: CallbackError.malformed.rawValue
        case .anotherBrowser: CallbackError.anotherBrowser.rawValue
        case .replayed: CallbackError.replayed.rawValue
        case .notFound: APIErrorName.notFound.rawValue
        case .methodNotAllowed: CallbackOutcome.wrongMethod.name
        case .tooLarge: CallbackError.tooLarge.rawValue
        case .tooManyRequests: CallbackOutcome.limited.name
        case .prefetch: CallbackOutcome.prefetch.name
        case .unavailable: CallbackError.unavailable.rawValue
        }
    }

    /// After how many seconds the same request may be tried again, where that helps.
    var retryAfter: Int? { self == .unavailable ? 5 : nil }
}

extension HTTPError {
    /// The page for bytes that are no request, or for one that is too large; its status is the error's own.
    var refusal: CallbackRefusal {
        switch status {
        case _ where connectionLimit != nil: .tooManyRequests
        case .contentTooLarge, .uriTooLong, .headerFieldsTooLarge: .tooLarge
        default: .malformed
        }
    }

    /// The limit that a connection is over, or its unfinished request; nil for any other reason.
    var connectionLimit: GatewayLimit? {
        switch reason {
        case .tooManyConnections: .connections
        case .tooManyConnectionsOfAddress: .connectionsPerAddress
        case .tooManyConnectionsOfNetwork: .connectionsPerNetwork
        case .tooManyUnfinishedBytes: .unfinishedBytes
        default: nil
        }
    }

    /// The limit that a request is larger than; nil for any other reason.
    var sizeLimit: GatewayLimit? {
        switch reason {
        case .requestLineTooLong: .requestLineBytes
        case .headerTooLarge: .headerBytes
        case .bodyTooLarge: .bodyBytes
        default: nil
        }
    }
}

/// Why a relayed callback was not handled.
enum RelayRefusal: String, Sendable, CaseIterable {
    case notMine = "not_mine"
    case noPendingRequest = "no_pending_request"
    case alreadyConsumed = "already_consumed"
    case stateMismatch = "state_mismatch"
    case expired
    case malformed

    var status: Status { self == .malformed ? .badRequest : .notFound }
}

extension FailureReason {
    /// The reason that a person sees for a failure's code.
    init(_ code: SignInFailure.Code) {
        self =
            switch code {
            case .accessDenied: .accessDenied
            case .userCanceled: .canceled
            case .interactionRequired: .interactionRequired
            case .serverProtectionPoliciesRequired: .protectionPolicyRequired
            case .serverDeclinedScopes: .declinedScopes
            case .serverError, .temporarilyUnavailable, .throttled, .network: .issuerUnavailable
            case .invalidResponse, .invalidIDToken: .answerNotTrusted
            case .expired: .expired
            case .internal: .internalError
            case .releaseFailed: .codeNotTaken
            case .authorizationFailed, .invalidRequest, .invalidClient, .invalidGrant, .invalidScope,
                .unauthorizedClient:
                .issuerRefused
            }
    }
}
