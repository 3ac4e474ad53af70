import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("Keys with which a client signs") struct SigningKeyTests {
    private func isSigned(_ compact: String, by key: SigningKey, _ algorithm: SigningAlgorithm) throws -> Bool {
        let numbers = try #require(PublicNumbers(jwk: key.published))
        let published = try #require(AsymmetricPublicKey(numbers))
        return try CompactJWS(compact).isSigned(by: published, algorithm)
    }

    @Test(
        "each kind signs with its algorithm, survives its file, and publishes no private part",
        arguments: SigningKey.Kind.allCases)
    func kinds(kind: SigningKey.Kind) throws {
        let made = try #require(SigningKey(generating: kind))
        let key = try SigningKey(id: made.id, pem: try #require(made.pem))
        #expect(key == made)
        let compact = try #require(key.sign(["a": "b"], type: "t", announced: [kind.rawValue]))
        #expect(try isSigned(compact, by: made, try #require(SigningAlgorithm(rawValue: kind.rawValue))))
        let jws = try CompactJWS(compact)
        #expect(jws.header == ["typ": "t", "kid": .string(made.id), "alg": .string(kind.rawValue)])
        #expect(jws.payload == Array(#"{"a":"b"}"#.utf8))
        for name in ["d", "p", "q", "dp", "dq", "qi", "k"] { #expect(key.published[name] == nil) }
        #expect(key.published["use"] == "sig" && key.published["kid"] == .string(made.id))
    }

    @Test(
        "the receiver's metadata choose between the names of one key",
        arguments: [
            (SigningKey.Kind.rsa, [], .ps256), (.rsa, ["RS256"], .rs256), (.rsa, ["RS256", "PS256"], .ps256),
            (.rsa, ["ES256"], .ps256), (.ed25519, [], .edDSA), (.ed25519, ["EdDSA"], .edDSA),
            (.ed25519, ["EdDSA", "Ed25519"], .ed25519), (.p256, ["RS256"], .es256), (.p384, ["ES256"], .es384),
        ] as [(SigningKey.Kind, [String], SigningAlgorithm)])
    func algorithms(kind: SigningKey.Kind, announced: [String], expected: SigningAlgorithm) throws {
        let key = try #require(SigningKey(generating: kind))
        #expect(key.algorithm(announced: announced) == expected)
        let compact = try #require(key.sign([:], type: "t", announced: announced))
        #expect(try isSigned(compact, by: key, expected))
    }

    @Test("a weak key and one on another curve do not sign")
    func refused() throws {
        let weak = try #require(KeyPair(generating: .rsa, rsaBits: 1024))
        #expect(throws: SigningKeyError.weak(bits: 1024)) { try SigningKey(id: "k", weak) }
        let other = try #require(KeyPair(generating: .ec(.p521)))
        #expect(throws: SigningKeyError.wrongCurve("P-521")) { try SigningKey(id: "k", other) }
        #expect(throws: SigningKeyError.noKey) { try SigningKey(id: "k", pem: Secret("none")) }
    }

    @Test("a certificate must be one, and for the key")
    func certificates() throws {
        let pair = try #require(KeyPair(generating: .ec(.p256)))
        #expect(throws: SigningKeyError.noCertificate) { try SigningKey(id: "k", pair, Array("none".utf8)) }
        #expect(throws: SigningKeyError.noCertificate) { try SigningKey(id: "k", pair, []) }
    }

    @Test("an assertion under a secret is authenticated by that secret only")
    func code() throws {
        let (secret, other) = (Secret([UInt8](repeating: 7, count: 32)), Secret([UInt8](repeating: 8, count: 32)))
        let jws = try CompactJWS(try #require(SecretSignature.sign(["a": "b"], type: "t", by: secret)))
        #expect(jws.isAuthenticated(by: secret) && !jws.isAuthenticated(by: other))
        #expect(jws.header == ["typ": "t", "alg": "HS256"])
    }

    @Test("a short secret does not sign")
    func short() {
        #expect(SecretSignature.sign([:], type: "t", by: Secret([UInt8](repeating: 7, count: 31))) == nil)
    }
}
