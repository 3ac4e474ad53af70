import HTTP
import OAuth
import PendingRequests
import Testing

@testable import Gateway

@Suite("Refused callbacks") struct CallbackProblemTests {
    @Test(
        "every problem has the status and the page of the design's table",
        arguments: [
            (.malformed, .badRequest, .malformed), (.duplicateParameter, .badRequest, .duplicateParameter),
            (.missingState, .badRequest, .unknownState), (.missingCode, .badRequest, .missingCode),
            (.tooLarge, .contentTooLarge, .tooLarge), (.unknownState, .badRequest, .unknownState),
            (.wrongRedirectURI, .badRequest, .wrongRedirectURI), (.wrongIssuer, .badRequest, .wrongIssuer),
            (.expired, .badRequest, .expired), (.canceled, .badRequest, .expired), (.replayed, .conflict, .replayed),
            (.unavailable, .serviceUnavailable, .unavailable),
        ] as [(CallbackProblem, Status, CallbackRefusal)])
    func answer(problem: CallbackProblem, status: Status, refusal: CallbackRefusal) {
        #expect(problem.answer.status == status)
        #expect(problem.answer.refusal == refusal)
    }

    @Test(
        "a response that cannot be read is told by its kind",
        arguments: [
            (.malformed, .malformed), (.bothCodeAndError, .malformed), (.missingState, .missingState),
            (.neitherCodeNorError, .missingCode), (.tooLarge, .tooLarge), (.duplicateParameter("code"), .duplicateParameter),
        ] as [(AuthorizationResponseError, CallbackProblem)])
    func response(error: AuthorizationResponseError, problem: CallbackProblem) {
        #expect(CallbackProblem(error) == problem)
    }

    @Test(
        "a refused claim is told by its kind",
        arguments: [
            (.unknown, .unknownState), (.conflicting, .replayed), (.canceled, .canceled), (.expired, .expired),
            (.notNow, .unavailable),
        ] as [(RequestTransition.Refusal, CallbackProblem)])
    func refusal(refusal: RequestTransition.Refusal, problem: CallbackProblem) {
        #expect(CallbackProblem(refusal) == problem)
    }

    @Test(
        "a browser that only looks ahead says so in one of these fields",
        arguments: [
            ("Sec-Purpose: prefetch", true), ("Sec-Purpose: prefetch;prerender", true), ("Purpose: Prefetch", true),
            ("Sec-Purpose: prerender", true), ("X-Moz: prefetch", true), ("Purpose: preview", true),
            ("Sec-Fetch-Dest: document", false), ("Purpose: navigate", false), ("X-Purpose: prefetch", false),
        ])
    func prefetch(field: String, isPrefetch: Bool) async throws {
        #expect(CallbackEndpoint.isPrefetch(try await TestRequest.make(fields: [field])) == isPrefetch)
    }
}
