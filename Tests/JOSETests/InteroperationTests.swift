import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("Sealing, held against another implementation") struct InteroperationTests {
    @Test("what is sealed opens by RFC 7518 section 4.6 without libcjose", arguments: [0, 1, 15, 16, 17, 4096])
    func opens(size: Int) throws {
        let opener = try #require(IndependentOpener())
        let plaintext = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try #require(try PublicKey(opener.publicJWK).seal(plaintext))
        #expect(opener.open(sealed) == plaintext)
    }

    // About one coordinate or agreement in 256 begins with a zero byte: where these are cut off, others cannot read it.
    @Test("leading zeros in coordinates and agreements stay")
    func leadingZeros() throws {
        for _ in 0..<600 {
            let opener = try #require(IndependentOpener())
            let sealed = try #require(try PublicKey(opener.publicJWK).seal([1, 2, 3]))
            #expect(opener.open(sealed) == [1, 2, 3])
        }
    }

    @Test("what has another form than ECDH-ES with A256GCM has is not opened, though libcjose would")
    func form() throws {
        let key = try #require(PrivateKey())
        let sealed = try #require(key.publicKey.seal(Array("result".utf8)))
        let parts = sealed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        func with(_ index: Int, _ text: String) -> String {
            var changed = parts
            changed[index] = text
            return changed.joined(separator: ".")
        }
        #expect(key.open(sealed) == Array("result".utf8))
        #expect(key.open(with(1, "AAAA")) == nil, "an encrypted key")
        #expect(key.open(with(2, parts[2] + "AAAA")) == nil, "a long initialization vector")
        #expect(key.open(with(4, parts[4] + "AA")) == nil, "a long tag")
    }

    // libcjose's decoder ends the process on some of these.
    @Test("a part with padding opens nothing, and nothing worse", arguments: 0..<5, ["A=", "A===", "A=AA", "AAAAA=AA"])
    func padding(index: Int, text: String) throws {
        let key = try #require(PrivateKey())
        let sealed = try #require(key.publicKey.seal(Array("result".utf8)))
        var parts = sealed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        parts[index] = text
        #expect(key.open(parts.joined(separator: ".")) == nil)
    }

    @Test("names of parties in the header open nothing, and nothing worse", arguments: ["apu", "apv"], ["A=AA", "QQ"])
    func parties(name: String, value: String) throws {
        let key = try #require(PrivateKey())
        let sealed = try #require(key.publicKey.seal(Array("result".utf8)))
        let parts = sealed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let bytes = try #require(Base64URL.decode(parts[0]))
        var header = try #require(try JSONValue.parse(bytes).object)
        header[name] = .string(value)
        let changed = Base64URL.encode(JSONValue.object(header).serialized)
        #expect(key.open(([changed] + parts[1...]).joined(separator: ".")) == nil)
    }

    @Test(
        "a JWK with padding in a member is no key, and nothing worse",
        arguments: [
            #"{"kty":"RSA","n":"AQAB","e":"A=AA"}"#, #"{"kty":"RSA","n":"AQAB","e":"A\u003dAA"}"#,
            #"{"kty":"RSA","n":"A=AA","e":"AQAB"}"#, #"{"kty":"oct","k":"A="}"#,
            #"{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"AAAAA=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
        ])
    func paddedJWK(text: String) {
        #expect(JOSEKey(jwk: Array(text.utf8)) == nil)
    }

    static let badEphemeralKeys: [JSONValue] = [
        .null, 5, "x", [], [:], ["kty": "oct", "k": "AAAA"], ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"],
        ["kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"],
        [
            "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        ],
        [
            "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y": "AAAAA=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        ],
    ]

    @Test("an ephemeral key that is none, or no point of the curve, opens nothing", arguments: badEphemeralKeys)
    func ephemeralKey(epk: JSONValue) throws {
        let key = try #require(PrivateKey())
        let sealed = try #require(key.publicKey.seal(Array("result".utf8)))
        let header: JSONObject = ["alg": "ECDH-ES", "enc": "A256GCM", "epk": epk]
        let rest = sealed.drop { $0 != "." }
        #expect(key.open(Base64URL.encode(JSONValue.object(header).serialized) + rest) == nil)
    }
}
