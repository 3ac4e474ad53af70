import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardRedemption

@Suite("The claims of an ID token")
struct IDTokenClaimsTests {
    static let wrongClaims: [JSONObject] = [
        ["nonce": "another"], ["nonce": .null], ["aud": "another"], ["aud": ["client", "another"]], ["aud": .null],
        ["iss": "https://evil.example"], ["exp": .integer(TestClock.wallStart - 61)], ["exp": .null],
        ["iat": .integer(TestClock.wallStart + 3600)], ["azp": "another"], ["sub": .null], ["at_hash": "AAAA"],
        ["c_hash": "AAAA"],
    ]

    @Test("a wrong or missing claim is refused, though the signature is right", arguments: wrongClaims)
    func wrong(changes: JSONObject) async throws {
        let fixture = try Fixture()
        fixture.answerToken(signedBy: .rsa, "RS256", changes)
        #expect(await fixture.redeem().failure?.code == .invalidIDToken)
    }

    @Test("an ID token is due when openid was asked for")
    func missing() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.json(Fixture.tokenResponse(nil)))
        #expect(await fixture.redeem().failure?.code == .invalidIDToken)
    }

    @Test("an unrequested ID token is verified too")
    func unasked() async throws {
        let fixture = try Fixture()
        let token = TestKey.otherRSA.named("rsa").sign(fixture.claims(), "RS256")
        fixture.answerTokens(.json(Fixture.tokenResponse(token)))
        #expect(await fixture.redeem(fixture.plainRequest).failure?.code == .invalidIDToken)
    }

    static let hashOfAccessToken = Base64URL.encode(Array(SHA256Digest(of: "at").bytes.prefix(16)))

    @Test("the right at_hash passes")
    func accessTokenHash() async throws {
        let fixture = try Fixture()
        fixture.answerToken(signedBy: .rsa, "RS256", ["at_hash": .string(Self.hashOfAccessToken)])
        #expect(try await fixture.redeem().get().idTokenClaims != nil)
    }

    static let tenants: [(tenant: String, issuerTenant: String, accepted: Bool)] = [
        ("t1", "t1", true), ("t2", "t2", true), ("t3", "t3", false), ("t1", "t3", false),
    ]

    @Test("of a template's tenants, only the listed ones pass", arguments: tenants)
    func tenant(tenant: String, issuerTenant: String, accepted: Bool) async throws {
        let fixture = try Fixture()
        let base = fixture.server.url
        let identifier = try EndpointURL(base + "/common", allowingLoopbackHTTP: true)
        let document = fixture.metadata(issuer: base + "/{tenantid}")
        fixture.alter { $0.others["/common" + Fixture.metadataPath] = .json(document) }
        fixture.answerToken(
            signedBy: .rsa, "RS256", ["tid": .string(tenant), "iss": .string("\(base)/\(issuerTenant)")])
        var request = fixture.request
        request.expectations.issuer = Issuer(
            IssuerSettings(name: "entra", source: .discovery(identifier), allowsLoopbackHTTP: true))
        request.expectations.tenants = ["t1", "t2"]
        let result = await fixture.redeem(request)
        #expect((result.failure == nil) == accepted)
        if !accepted { #expect(result.failure?.code == .invalidIDToken) }
    }
}
