import SwitchyardCrypto
import SwitchyardJOSE
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardRedemption

@Suite("Signed authorization responses")
struct SignedResponseTests {
    private static func reason(_ problem: SignatureError) -> String { "the signed response: \(problem)" }

    @Test("each algorithm of the allow-list is verified", arguments: IDTokenSignatureTests.algorithms)
    func allowed(algorithm: String, key: TestKey) async throws {
        let fixture = try Fixture(keys: [key])
        let response = try await fixture.verify(key.sign(fixture.responseClaims(), algorithm)).get()
        guard case .code(let code) = response.outcome else { return #expect(Bool(false), "no code") }
        #expect(code == Secret("c0de"))
        #expect(response.stateHash == SHA256Digest(of: "the-state"))
        #expect(response.parameters.contains(FormField("iss", fixture.server.url)))
    }

    @Test("a changed claim is refused", arguments: IDTokenSignatureTests.algorithms)
    func changed(algorithm: String, key: TestKey) async throws {
        let fixture = try Fixture(keys: [key])
        let good = key.sign(fixture.responseClaims(), algorithm).split(separator: ".")
        let other = key.sign(fixture.responseClaims(["code": "mallory"]), algorithm).split(separator: ".")
        #expect(try await fixture.distrust("\(good[0]).\(other[1]).\(good[2])") == Self.reason(.wrongSignature))
    }

    @Test("an error is believed only with its signature, as a code is")
    func error() async throws {
        let fixture = try Fixture()
        let claims = fixture.responseClaims(["code": .null, "error": "access_denied"])
        let response = try await fixture.verify(TestKey.rsa.sign(claims, "RS256")).get()
        guard case .error(let error) = response.outcome else { return #expect(Bool(false), "no error") }
        #expect(error.error == "access_denied")
        let forged = TestKey.otherRSA.named("rsa").sign(claims, "RS256")
        #expect(try await fixture.distrust(forged) == Self.reason(.wrongSignature))
    }

    @Test("an algorithm that is not on the list is refused", arguments: ["none", "None", "HS256", "Ed448", "RS1", ""])
    func notAllowed(algorithm: String) async throws {
        let fixture = try Fixture()
        let compact = TestKey.rsa.pretend(fixture.responseClaims(), algorithm)
        #expect(try await fixture.distrust(compact) == Self.reason(.algorithmNotAllowed))
        #expect(fixture.server.count("/keys") == 0)
    }

    @Test("an HMAC made with the public key is refused")
    func hmac() async throws {
        let fixture = try Fixture()
        let compact = TestKey.rsa.signAsHMAC(fixture.responseClaims())
        #expect(try await fixture.distrust(compact) == Self.reason(.algorithmNotAllowed))
    }

    @Test("an algorithm never meets a key of another kind", arguments: [("ES256", TestKey.p384), ("RS256", .p256)])
    func otherKind(algorithm: String, key: TestKey) async throws {
        let fixture = try Fixture(keys: [key])
        let compact = key.pretend(fixture.responseClaims(), algorithm)
        #expect(try await fixture.distrust(compact) == Self.reason(.noKey))
    }

    static let wrongClaims: [(JSONObject, AuthorizationResponseError)] = [
        (["aud": "another"], .wrongAudience), (["aud": .null], .missingClaim(name: "aud")),
        (["exp": .null], .missingClaim(name: "exp")), (["exp": .integer(TestClock.wallStart - 61)], .expired),
        (["nbf": .integer(TestClock.wallStart + 3600)], .notYetValid),
        (["error": "x"], .inside(.bothCodeAndError)),
    ]

    @Test("a wrong claim is refused, though the signature is right, and costs no fetch", arguments: wrongClaims)
    func wrongClaim(changes: JSONObject, error: AuthorizationResponseError) async throws {
        let fixture = try Fixture()
        let compact = TestKey.rsa.sign(fixture.responseClaims(changes), "RS256")
        #expect(try await fixture.distrust(compact) == error.description)
        #expect(fixture.server.count("/keys") == 0)
    }

    @Test("a response of another issuer is told apart")
    func wrongIssuer() async throws {
        let fixture = try Fixture()
        let compact = TestKey.rsa.sign(fixture.responseClaims(["iss": "https://evil.example"]), "RS256")
        guard case .rejected(.wrongIssuer) = try await fixture.verify(compact).failure else {
            return #expect(Bool(false), "not refused as another issuer's")
        }
    }

    @Test("the issuer's clock may differ by what its settings say")
    func skew() async throws {
        let fixture = try Fixture { $0.clockSkew = 5 }
        let late = fixture.responseClaims(["exp": .integer(TestClock.wallStart - 4)])
        _ = try await fixture.verify(TestKey.rsa.sign(late, "RS256")).get()
        let tooLate = fixture.responseClaims(["exp": .integer(TestClock.wallStart - 5)])
        #expect(
            try await fixture.distrust(TestKey.rsa.sign(tooLate, "RS256"))
                == AuthorizationResponseError.expired.description)
    }

    @Test("an unknown key ID fetches the keys at once, further ones at most every 30 s")
    func rotation() async throws {
        let fixture = try Fixture(keys: [.rsa])
        _ = try await fixture.verify(TestKey.rsa.sign(fixture.responseClaims(), "RS256")).get()
        fixture.alter { $0.keys = .json(Fixture.keySet([TestKey.rsa.json(), TestKey.otherRSA.json()])) }
        _ = try await fixture.verify(TestKey.otherRSA.sign(fixture.responseClaims(), "RS256")).get()
        #expect(fixture.server.count("/keys") == 2)
        let unknown = TestKey.otherRSA.named("rsa-3").sign(fixture.responseClaims(), "RS256")
        for _ in 0..<3 { #expect(try await fixture.distrust(unknown) == Self.reason(.noKey)) }
        #expect(fixture.server.count("/keys") == 2)
    }

    @Test("an issuer out of reach is no verdict on the response", arguments: [true, false])
    func unavailable(metadata: Bool) async throws {
        let fixture = try Fixture()
        fixture.alter {
            if metadata { $0.metadata = .close } else { $0.keys = .answer(status: 500, body: "") }
        }
        let failure = try await fixture.verify(TestKey.rsa.sign(fixture.responseClaims(), "RS256")).failure
        guard case .unavailable(let outage) = failure else { return #expect(Bool(false), "a verdict") }
        #expect(outage.retryAfter == 5)
    }

    @Test("signed responses and ID tokens share the keys that were fetched")
    func sharedKeys() async throws {
        let fixture = try Fixture()
        fixture.answerToken()
        _ = try await fixture.redeem().get()
        _ = try await fixture.verify(TestKey.rsa.sign(fixture.responseClaims(), "RS256")).get()
        #expect(fixture.server.count("/keys") == 1)
    }
}
