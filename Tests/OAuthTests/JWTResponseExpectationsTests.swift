import JSON
import OAuth
import Testing

@Suite("Claims of a signed authorization response (JARM section 2.4)") struct JWTResponseExpectationsTests {
    private static let now = SampleJWTResponse.now

    @Test(
        "claims that fit are accepted",
        arguments: [
            [:], ["aud": ["app"]], ["aud": ["other", "app"]], ["exp": .integer(now - 59)],
            ["exp": .number(Double(now) + 0.5)], ["iat": .integer(now + 60)], ["nbf": .integer(now + 60)],
        ] as [JSONObject])
    func accepted(changes: JSONObject) throws {
        _ = try validate(changes)
    }

    @Test(
        "a claim that does not fit is refused for its reason",
        arguments: [
            (["iss": "https://id.example/"], .wrongIssuer), (["iss": "HTTPS://id.example"], .wrongIssuer),
            (["iss": ""], .wrongIssuer), (["aud": "other"], .wrongAudience), (["aud": []], .wrongAudience),
            (["aud": ["other"]], .wrongAudience), (["aud": [["app"]]], .wrongAudience), (["aud": .null], .invalidClaim),
            (["aud": 1], .invalidClaim), (["exp": .null], .invalidClaim), (["exp": "2000000000"], .invalidClaim),
            (["exp": .number(1e300)], .invalidClaim), (["exp": .integer(now - 60)], .expired),
            (["exp": .integer(.min)], .expired), (["iat": .integer(now + 61)], .notYetValid),
            (["iat": "x"], .invalidClaim), (["nbf": .integer(now + 61)], .notYetValid), (["nbf": "x"], .invalidClaim),
        ] as [(JSONObject, JWTResponseClaimError)])
    func refused(changes: JSONObject, error: JWTResponseClaimError) {
        #expect(throws: error) { try validate(changes) }
    }

    @Test(
        "of a template's issuers only those of listed tenants pass",
        arguments: [
            ("https://login.example/T2/v2.0", nil), ("https://login.example/T3/v2.0", .wrongIssuer),
            ("https://login.example/{tenantid}/v2.0", .wrongIssuer),
        ] as [(String, JWTResponseClaimError?)])
    func tenants(issuer: String, error: JWTResponseClaimError?) throws {
        var expectations = SampleJWTResponse.expectations
        expectations.issuer = .tenantTemplate("https://login.example/{tenantid}/v2.0", tenants: ["T1", "T2"])
        if let error {
            #expect(throws: error) { try validate(["iss": .string(issuer)], expectations) }
        } else {
            _ = try validate(["iss": .string(issuer)], expectations)
        }
    }

    @discardableResult
    private func validate(
        _ changes: JSONObject, _ expectations: JWTResponseExpectations = SampleJWTResponse.expectations
    ) throws -> AuthorizationResponse {
        try expectations.validate(.parse(compact: SampleJWTResponse.compact(SampleJWTResponse.claims(changes))))
    }
}
