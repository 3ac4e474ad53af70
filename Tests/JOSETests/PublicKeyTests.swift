import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("Public keys of apps") struct PublicKeyTests {
    /// The public key of RFC 7517 appendix A.1.
    private static let members: JSONObject = [
        "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
    ]

    private func key(_ changes: JSONObject) throws(PublicKeyError) -> PublicKey {
        var members = Self.members
        for change in changes.members { members[change.name] = change.value == .null ? nil : change.value }
        return try PublicKey(members)
    }

    @Test("a public P-256 key is taken, without its unused members")
    func taken() throws {
        let plain = try key([:])
        #expect(try key(["kid": "1", "x5t": "AA", "use": "enc", "alg": "ECDH-ES"]) == plain)
        #expect(try key(["use": "sig", "key_ops": ["verify"], "alg": "ES256"]) == plain)
        #expect(try key(["key_ops": []]) == plain)
        #expect(plain.json == (try PublicKey(plain.json)).json)
        #expect(PublicKey(jwk: plain.jwk) == plain)
    }

    @Test("the thumbprint is that of RFC 7638, whatever the order of the members")
    func thumbprint() throws {
        let canonical =
            #"{"crv":"P-256","kty":"EC","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}"#
        #expect(try key([:]).thumbprint == SHA256Digest(of: canonical))
    }

    @Test(
        "anything else is refused for what it is",
        arguments: [
            (["kty": "RSA"], .notP256), (["kty": .null], .notP256), (["crv": "P-384"], .notP256),
            (["crv": "X25519"], .notP256), (["x": "AAAA"], .notP256), (["y": .null], .notP256), (["y": 1], .notP256),
            (["x": "not base64!"], .notP256), (["d": "AAAA"], .isPrivate), (["use": "other"], .forSomethingElse),
            (["alg": "RSA-OAEP"], .forSomethingElse), (["key_ops": ["sign"]], .forSomethingElse),
            (["key_ops": "verify"], .forSomethingElse),
            (["x": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"], .notOnCurve),
            (["y": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"], .notOnCurve),
        ] as [(JSONObject, PublicKeyError)])
    func refused(changes: JSONObject, error: PublicKeyError) {
        #expect(throws: error) { try key(changes) }
    }
}
