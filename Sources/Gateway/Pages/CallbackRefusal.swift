internal import SwitchyardPhrases

/// The reason why a browser's request was not accepted. The refusal changed no request (rules: bad input changes
/// nothing).
///
/// The raw values count from 0 in the order of declaration: they index the pages made in advance.
enum CallbackRefusal: Int, Sendable, CaseIterable {
    /// `state` is absent, or no pending token request has it: this callback was not asked for.
    case unknownState
    /// The request that the state belonged to is over.
    case expired
    /// The link that starts a sign-in was opened when the request was over.
    case ended
    /// The state belongs to a request of another redirect URI.
    case wrongRedirectURI
    /// `iss` names another issuer, or is absent although the issuer sends it (RFC 9207 section 2.4).
    case wrongIssuer
    /// The answer came in another response mode than the one that the app asked for.
    case wrongResponseMode
    /// A signed authorization response (JARM) did not pass verification.
    case responseNotTrusted
    /// A parameter came twice, or in both the query and the content.
    case duplicateParameter
    /// There is neither `code` nor `error`.
    case missingCode
    /// The request could not be read, or its parameters contradict each other.
    case malformed
    /// Another browser than the one that started the sign-in.
    case anotherBrowser
    /// The state was used before, with another code.
    case replayed
    /// The path is no redirect URI and no page.
    case notFound
    /// The method is not one of this address.
    case methodNotAllowed
    /// The content of a POST is no form.
    case unsupportedContentType
    /// The request line, the header or the content is over its limit.
    case tooLarge
    /// The address of the browser sends more than its share.
    case tooManyRequests
    /// The browser says that it only looks ahead: no person has followed the link yet.
    case prefetch
    /// The gateway cannot serve this now.
    case unavailable
}

extension CallbackRefusal {
    func notice(in phrases: RefusalPhrases) -> Notice<String> {
        switch self {
        case .unknownState: phrases.unknownState
        case .expired: phrases.expired
        case .ended: phrases.ended
        case .wrongRedirectURI: phrases.wrongRedirectURI
        case .wrongIssuer: phrases.wrongIssuer
        case .wrongResponseMode: phrases.wrongResponseMode
        case .responseNotTrusted: phrases.responseNotTrusted
        case .duplicateParameter: phrases.duplicateParameter
        case .missingCode: phrases.missingCode
        case .malformed: phrases.malformed
        case .anotherBrowser: phrases.anotherBrowser
        case .replayed: phrases.replayed
        case .notFound: phrases.notFound
        case .tooLarge: phrases.tooLarge
        case .tooManyRequests: phrases.tooManyRequests
        case .prefetch: phrases.prefetch
        case .unavailable: phrases.unavailable
        case .methodNotAllowed, .unsupportedContentType: phrases.wrongForm
        }
    }
}
