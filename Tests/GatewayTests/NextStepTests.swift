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
            isReleased: isReleased
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
        guard case .handOver(let body, let error) = try step(Self.refusal, .response, isReleased: true) else {
            Issue.record("it is not handed over")
            return
        }
        #expect(error == "access_denied" && String(decoding: body, as: UTF8.self).contains("Ann Example"))
    }

    @Test("a code proceeds, held or not", arguments: [true, false])
    func code(isReleased: Bool) throws {
        guard case .proceed(.code(let code)) = try step("code=c", .tokens, isReleased: isReleased) else {
            Issue.record("it does not proceed")
            return
        }
        #expect(code.exposedText == "c")
    }
}
