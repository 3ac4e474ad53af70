import SwitchyardCrypto
import SwitchyardJOSE
import SwitchyardJSON
import Testing

@testable import SwitchyardOAuth

@Suite("ID tokens") struct IDTokenTests {
    private static let now: Int64 = 1_800_000_000
    private static let accessToken = Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
    private static let code = Secret("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")

    @Test(
        "claims that fit are accepted",
        arguments: [
            [:], ["aud": ["app"]], ["aud": ["app", "other"], "azp": "app"], ["azp": "app"], ["exp": .integer(now - 59)],
            ["exp": .number(Double(now) + 0.5)], ["iat": .integer(now + 60)], ["nbf": .integer(now + 60)],
            ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ", "c_hash": "LDktKdoQak3Pk0cnXxCltA"], ["unknown": ["x": 1]],
        ] as [JSONObject])
    func accepted(changes: JSONObject) throws {
        try expectations().validate(token(changes))
    }

    @Test(
        "a claim that does not fit is refused for its reason",
        arguments: [
            (["iss": .null], .missingClaim(name: "iss")), (["iss": "https://id.example/"], .wrongIssuer),
            (["iss": "HTTPS://id.example"], .wrongIssuer), (["aud": "other"], .wrongAudience),
            (["aud": []], .wrongAudience),
            (["aud": .null], .missingClaim(name: "aud")), (["aud": ["app", "other"]], .missingClaim(name: "azp")),
            (["aud": ["app", "other"], "azp": "other"], .wrongAuthorizedParty),
            (["azp": "other"], .wrongAuthorizedParty),
            (["exp": .integer(now - 60)], .expired), (["exp": .integer(.min)], .expired),
            (["exp": "2000000000"], .missingClaim(name: "exp")), (["exp": .number(1e300)], .missingClaim(name: "exp")),
            (["exp": .null], .missingClaim(name: "exp")), (["iat": .null], .missingClaim(name: "iat")),
            (["iat": .integer(now + 61)], .notYetValid), (["nbf": .integer(now + 61)], .notYetValid),
            (["nbf": "x"], .missingClaim(name: "nbf")), (["sub": .null], .missingClaim(name: "sub")),
            (["sub": ""], .missingClaim(name: "sub")), (["nonce": .null], .missingClaim(name: "nonce")),
            (["nonce": "other"], .wrongNonce), (["nonce": ""], .wrongNonce), (["at_hash": "x"], .wrongAccessTokenHash),
            (["at_hash": 1], .wrongAccessTokenHash), (["at_hash": "LDktKdoQak3Pk0cnXxCltA"], .wrongAccessTokenHash),
            (["c_hash": "77QmUPtjPfzWtF2AnpK9RQ"], .wrongCodeHash),
        ] as [(JSONObject, IDTokenError.Reason)])
    func refused(changes: JSONObject, reason: IDTokenError.Reason) throws {
        #expect(try refusal(expectations(), token(changes))?.reason == reason)
    }

    @Test("without a nonce in the request the token's is not looked at")
    func noNonce() throws {
        var expectations = expectations()
        expectations.nonce = nil
        try expectations.validate(token(["nonce": "any"]))
    }

    @Test(
        "a hash takes its size from the signature's algorithm",
        arguments: [
            ("RS256", SHA2.sha256), ("ES384", .sha384), ("PS512", .sha512), ("EdDSA", .sha512),
        ])
    func hashSizes(algorithm: String, hash: SHA2) throws {
        let digest = hash.digest(of: Self.accessToken.exposedBytes)
        let value = Base64URL.encode(Array(digest.prefix(digest.count / 2)))
        try expectations().validate(token(["at_hash": .string(value)], algorithm: algorithm))
        let other = try token(["at_hash": .string(value)], algorithm: "ES256K")
        #expect(refusal(expectations(), other)?.reason == .wrongAccessTokenHash)
    }

    @Test(
        "a tenant's token is for its own issuer and only from listed tenants",
        arguments: [
            ("https://login.example/T1/v2.0", "T1", nil), ("https://login.example/t1/v2.0", "t1", nil),
            ("https://login.example/T2/v2.0", "T1", .wrongIssuer),
            ("https://login.example/T3/v2.0", "T3", .tenantNotAllowed),
            ("https://login.example/{tenantid}/v2.0", "{tenantid}", .tenantNotAllowed),
            ("https://login.example/T1/v2.0", nil, .missingClaim(name: "tid")),
        ] as [(String, String?, IDTokenError.Reason?)])
    func tenants(issuer: String, tenant: String?, reason: IDTokenError.Reason?) throws {
        var expectations = expectations()
        expectations.issuer = .tenantTemplate("https://login.example/{tenantid}/v2.0", tenants: ["T1", "T2"])
        let token = try token(["iss": .string(issuer), "tid": tenant.map { .string($0) } ?? .null])
        #expect(refusal(expectations, token)?.reason == reason)
    }

    /// U+212A, which Unicode takes for a `K`.
    private static let kelvin = "\u{212A}"

