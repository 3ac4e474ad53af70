import SwitchyardJSON
import Testing

@testable import SwitchyardOAuth

@Suite("Step-up") struct StepUpTests {
    private static let now: Int64 = 1_800_000_000

    @Test(
        "the ID token must tell of the kind of authentication that was asked for",
        arguments: [
            ("a b", "a", true), ("a b", "b", true), ("a b", "a b", false), ("a b", "A", false), ("a", nil, false),
            ("a  b", "", false), (nil, "c", true), (nil, nil, true),
        ] as [(String?, String?, Bool)])
    func contexts(asked: String?, told: String?, fits: Bool) {
        let claims: JSONObject = told.map { ["acr": .string($0)] } ?? [:]
        #expect(refusal(StepUp(acrValues: asked), claims) == (fits ? nil : .wrongAuthenticationContext))
    }

    @Test(
        "and of one that is recent enough, give or take a minute",
        arguments: [
            (0, .integer(now), true), (0, .integer(now - 60), true), (0, .integer(now - 61), false),
            (300, .integer(now - 360), true), (300, .integer(now - 361), false), (300, .integer(now + 60), true),
            (300, .integer(now + 61), false), (300, .string("\(now)"), false), (300, .null, false),
            (300, .integer(.min), false), (300, .number(1e300), false),
        ] as [(Int64, JSONValue, Bool)])
    func ages(asked: Int64, told: JSONValue, fits: Bool) {
        #expect(refusal(StepUp(maxAge: asked), ["auth_time": told]) == (fits ? nil : .authenticationTooOld))
    }

    @Test(
        "where it is not known when the callback came, the whole time between counts",
        arguments: [
            (now - 361, false), (now - 360, true), (now + 60, true), (now + 160, true), (now + 161, false),
        ] as [(Int64, Bool)])
    func unknownArrival(told: Int64, fits: Bool) {
        let found = refusal(StepUp(maxAge: 300), ["auth_time": .integer(told)], arrival: Self.now...Self.now + 100)
        #expect(found == (fits ? nil : .authenticationTooOld))
    }

    @Test(
        "a challenge is read as the resource meant it",
        arguments: [
            (
                #"Bearer error="insufficient_user_authentication", acr_values="a b", max_age="5""#,
                StepUp(acrValues: "a b", maxAge: 5)
            ),
            (#"Basic realm=x, DPoP error=insufficient_user_authentication, max_age=0"#, StepUp(maxAge: 0)),
        ])
    func challenge(header: String, stepUp: StepUp) throws {
        #expect(try StepUpChallenge(header)?.stepUp == stepUp)
    }

    @Test("a challenge for another reason demands nothing")
    func otherChallenge() throws {
        #expect(try StepUpChallenge(#"Bearer error="invalid_token", max_age=5"#) == nil)
        #expect(try StepUpChallenge("Basic error=insufficient_user_authentication, max_age=5") == nil)
    }

    @Test(
        "a malformed one is no challenge",
        arguments: [
            "", "\"", "Bearer error=\"insufficient_user_authentication",
            "Bearer error=insufficient_user_authentication",
            "Bearer error=insufficient_user_authentication, max_age=-1",
            "Bearer error=insufficient_user_authentication, max_age=99999999999",
            "Bearer error=insufficient_user_authentication, acr_values=\"\"",
        ])
    func malformed(header: String) {
        #expect(throws: StepUpChallengeError.self) { try StepUpChallenge(header) }
    }

    @Test("the parameters of a request read back")
    func fields() {
        let stepUp = StepUp(acrValues: "a b", maxAge: 7, authorizationDetails: #"[{"type":"t"}]"#)
        #expect(StepUp(in: [FormField("prompt", "login")] + stepUp.fields) == stepUp)
        #expect(StepUp.none.fields.isEmpty)
    }

    private func refusal(
        _ stepUp: StepUp, _ claims: JSONObject, arrival: ClosedRange<Int64> = now...now
    ) -> IDTokenError.Reason? {
        do throws(IDTokenError) {
            try stepUp.check(claims, arrival: arrival)
            return nil
        } catch {
            return error.reason
        }
    }
}
