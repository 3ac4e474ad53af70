import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardPendingRequests
import Testing

@testable import SwitchyardGateway

@Suite("What an accepted response leads to") struct NextStepTests {
    private static let words = "AADSTS50105: Ann Example is not assigned to a role."

    private func response(_ query: String) throws -> CheckedResponse {
        let form = try RedirectURI("https://login.example/cb").form
        let unchecked = try UncheckedResponse(query: Array("state=s&\(query)".utf8), content: nil, at: form)
        return try unchecked.matched(redirectURI: form, state: SHA256Digest(of: "s"))
            .checked(by: IssuerIdentification(expected: .exactly("https://id.example"), isRequired: false))
    }

    private func step(_ query: String, _ completion: RequestRecord.Completion, isReleased: Bool) throws -> NextStep {
        NextStep(
            try response(query), for: try .sample(completion: completion), url: "https://login.example/cb?x",
            arrival: 7, isReleased: isReleased
        ) {
            RequestSecrets(state: "s", verifier: nil, challenge: nil, nonce: nil, parameters: [])
        }
    }

    private static let refusal =
        "error=access_denied&suberror=bad_token&correlation_id=c&error_description="
        + words.replacing(" ", with: "%20")

    @Test(
        "before the release an error tells its name and number, whoever redeems, and as the callback's word",
        arguments: [RequestRecord.Completion.tokens, .response])
    func held(completion: RequestRecord.Completion) throws {
        guard case .fail(let failure, true) = try step(Self.refusal, completion, isReleased: false) else {
            Issue.record("it is no failure")
            return
        }
        #expect(
            failure == SignInFailure(.accessDenied, oauthError: "access_denied", description: "AADSTS50105"))
    }

    @Test("once released it is told whole, and handed over to an app that redeems by itself")
    func released() throws {
        guard case .fail(let failure, true) = try step(Self.refusal, .tokens, isReleased: true) else {
            Issue.record("it is no failure")
            return
        }
        #expect(failure.description?.text == Self.words && failure.oauthSuberror?.text == "bad_token")
        guard case .answerWithError(let body, let error) = try step(Self.refusal, .response, isReleased: true) else {
            Issue.record("it is not handed over")
            return
        }
        #expect(error == .accessDenied && String(decoding: body, as: UTF8.self).contains("Ann Example"))
    }

    @Test("a callback that the browser takes to its own machine is not stored here, and needs the request's port")
    func sentOn() throws {
        func secrets(port: UInt16?) -> RequestSecrets {
            RequestSecrets(state: "s", verifier: nil, challenge: nil, nonce: nil, returnPort: port, parameters: [])
        }
        let step = NextStep(sendingOn: try .sample(completion: .response), secrets(port: 49152))
        #expect(step.port == 49152 && step.ending?.kind == .passedOn && !step.redeems)
        #expect(step.ending?.answer == Array(#"{"status":"completed","handed_over":"loopback"}"#.utf8))
        for step in [
            NextStep(sendingOn: try .sample(completion: .tokens), secrets(port: 49152)),
            NextStep(sendingOn: try .sample(completion: .response), secrets(port: nil)),
            NextStep(sendingOn: try .sample(completion: .response), nil),
        ] {
            #expect(step.port == nil && step.ending?.kind == .failed(.internal))
        }
    }

    @Test("a browser is sent to 127.0.0.1 with the registered path and the query as they are")
    func location() throws {
        let form = try RedirectURI("https://login.example/evil.example/%61/@:b").form
        let location = LoopbackHandler.location(port: 49152, form, Array("code=%41+a&state=s'".utf8))
        let text = String(decoding: location, as: UTF8.self)
        #expect(text == "http://127.0.0.1:49152/evil.example/%61/@:b?code=%41+a&state=s'")
    }

    @Test("a code proceeds, held or not", arguments: [true, false])
    func code(isReleased: Bool) throws {
        guard case .proceed(.code(let code, _, arrival: 7)) = try step("code=c", .tokens, isReleased: isReleased) else {
            Issue.record("it does not proceed")
            return
        }
        #expect(code.exposedText == "c")
    }
}
