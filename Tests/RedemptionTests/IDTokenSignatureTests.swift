import SwitchyardJOSE
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardRedemption

@Suite("The signature of an ID token")
struct IDTokenSignatureTests {
    static let algorithms: [(String, TestKey)] = [
        ("RS256", .rsa), ("RS384", .rsa), ("RS512", .rsa), ("PS256", .rsa), ("PS384", .rsa), ("PS512", .rsa),
        ("ES256", .p256), ("ES384", .p384), ("ES512", .p521), ("EdDSA", .ed25519), ("Ed25519", .ed25519),
    ]

    @Test("each algorithm of the allow-list is verified", arguments: algorithms)
    func allowed(algorithm: String, key: TestKey) async throws {
        let fixture = try Fixture(keys: [key])
        fixture.answerToken(signedBy: key, algorithm)
        let tokens = try await fixture.redeem().get()
        #expect(tokens.idTokenClaims?["sub"] == "alice")
    }

    @Test("a changed claim is refused", arguments: algorithms)
    func changed(algorithm: String, key: TestKey) async throws {
        let fixture = try Fixture(keys: [key])
        let good = key.sign(fixture.claims(), algorithm).split(separator: ".")
        let other = key.sign(fixture.claims(["sub": "mallory"]), algorithm).split(separator: ".")
        fixture.answerTokens(.json(Fixture.tokenResponse("\(good[0]).\(other[1]).\(good[2])")))
        let failure = await fixture.redeem().failure
        #expect(failure?.code == .invalidIDToken)
        #expect(failure?.description == "the ID token: \(SignatureError.wrongSignature)")
    }

    @Test("an algorithm that is not on the list is refused", arguments: ["none", "None", "HS256", "Ed448", "RS1", ""])
    func notAllowed(algorithm: String) async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.json(Fixture.tokenResponse(TestKey.rsa.pretend(fixture.claims(), algorithm))))
        let failure = await fixture.redeem().failure
        #expect(failure?.code == .invalidIDToken)
        #expect(failure?.description == "the ID token: \(SignatureError.algorithmNotAllowed)")
    }

    @Test("alg none without a signature is refused")
    func unsigned() async throws {
        let fixture = try Fixture()
        let token = TestKey.rsa.pretend(fixture.claims(), "none", signature: "")
        fixture.answerTokens(.json(Fixture.tokenResponse(token)))
        #expect(await fixture.redeem().failure?.code == .invalidIDToken)
    }

    @Test("an HMAC made with the public key is refused")
    func hmac() async throws {
        let fixture = try Fixture()
        let token = TestKey.rsa.signAsHMAC(fixture.claims())
        try #require(!token.isEmpty)
        fixture.answerTokens(.json(Fixture.tokenResponse(token)))
        #expect(await fixture.redeem().failure?.description == "the ID token: \(SignatureError.algorithmNotAllowed)")
    }

    @Test("an RSA key under 2048 bits is refused")
    func shortRSA() async throws {
        let fixture = try Fixture(keys: [.shortRSA])
        fixture.answerToken(signedBy: .shortRSA)
        #expect(await fixture.redeem().failure?.description == "the ID token: \(SignatureError.noKey)")
    }

    static let disagreeing: [JSONObject] = [
        ["use": "enc"], ["use": 1], ["alg": 1], ["alg": ""], ["key_ops": []], ["alg": "RS512"], ["alg": "RSA-OAEP"],
        ["key_ops": ["encrypt"]], ["kty": "EC"],
    ]

    @Test("a key that says that it is for something else is refused", arguments: disagreeing)
    func otherUse(members: JSONObject) async throws {
        let fixture = try Fixture()
        fixture.alter { $0.keys = .json(Fixture.keySet([TestKey.rsa.json(members)])) }
        fixture.answerToken()
        #expect(await fixture.redeem().failure?.description == "the ID token: \(SignatureError.noKey)")
    }

    @Test("a key that says that it is for this is taken")
    func sameUse() async throws {
        let fixture = try Fixture()
        let key = TestKey.rsa.json(["use": "sig", "alg": "RS256", "key_ops": ["verify"]])
        fixture.alter { $0.keys = .json(Fixture.keySet([key])) }
        fixture.answerToken()
        #expect(try await fixture.redeem().get().idTokenClaims != nil)
    }

    @Test(
        "a key on Ed25519 is taken by either name of its algorithm, and for no other", arguments: ["EdDSA", "Ed25519"])
    func ed25519Names(algorithm: String) async throws {
        for (said, isTaken) in [("EdDSA", true), ("Ed25519", true), ("Ed448", false), ("ES256", false)] {
            let fixture = try Fixture()
            fixture.alter { $0.keys = .json(Fixture.keySet([TestKey.ed25519.json(["alg": .string(said)])])) }
            fixture.answerToken(signedBy: .ed25519, algorithm)
            #expect((await fixture.redeem().failure == nil) == isTaken, "\(said)")
        }
    }

    @Test(
        "an algorithm never meets a key of another kind",
        arguments: [("ES256", TestKey.p384), ("RS256", .p256), ("EdDSA", .rsa), ("RS256", .ed25519)])
    func otherKind(algorithm: String, key: TestKey) async throws {
        let fixture = try Fixture(keys: [key])
        fixture.answerTokens(.json(Fixture.tokenResponse(key.pretend(fixture.claims(), algorithm))))
        #expect(await fixture.redeem().failure?.description == "the ID token: \(SignatureError.noKey)")
    }

    static let choices: [(published: [TestKey], signer: TestKey)] = [
        ([.otherRSA.named(nil), .rsa.named(nil)], .rsa.named(nil)),
        ([.otherRSA.named(nil), .p256.named(nil), .rsa.named(nil)], .rsa),
        ([.otherRSA, .rsa], .rsa.named(nil)),
    ]

    @Test("without a key ID on one side, every key that fits is tried", arguments: choices)
    func choice(published: [TestKey], signer: TestKey) async throws {
        let fixture = try Fixture(keys: published)
        fixture.answerToken(signedBy: signer)
        #expect(try await fixture.redeem().get().idTokenClaims != nil)
    }

    @Test("the key ID decides: a fitting key under another one is not tried")
    func wrongKeyID() async throws {
        let fixture = try Fixture(keys: [.otherRSA.named("rsa"), .rsa.named("rsa-2")])
        fixture.answerToken(signedBy: .rsa)
        #expect(await fixture.redeem().failure?.description == "the ID token: \(SignatureError.wrongSignature)")
    }

    @Test("keys of unknown kinds beside a good one do no harm")
    func unknownKinds() async throws {
        let fixture = try Fixture()
        let strange: [JSONValue] = [
            ["kty": "OKP", "crv": "Ed25519", "x": "AAAA"], ["kty": "oct", "k": "AAAA"], ["kty": "RSA", "n": "!"],
            ["kty": "EC", "crv": "P-256", "x": "AAAA", "y": "AAAA"], "no key", [:],
            TestKey.rsa.json(["kid": "padded", "e": "A=AA"]),
            TestKey.p256.json(["kid": "padded", "y": "AAAAA=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]),
        ]
        fixture.alter { $0.keys = .json(Fixture.keySet(strange + [TestKey.rsa.json()])) }
        fixture.answerToken()
        #expect(try await fixture.redeem().get().idTokenClaims != nil)
    }
}
