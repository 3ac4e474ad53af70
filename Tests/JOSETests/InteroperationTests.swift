import Crypto
import JSON
import Testing

@testable import JOSE

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

    static let badEphemeralKeys: [JSONValue] = [
        .null, 5, "x", [], [:], ["kty": "oct", "k": "AAAA"], ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"],
        ["kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"],
        [
            "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
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
