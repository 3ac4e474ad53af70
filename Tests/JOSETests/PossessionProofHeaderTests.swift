import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("Proofs of possession that another program made") struct PossessionProofHeaderTests {
    private static let now: Int64 = 1_800_000_000
    private let key: PrivateKey

    init() throws {
        key = try #require(PrivateKey())
    }

    private var expected: PossessionProof {
        PossessionProof(
            thumbprint: key.publicKey.thumbprint, method: "GET", urls: ["https://a.example/r"], now: Self.now,
            token: "token")
    }

    /// A proof that is right but for `header` and `claims`, where null takes a member out; its signature is not.
    private func proof(header: JSONObject = [:], claims: JSONObject = [:]) -> String {
        let right: [JSONObject] = [
            ["typ": "dpop+jwt", "alg": "ES256", "jwk": .object(key.publicKey.json)],
            ["jti": "1", "htm": "GET", "htu": "https://a.example/r", "iat": .integer(Self.now)],
        ]
        let parts = zip(right, [header, claims]).map { right, changes in
            var object = right
            for (name, value) in changes.members { object[name] = value == .null ? nil : value }
            return Base64URL.encode(JSONValue.object(object).serialized)
        }
        return parts.joined(separator: ".") + "." + Base64URL.encode([UInt8](repeating: 1, count: 64))
    }

    @Test(
        "a header that does not fit is refused for its reason",
        arguments: [
            (["typ": .null], .wrongType), (["typ": 1], .wrongType), (["crit": []], .wrongType),
            (["alg": .null], .algorithmNotAllowed), (["alg": "ES384"], .algorithmNotAllowed),
            (["alg": ["ES256"]], .algorithmNotAllowed), (["jwk": .null], .wrongKey), (["jwk": "x"], .wrongKey),
            (["jwk": [:]], .wrongKey), (["jwk": ["kty": "oct", "k": "AAAA"]], .wrongKey),
            (["kid": "1"], .wrongSignature),
        ] as [(JSONObject, PossessionProofError)])
    func header(changes: JSONObject, error: PossessionProofError) {
        #expect(throws: error) { try expected.check(proof(header: changes)) }
    }

    @Test("a key with its private part is refused")
    func privateKey() {
        var jwk = key.publicKey.json
        jwk["d"] = "AAAA"
        #expect(throws: PossessionProofError.wrongKey) { try expected.check(proof(header: ["jwk": .object(jwk)])) }
    }

    @Test(
        "claims that do not fit are refused for their reason, before the signature costs anything",
        arguments: [
            (["htm": .null], .wrongMethod), (["htm": "get"], .wrongMethod), (["htm": 1], .wrongMethod),
            (["htu": .null], .wrongURL), (["htu": ["https://a.example/r"]], .wrongURL),
            (["htu": "http://a.example/r"], .wrongURL), (["htu": "https://a.example/R"], .wrongURL),
            (["htu": "https://a.example/r/"], .wrongURL), (["htu": "https://x@a.example/r"], .wrongURL),
            (["htu": "https://a.example"], .wrongURL), (["htu": "https://a.example:80/r"], .wrongURL),
            (["iat": .null], .malformed), (["iat": "1800000000"], .malformed), (["iat": .integer(.min)], .tooOld),
            (["iat": .integer(.max)], .fromTheFuture), (["ath": 1], .wrongToken), (["ath": ""], .wrongToken),
            (["jti": .null], .missingID), (["jti": ""], .missingID),
            (["jti": .string(String(repeating: "j", count: 257))], .missingID),
        ] as [(JSONObject, PossessionProofError)])
    func claims(changes: JSONObject, error: PossessionProofError) {
        #expect(throws: error) { try expected.check(proof(claims: changes)) }
    }

    @Test("a signature of any length that is not the key's is wrong", arguments: [1, 32, 63, 64, 65, 72, 128, 512])
    func signature(length: Int) {
        let parts = proof().split(separator: ".")
        for byte: UInt8 in [0, 1, 0xFF] {
            let signature = Base64URL.encode([UInt8](repeating: byte, count: length))
            #expect(throws: PossessionProofError.wrongSignature) {
                try expected.check("\(parts[0]).\(parts[1]).\(signature)")
            }
        }
    }

    @Test(
        "a signature that is no base64url is wrong",
        arguments: ["", "A", "A=", "A===", "A=AA", "AAAAA=AA", "AA==", "=", "====", "AA=A", "A!AA", "+/AA", "AA\u{E9}"])
    func noBase64URL(signature: String) {
        let parts = proof().split(separator: ".")
        #expect(throws: PossessionProofError.wrongSignature) {
            try expected.check("\(parts[0]).\(parts[1]).\(signature)")
        }
    }

    @Test("a name that stands twice in the header is refused")
    func duplicate() {
        let header = Base64URL.encode(Array(#"{"typ":"dpop+jwt","alg":"ES256","alg":"none"}"#.utf8))
        let rest = proof().drop { $0 != "." }
        #expect(throws: PossessionProofError.malformed) { try expected.check(header + rest) }
    }

    @Test("a proof over the limit is refused")
    func tooLarge() {
        let proof = proof(claims: ["x": .string(String(repeating: "x", count: 8 * 1024))])
        #expect(throws: PossessionProofError.malformed) { try expected.check(proof) }
    }
}