    @Test("identifiers are the same bytes, whatever Unicode takes for one (rules: exact match)")
    func exactly() throws {
        var expectations = expectations()
        expectations.issuer = .exactly("https://id.example/K")
        expectations.clientID = "K"
        let good: JSONObject = ["iss": "https://id.example/K", "aud": "K", "azp": "K"]
        try expectations.validate(token(good))
        for (name, reason) in [
            ("iss", IDTokenError.Reason.wrongIssuer), ("aud", .wrongAudience), ("azp", .wrongAuthorizedParty),
        ] {
            var changes = good
            changes[name] = .string(good[name]?.string?.replacing("K", with: Self.kelvin) ?? "")
            #expect(refusal(expectations, try token(changes))?.reason == reason)
        }
        expectations.issuer = .tenantTemplate("https://K.example/{tenantid}", tenants: .any)
        let foreign = try token(["iss": .string("https://\(Self.kelvin).example/t"), "tid": "t", "aud": "K"])
        #expect(refusal(expectations, foreign)?.reason == .wrongIssuer)
        for template in [
            ExpectedIssuer.exactly("https://id.example/K"),
            .tenantTemplate("https://id.example/{tenantid}K", tenants: .any),
        ] {
            let named = IssuerIdentification(expected: template, isRequired: true)
            #expect(throws: AuthorizationResponseError.wrongIssuer) {
                try named.check("https://id.example/\(Self.kelvin)")
            }
        }
    }

    static let told: [(changes: JSONObject, words: String)] = [
        (["aud": []], "the ID token is for another client (aud): it says [], and expected is \"app\""),
        (["aud": ["a", "b"]], "it says [\"a\",\"b\"], and expected is \"app\""),
        (["iss": "https://evil.example"], "it says \"https://evil.example\", and expected is \"https://id.example\""),
        (["azp": "other\u{1B}[2J\u{202E}"], "it says \"other\\u001b[2J \", and expected is \"app\""),
        (["aud": .string(String(repeating: "x", count: 9000))], "xxx…, and expected is \"app\""),
        (["nonce": "secret"], "the ID token belongs to another sign-in (its nonce differs)"),
    ]

    @Test("a token that is somebody else's is told with both values, cut and without controls", arguments: told)
    func values(changes: JSONObject, words: String) throws {
        let error = try #require(refusal(expectations(), try token(changes)))
        #expect(error.description.hasSuffix(words))
        #expect(error.description.utf8.count < 500)
    }

    private func refusal(_ expectations: IDTokenExpectations, _ token: UnverifiedJWT) -> IDTokenError? {
        do throws(IDTokenError) {
            try expectations.validate(token)
            return nil
        } catch {
            return error
        }
    }

    @Test("a compact token is taken apart")
    func parsing() throws {
        let token = try token(["extra": 1])
        #expect(token.algorithm == "RS256")
        #expect(token.keyID == "k1")
        #expect(token.claims["extra"] == 1)
    }

    @Test(
        "what is no compact JWS is refused",
        arguments: [
            "", "a.b", "..", "e30.e30.AA", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJSUzI1NiJ9.W10.AA",
            "eyJhbGciOiJSUzI1NiJ9.e30.A", "eyJhbGciOiJSUzI1NiJ9.e30.AA.AA", "eyJhbGciOiJSUzI1NiJ9.e30.AA==",
            "eyJhbGciOjF9.e30.AA", " eyJhbGciOiJSUzI1NiJ9.e30.AA",
            "eyJhbGciOiJSUzI1NiJ9.e30." + String(repeating: "A", count: 65536),
        ])
    func malformed(compact: String) {
        #expect(throws: JWTError.malformed) { try UnverifiedJWT.parse(compact) }
    }

    @Test("an extension that must be understood is refused")
    func critical() {
        let header = encode(["alg": "RS256", "crit": ["b64"], "b64": false])
        #expect(throws: JWTError.criticalHeader) { try UnverifiedJWT.parse("\(header).e30.AA") }
    }

    private func expectations() -> IDTokenExpectations {
        IDTokenExpectations(
            issuer: .exactly("https://id.example"), clientID: "app", nonce: "n-1", now: Self.now,
            accessToken: Self.accessToken, code: Self.code)
    }

    /// A token that meets ``expectations()`` but for `changes`; null takes a claim out.
    private func token(_ changes: JSONObject, algorithm: String = "RS256") throws -> UnverifiedJWT {
        var claims: JSONObject = [
            "iss": "https://id.example", "aud": "app", "sub": "user", "nonce": "n-1", "iat": .integer(Self.now - 5),
            "exp": .integer(Self.now + 300),
        ]
        for (name, value) in changes.members { claims[name] = value == .null ? nil : value }
        return try .parse(encode(["alg": .string(algorithm), "kid": "k1"]) + "." + encode(claims) + ".AA")
    }

    private func encode(_ object: JSONObject) -> String {
        Base64URL.encode(JSONValue.object(object).serialized)
    }
}
