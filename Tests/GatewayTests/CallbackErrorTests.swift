import SwitchyardHTTP
import SwitchyardOAuth
import SwitchyardPendingRequests
import Testing

@testable import SwitchyardGateway

@Suite("Callback problems") struct CallbackErrorTests {
    @Test("each problem has its status and its page", arguments: CallbackError.allCases)
    func answer(problem: CallbackError) {
        // Without a default, so that a new problem needs its page here.
        let (status, refusal): (Status, CallbackRefusal) =
            switch problem {
            case .malformed: (.badRequest, .malformed)
            case .duplicateParameter: (.badRequest, .duplicateParameter)
            case .missingState, .unknownState: (.badRequest, .unknownState)
            case .missingCode: (.badRequest, .missingCode)
            case .expired, .canceled: (.badRequest, .expired)
            case .wrongRedirectURI: (.badRequest, .wrongRedirectURI)
            case .wrongIssuer: (.badRequest, .wrongIssuer)
            case .wrongResponseMode: (.badRequest, .wrongResponseMode)
            case .responseNotTrusted: (.badRequest, .responseNotTrusted)
            case .anotherBrowser: (.forbidden, .anotherBrowser)
            case .foreignRelay: (.forbidden, .anotherBrowser)
            case .replayed: (.conflict, .replayed)
            case .tooLarge: (.contentTooLarge, .tooLarge)
            case .unavailable: (.serviceUnavailable, .unavailable)
            }
        #expect(problem.refusal == refusal)
        #expect(problem.refusal.status == status)
    }

    @Test(
        "parameters that are no authorization response are a problem of their own kind",
        arguments: [
            (.malformed(.invalidEscape), .malformed, 400), (.malformed(.unescapedByte), .malformed, 400),
            (.malformed(.notUTF8), .malformed, 400), (.malformed(.tooManyFields), .malformed, 400),
            (.bothCodeAndError, .malformed, 400), (.duplicateParameter(name: "code"), .duplicateParameter, 400),
            (.missingState, .missingState, 400), (.neitherCodeNorError, .missingCode, 400), (.tooLarge, .tooLarge, 413),
        ] as [(AuthorizationResponseError, CallbackError, Int)])
    func response(error: AuthorizationResponseError, problem: CallbackError, code: Int) {
        #expect(CallbackError(error) == problem)
        #expect(CallbackError(error).refusal.status.code == code)
    }

    @Test(
        "a request that does not take the callback is a problem of its own kind",
        arguments: [
            (.unknown, .unknownState, 400), (.expired, .expired, 400), (.canceled, .canceled, 400),
            (.conflicting, .replayed, 409), (.notNow, .unavailable, 503),
        ] as [(RequestTransition.Refusal, CallbackError, Int)])
    func claim(refusal: RequestTransition.Refusal, problem: CallbackError, code: Int) {
        #expect(CallbackError(refusal) == problem)
        #expect(CallbackError(refusal).refusal.status.code == code)
    }

    @Test(
        "a browser that says it only looks ahead is believed",
        arguments: [
            (["Sec-Purpose: prefetch"], true), (["Sec-Purpose: prefetch;prerender"], true),
            (["Sec-Purpose: prefetch;anonymous-client-ip"], true), (["Purpose: prefetch"], true),
            (["purpose: Prefetch"], true), (["X-Moz: prefetch"], true), (["Purpose: preview"], true),
            (["Sec-Purpose: other", "Sec-Purpose: prefetch"], true),
            ([], false), (["Sec-Purpose: "], false), (["Purpose: navigate"], false), (["X-Purpose: prefetch"], true),
            (["Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: cross-site"], false),
        ])
    func prefetch(lines: [String], isPrefetch: Bool) throws {
        #expect(try Request.sample("/cb", lines).isPrefetch == isPrefetch)
    }

    @Test(
        "a browser that says what goes there is believed: its whole page, or something in a page",
        arguments: [
            ([], true), (["Sec-Fetch-Mode: navigate"], true),
            (["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Sec-Fetch-Site: cross-site"], true),
            (["Sec-Fetch-Mode: cors"], false), (["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"], false),
            (["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"], false), (["Sec-Fetch-Mode: "], false),
            (["Sec-Fetch-Mode: navigate", "Sec-Fetch-Mode: cors"], false),
        ])
    func navigation(lines: [String], isNavigation: Bool) throws {
        #expect(try Request.sample("/cb", lines).isNavigation == isNavigation)
    }

    @Test(
        "a person is told the reason that a failure's code stands for",
        arguments: [
            (.accessDenied, .accessDenied), (.userCanceled, .canceled), (.interactionRequired, .interactionRequired),
            (.serverProtectionPoliciesRequired, .protectionPolicyRequired), (.serverError, .issuerUnavailable),
            (.temporarilyUnavailable, .issuerUnavailable), (.throttled, .issuerUnavailable),
            (.network, .issuerUnavailable), (.invalidResponse, .answerNotTrusted),
            (.invalidIDToken, .answerNotTrusted), (.expired, .expired), (.internal, .internalError),
            (.releaseFailed, .codeNotTaken), (.serverDeclinedScopes, .declinedScopes),
            (.invalidGrant, .issuerRefused), (.invalidClient, .issuerRefused), (.invalidRequest, .issuerRefused),
        ] as [(SignInFailure.Code, FailureReason)])
    func failure(code: SignInFailure.Code, reason: FailureReason) {
        #expect(FailureReason(code) == reason)
    }
}
