import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@Suite("The claims of a signed authorization response (JARM section 2.4)") struct SignedResponseTests {
    private typealias Sample = SampleSignedResponse
    private static let now = Sample.now

    @Test("claims that are text become the parameters, but for those that are about the JWT")
    func parameters() throws {
        var claims = Sample.claims([
            "iat": .integer(Self.now), "nbf": .integer(Self.now), "jti": "1", "session_state": "s", "expires_in": 3600,
            "x": ["y"],
        ])
        claims["error"] = .null
        let response = try Sample.response(claims)
        guard case .code(let code) = response.outcome else { return #expect(Bool(false), "no code") }
        #expect(code == Secret("c0de"))
        #expect(response.state == Secret("xyz"))
        #expect(response.issuer == "https://id.example")
        #expect(response.parameters.map(\.name) == ["iss", "code", "state", "session_state"])
    }

    @Test("an error is told as in a query; nothing in it is decoded a second time")
    func error() throws {
        let response = try Sample.response(
            Sample.claims([
                "code": .null, "error": "access_denied", "error_description": "A+B%20", "error_subcode": "cancel",
            ]))
        guard case .error(let error) = response.outcome else { return #expect(Bool(false), "no error") }
        #expect(error == AuthorizationError(error: "access_denied", errorDescription: "A+B%20", suberror: "cancel"))
    }

    @Test(
        "claims that fit are accepted",
        arguments: [
            ["aud": ["app"]], ["aud": ["other", "app"]], ["exp": .integer(now - 59)],
            ["exp": .number(Double(now) + 0.5)], ["iat": .integer(now + 60)], ["nbf": .integer(now + 60)],
        ] as [JSONObject])
    func accepted(changes: JSONObject) throws {
        _ = try Sample.response(Sample.claims(changes))
    }

    @Test(
        "a claim that does not fit is refused for its reason",
        arguments: [
            (["iss": .null], .missingClaim(name: "iss")), (["iss": 1], .missingClaim(name: "iss")),
            (["iss": ["https://id.example"]], .missingClaim(name: "iss")), (["iss": ""], .wrongIssuer),
            (["iss": "https://id.example/"], .wrongIssuer), (["iss": "HTTPS://id.example"], .wrongIssuer),
            (["aud": .null], .missingClaim(name: "aud")), (["aud": 1], .missingClaim(name: "aud")),
            (["aud": "other"], .wrongAudience), (["aud": []], .wrongAudience), (["aud": ["other"]], .wrongAudience),
            (["aud": [["app"]]], .wrongAudience), (["exp": .null], .missingClaim(name: "exp")),
            (["exp": "2000000000"], .missingClaim(name: "exp")), (["exp": .number(1e300)], .missingClaim(name: "exp")),
            (["exp": .integer(now - 60)], .expired), (["exp": .integer(.min)], .expired),
            (["iat": .integer(now + 61)], .notYetValid), (["iat": "x"], .missingClaim(name: "iat")),
            (["nbf": .integer(now + 61)], .notYetValid), (["nbf": "x"], .missingClaim(name: "nbf")),
        ] as [(JSONObject, AuthorizationResponseError)])
    func refused(changes: JSONObject, error: AuthorizationResponseError) {
        #expect(throws: error) { try Sample.response(Sample.claims(changes)) }
    }

    @Test(
        "claims that make no authorization response are refused for their reason",
        arguments: [
            (["code": .null], .inside(.neitherCodeNorError)), (["code": ""], .inside(.neitherCodeNorError)),
            (["error": "x"], .inside(.bothCodeAndError)), (["code": 1], .missingClaim(name: "code")),
            (["code": ["a": "b"]], .missingClaim(name: "code")), (["error": true], .missingClaim(name: "error")),
            (["error": ["x"]], .missingClaim(name: "error")),
        ] as [(JSONObject, AuthorizationResponseError)])
    func noResponse(changes: JSONObject, error: AuthorizationResponseError) {
        #expect(throws: error) { try Sample.response(Sample.claims(changes)) }
    }

    @Test(
        "of a template's issuers only those of listed tenants pass",
        arguments: [
            ("https://login.example/T2/v2.0", nil), ("https://login.example/T3/v2.0", .wrongIssuer),
            ("https://login.example/{tenantid}/v2.0", .wrongIssuer),
        ] as [(String, AuthorizationResponseError?)])
    func tenants(issuer: String, error: AuthorizationResponseError?) throws {
        let expected = ExpectedIssuer.tenantTemplate("https://login.example/{tenantid}/v2.0", tenants: ["T1", "T2"])
        let claims = Sample.claims(["iss": .string(issuer)])
        if let error {
            #expect(throws: error) { try Sample.response(claims, from: expected) }
        } else {
            _ = try Sample.response(claims, from: expected)
        }
    }

    @Test("an ID token is no signed response")
    func idToken() {
        let claims = Sample.claims(["code": .null, "state": .null, "sub": "alice", "nonce": "n"])
        #expect(throws: AuthorizationResponseError.missingState) { try Sample.response(claims) }
    }
}
