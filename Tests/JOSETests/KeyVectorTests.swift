import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("Keys that RFCs publish") struct KeyVectorTests {
    private func usable(_ source: String) throws -> [VerificationKey] {
        let vector = try #require(Vector.keySets.first { $0.text("source") == source })
        return try #require(KeySet(vector.object("set"))).keys
    }

    @Test("of the sets of RFC 7517, the RSA keys may verify; an encryption key and secrets may not")
    func sets() throws {
        let public1 = try usable("RFC 7517 A.1")
        #expect(public1.map(\.id) == ["2011-04-29"])
        #expect(public1.map(\.algorithm) == ["RS256"])
        #expect(try usable("RFC 7517 A.3").isEmpty)
        #expect(try usable("RFC 7517 B").map(\.id) == ["1b94c"])
    }

    @Test("the thumbprints are those of RFC 7638 section 3.1 and RFC 8037 appendix A.3")
    func thumbprints() throws {
        let rsa = try #require(usable("RFC 7517 A.1").first)
        let ed25519 = PublicNumbers(jwk: [
            "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        ])
        for (numbers, thumbprint) in [
            (rsa.key.numbers, "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"),
            (try #require(ed25519), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
        ] {
            let digest = SHA256Digest(of: JSONValue.object(numbers.jwk).serialized)
            #expect(Base64URL.encode(digest.bytes) == thumbprint)
        }
    }

    @Test("the key pair of RFC 7517 appendix A.2 is read, and its parts do not go with those of another")
    func pairs() throws {
        let vector = try #require(Vector.pairs.first)
        let jwk = vector.object("jwk")
        let key = try #require(PrivateKey(exported: Secret(JSONValue.object(jwk).serialized)))
        let text = try #require(key.exported)
        let exported = try #require(try JSONValue.parse(text.exposedBytes).object)
        #expect(Set(exported.members.map(\.name)) == ["kty", "crv", "x", "y", "d"])
        for (name, value) in exported.members { #expect(value == jwk[name]) }
        let other = try #require(PrivateKey()?.exported).exposedBytes
        let strange = try #require(try JSONValue.parse(other).object?["d"])
        let zero = Base64URL.encode([UInt8](repeating: 0, count: 32))
        // The order of the group.
        let order = "_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE"
        for d: JSONValue in [strange, .string(zero), .string(order), "AQ", "", 1, .null] {
            var changed = exported
            changed["d"] = d
            #expect(PrivateKey(exported: Secret(JSONValue.object(changed).serialized)) == nil, "\(d)")
        }
    }

    @Test(
        "a JWK with padding, or with a number of another length, is no key",
        arguments: [
            #"{"kty":"RSA","n":"AQAB","e":"A=AA"}"#, #"{"kty":"RSA","n":"AQAB","e":"A\u003dAA"}"#,
            #"{"kty":"RSA","n":"A=AA","e":"AQAB"}"#, #"{"kty":"RSA","n":"AQAB"}"#, #"{"kty":"oct","k":"A="}"#,
            #"{"kty":"oct","k":"AAAA"}"#, "{}", #"{"kty":"OKP","crv":"Ed25519","x":"AAAA"}"#,
            #"{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"AAAAA=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
            #"{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"}"#,
            #"{"kty":"EC","crv":"P-384","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}"#,
            #"{"kty":"EC","crv":"secp256k1","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}"#,
        ])
    func noKey(text: String) throws {
        let json = try #require(try JSONValue.parse(Array(text.utf8)).object)
        #expect(PublicNumbers(jwk: json) == nil)
    }

    @Test("a point that is not on its curve is no key", arguments: Curve.allCases)
    func offCurve(curve: Curve) throws {
        let pair = try #require(KeyPair(generating: .ec(curve)))
        guard case .ec(_, let x, let y) = pair.publicKey.numbers else { return }
        #expect(AsymmetricPublicKey(.ec(curve, x: x, y: y)) == pair.publicKey)
        let zero = [UInt8](repeating: 0, count: curve.size)
        let large = [UInt8](repeating: 0xFF, count: curve.size)
        for (x, y) in [(y, x), (zero, zero), (x, zero), (large, y), (x, large), (x, Array(y.dropLast())), ([0] + x, y)]
        {
            #expect(AsymmetricPublicKey(.ec(curve, x: x, y: y)) == nil)
        }
    }
}
