import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("Sealing to the app") struct SealingTests {
    private let key: PrivateKey

    init() throws {
        key = try #require(PrivateKey())
    }

    private func header(_ compact: String) throws -> JSONObject {
        let part = try #require(compact.split(separator: ".", omittingEmptySubsequences: false).first)
        let bytes = try #require(Base64URL.decode(String(part)))
        return try #require(try JSONValue.parse(bytes).object)
    }

    @Test("the key opens the sealed bytes unchanged", arguments: [0, 1, 15, 16, 17, 4096, 1 << 20])
    func roundTrip(size: Int) throws {
        let plaintext = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try #require(key.publicKey.seal(plaintext))
        #expect(key.open(sealed) == plaintext)
    }

    @Test("a stored key opens and proves as before, and a malformed one is refused")
    func kept() throws {
        let text = try #require(key.exported)
        let back = try #require(PrivateKey(exported: text))
        #expect(back.publicKey == key.publicKey)
        let sealed = try #require(key.publicKey.seal(Array("result".utf8)))
        #expect(back.open(sealed) == Array("result".utf8))
        let proof = try #require(back.makeProof(method: "GET", url: "https://g/x", now: 1_800_000_000, token: "t"))
        let expected = PossessionProof(
            thumbprint: key.publicKey.thumbprint, method: "GET", urls: ["https://g/x"], now: 1_800_000_000, token: "t")
        #expect((try? expected.check(proof)) != nil)
        for other in ["", "{}", key.publicKey.jwk, #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AA"}"#] {
            #expect(PrivateKey(exported: Secret(other)) == nil, "\(other)")
        }
    }

    @Test("it is a compact JWE with ECDH-ES and A256GCM, a whole tag and a fresh key each time")
    func form() throws {
        let sealed = try #require(key.publicKey.seal(Array("result".utf8)))
        let parts = sealed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        #expect(parts.count == 5)
        let header = try header(sealed)
        #expect(header["alg"] == "ECDH-ES")
        #expect(header["enc"] == "A256GCM")
        #expect(header["epk"]?.object?["crv"] == "P-256")
        #expect(header["epk"]?.object?["d"] == nil, "the private part stays here")
        #expect(parts[1].isEmpty, "the agreed key is used directly")
        #expect(Base64URL.decode(parts[2])?.count == 12)
        #expect(Base64URL.decode(parts[4])?.count == 16)
        let other = try #require(key.publicKey.seal([]))
        #expect(try self.header(other) != header)
    }

    @Test("another key, and changed bytes, do not open")
    func tampered() throws {
        let sealed = try #require(key.publicKey.seal(Array("result".utf8)))
        let other = try #require(PrivateKey())
        #expect(other.open(sealed) == nil)
        let parts = sealed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for index in [0, 2, 3, 4] {
            var changed = parts
            let bytes = try #require(Base64URL.decode(parts[index]))
            changed[index] = Base64URL.encode([bytes[0] ^ 1] + bytes.dropFirst())
            #expect(key.open(changed.joined(separator: ".")) == nil, "part \(index)")
        }
        var short = parts
        let tag = try #require(Base64URL.decode(parts[4]))
        short[4] = Base64URL.encode(Array(tag.prefix(4)))
        #expect(key.open(short.joined(separator: ".")) == nil, "a cut tag")
        for text in ["", "....", sealed + ".", String(sealed.dropLast()), parts[..<3].joined(separator: ".")] {
            #expect(key.open(text) == nil)
        }
    }

    @Test("the sender does not choose the algorithm", arguments: [("dir", "A256GCM"), ("ECDH-ES", "A128CBC-HS256")])
    func algorithm(alg: String, enc: String) throws {
        let sealed = try #require(key.publicKey.seal(Array("result".utf8)))
        var header = try header(sealed)
        header["alg"] = .string(alg)
        header["enc"] = .string(enc)
        let rest = sealed.drop { $0 != "." }
        #expect(key.open(Base64URL.encode(JSONValue.object(header).serialized) + rest) == nil)
    }
}
