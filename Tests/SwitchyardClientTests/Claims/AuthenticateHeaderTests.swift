import SwitchyardOAuth
import Testing

@testable import SwitchyardClient

@Suite("WWW-Authenticate") struct AuthenticateHeaderTests {
    @Test(
        "a token of another scheme hides no challenge behind it",
        arguments: ["Negotiate YWI=, ", "Negotiate YWI= , ", "Negotiate YWI=\t,", "Negotiate a , ", "Basic, "])
    func token(before: String) {
        let challenge = ClaimsChallenge(wwwAuthenticate: before + "Bearer claims=\"e30\"")
        #expect(challenge?.claims == "{}")
    }

    @Test(
        "a header that leaves out a comma is not read",
        arguments: [
            "Bearer a=\"1\" claims=\"e30\"", "Bearer a=\"1\"claims=\"e30\"", "Bearer a=1 claims=e30",
            "Basic Bearer claims=\"e30\"", "Basic realm=\"a\" Bearer claims=\"e30\"",
        ])
    func comma(header: String) {
        #expect(AuthenticateHeader(header) == nil)
        #expect(ClaimsChallenge(wwwAuthenticate: header) == nil)
    }
}
