import Crypto
import JSON
import OAuth
import Testing

@testable import Redemption

@Suite("Signed authorization responses")
struct JWTResponseTests {
    @Test("each algorithm of the allow-list is verified", arguments: IDTokenSignatureTests.algorithms)
    func allowed(algorithm: String, key: TestKey) async throws {
        let fixture = try Fixture(keys: [key])
        let response = try await fixture.verify(key.sign(fixture.responseClaims(), algorithm)).get()
        guard case .code(let code) = response.outcome else { return #expect(Bool(false), "no code") }
        #expect(code == Secret("c0de"))
        #expect(response.state == Secret("the-state"))
        #expect(response.issuer == fixture.server.url)
    }

    @Test("an error is believed only with its signature, as a code is")
    func error() async throws {
        let fixture = try Fixture()
        let claims = fixture.responseClaims(["code": .null, "error": "access_denied"])
        let response = try await fixture.verify(TestKey.rsa.sign(claims, "RS256")).get()
        guard case .error(let error) = response.outcome else { return #expect(Bool(false), "no error") }
        #expect(error.error == "access_denied")
        let forged = TestKey.otherRSA.named("rsa").sign(claims, "RS256")
        #expect(try await fixture.verify(forged).failure == .notTrusted(reason: "wrong_signature"))
    }

    @Test("a changed claim is refused", arguments: IDTokenSignatureTests.algorithms)
    func changed(algorithm: String, key: TestKey) async throws {
        let fixture = try Fixture(keys: [key])
        let good = key.sign(fixture.responseClaims(), algorithm).split(separator: ".")
        let other = key.sign(fixture.responseClaims(["code": "mallory"]), algorithm).split(separator: ".")
        let failure = try await fixture.verify("\(good[0]).\(other[1]).\(good[2])").failure
        #expect(failure == .notTrusted(reason: "wrong_signature"))
    }

    @Test("an algorithm that is not on the list is refused", arguments: ["none", "None", "HS256", "EdDSA", "RS1", ""])
    func notAllowed(algorithm: String) async throws {
        let fixture = try Fixture()
        let failure = try await fixture.verify(TestKey.rsa.pretend(fixture.responseClaims(), algorithm)).failure
        #expect(failure == .notTrusted(reason: "algorithm_not_allowed"))
    }

    @Test("an HMAC made with the public key is refused")
    func hmac() async throws {
        let fixture = try Fixture()
        let compact = TestKey.rsa.signAsHMAC(fixture.responseClaims())
        #expect(try await fixture.verify(compact).failure == .notTrusted(reason: "algorithm_not_allowed"))
    }

    @Test("an algorithm never meets a key of another kind", arguments: [("ES256", TestKey.p384), ("RS256", .p256)])
    func otherKind(algorithm: String, key: TestKey) async throws {
        let fixture = try Fixture(keys: [key])
        let failure = try await fixture.verify(key.pretend(fixture.responseClaims(), algorithm)).failure
        #expect(failure == .notTrusted(reason: "no_key"))
    }

    static let wrongClaims: [(JSONObject, String)] = [
        (["iss": "https://evil.example"], "wrong_issuer"), (["aud": "another"], "wrong_audience"),
        (["aud": .null], "invalid_claim"), (["exp": .null], "invalid_claim"),
        (["exp": .integer(TestClock.wallStart - 61)], "expired"),
        (["nbf": .integer(TestClock.wallStart + 3600)], "not_yet_valid"),
    ]

    @Test("a wrong claim is refused, though the signature is right, and fetches no keys", arguments: wrongClaims)
    func wrongClaim(changes: JSONObject, reason: String) async throws {
        let fixture = try Fixture()
        let compact = TestKey.rsa.sign(fixture.responseClaims(changes), "RS256")
        #expect(try await fixture.verify(compact).failure == .notTrusted(reason: reason))
        #expect(fixture.server.count("/keys") == 0)
    }

    @Test("the issuer's clock may differ by what its settings say")
    func skew() async throws {
        let fixture = try Fixture { $0.clockSkew = 5 }
        let late = fixture.responseClaims(["exp": .integer(TestClock.wallStart - 4)])
        _ = try await fixture.verify(TestKey.rsa.sign(late, "RS256")).get()
        let tooLate = fixture.responseClaims(["exp": .integer(TestClock.wallStart - 5)])
        let failure = try await fixture.verify(TestKey.rsa.sign(tooLate, "RS256")).failure
        #expect(failure == .notTrusted(reason: "expired"))
    }

    @Test("an unknown key ID fetches the keys at once, further ones at most every 30 s")
    func rotation() async throws {
        let fixture = try Fixture(keys: [.rsa])
        _ = try await fixture.verify(TestKey.rsa.sign(fixture.responseClaims(), "RS256")).get()
        fixture.alter { $0.keys = .json(Fixture.keySet([TestKey.rsa.json(), TestKey.otherRSA.json()])) }
        _ = try await fixture.verify(TestKey.otherRSA.sign(fixture.responseClaims(), "RS256")).get()
        #expect(fixture.server.count("/keys") == 2)
        let unknown = TestKey.otherRSA.named("rsa-3").sign(fixture.responseClaims(), "RS256")
        for _ in 0..<3 { #expect(try await fixture.verify(unknown).failure == .notTrusted(reason: "no_key")) }
        #expect(fixture.server.count("/keys") == 2)
    }

    @Test("an issuer out of reach is no verdict on the response", arguments: [true, false])
    func unavailable(metadata: Bool) async throws {
        let fixture = try Fixture()
        fixture.alter {
            if metadata { $0.metadata = .close } else { $0.keys = .answer(status: 500, body: "") }
        }
        let failure = try await fixture.verify(TestKey.rsa.sign(fixture.responseClaims(), "RS256")).failure
        guard case .issuerUnavailable(let outage) = failure else {
            return #expect(Bool(false), "\(String(describing: failure))")
        }
        #expect(outage.retryAfter == 5)
    }

    @Test("a response and an ID token share the keys that were fetched")
    func sharedKeys() async throws {
        let fixture = try Fixture()
        fixture.answerToken()
        _ = try await fixture.redeem().get()
        _ = try await fixture.verify(TestKey.rsa.sign(fixture.responseClaims(), "RS256")).get()
        #expect(fixture.server.count("/keys") == 1)
    }

    @Test("an ID token is no authorization response")
    func idToken() async throws {
        let fixture = try Fixture()
        let token = TestKey.rsa.sign(fixture.claims(), "RS256")
        #expect(throws: JWTResponseError.parameters(.missingState)) { try UnverifiedJWTResponse.parse(compact: token) }
    }
}
