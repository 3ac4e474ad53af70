import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("Sealing, held against RFCs and another library") struct SealingVectorTests {
    @Test("a key that two sides agree on is the one that the RFC prints", arguments: Vector.agreements)
    func agreement(vector: Vector) throws {
        let pair = try #require(vector.pair("private"))
        let peer = try #require(PublicNumbers(jwk: vector.object("public")).flatMap(AsymmetricPublicKey.init))
        let length = Int(try #require(vector.members["length"]?.integer))
        let key = ConcatKDF.key(
            from: try #require(pair.agreement(with: peer)), algorithm: vector.text("algorithm"), length: length,
            partyU: vector.bytes("apu"), partyV: vector.bytes("apv"))
        #expect(Base64URL.encode(key.exposedBytes) == vector.text("key"))
    }

    @Test("sides on two curves agree on no key")
    func otherCurve() throws {
        let pair = try #require(KeyPair(generating: .ec(.p256)))
        for kind in [KeyKind.ec(.p384), .rsa, .ed25519] {
            let other = try #require(KeyPair(generating: kind))
            #expect(pair.agreement(with: other.publicKey) == nil)
            #expect(other.agreement(with: pair.publicKey) == nil)
        }
    }

    @Test("content of A256GCM opens with its key, and seals to the same bytes", arguments: Vector.contents)
    func content(vector: Vector) throws {
        let parts = vector.text("compact").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let (nonce, body, tag) = (Base64URL.decode(parts[2]), Base64URL.decode(parts[3]), Base64URL.decode(parts[4]))
        let box = (body ?? []) + (tag ?? [])
        let key = Secret(vector.bytes("key"))
        let associated = Array(parts[0].utf8)
        let plaintext = vector.bytes("plaintext")
        try #require(!plaintext.isEmpty)
        #expect(AESGCM.open(box, key: key, nonce: try #require(nonce), associated: associated) == plaintext)
        #expect(AESGCM.seal(plaintext, key: key, nonce: try #require(nonce), associated: associated) == box)
        #expect(AESGCM.open(box, key: key, nonce: try #require(nonce), associated: associated + [0]) == nil)
    }

    @Test("a result that joserfc sealed opens", arguments: Vector.sealed)
    func opens(vector: Vector) throws {
        let key = try #require(
            PrivateKey(exported: Secret(JSONValue.object(vector.object("private")).serialized)))
        #expect(key.open(vector.text("compact")) == vector.bytes("plaintext"))
    }

    @Test("an issuer's encrypted token opens with its key only", arguments: Vector.encrypted)
    func encrypted(vector: Vector) throws {
        let pair = try #require(KeyPair(pem: Secret(vector.text("pem"))))
        let jwe = try CompactJWE(vector.text("compact"))
        #expect(jwe.open(with: pair) == vector.bytes("plaintext"))
        let other = try #require(KeyPair(generating: pair.publicKey.numbers.kind))
        #expect(jwe.open(with: other) == nil)
        // One that is no JWT inside is of no use to anybody.
        let keys = DecryptionKeys([try #require(DecryptionKeys.Key(id: "k", pem: Secret(vector.text("pem"))))])
        #expect(throws: JWTError.self) { try keys.open(vector.text("compact")) }
    }

    @Test("a key that was wrapped comes out, and a changed one does not (RFC 3394 section 4.6)")
    func wrapped() throws {
        func bytes(_ text: String) throws -> [UInt8] { try #require(Hexadecimal.decode(Array(text.utf8))) }
        let key = Secret(try bytes("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"))
        var wrapped = try bytes(
            "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21")
        let plain = try bytes("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f")
        #expect(AESKeyWrap.unwrap(wrapped, with: key)?.exposedBytes == plain)
        wrapped[7] ^= 1
        #expect(AESKeyWrap.unwrap(wrapped, with: key) == nil)
        #expect(AESKeyWrap.unwrap([], with: key) == nil)
    }

    @Test("a JWE of another form does not open, though its key is the right one", arguments: Vector.refusedSealed)
    func refused(vector: Vector) throws {
        let key = try #require(
            PrivateKey(exported: Secret(JSONValue.object(vector.object("private")).serialized)))
        #expect(key.open(vector.text("compact")) == nil)
    }

    // About one coordinate or agreement in 256 begins with a zero byte. The vectors above show that opening keeps it.
    @Test("zeros in front of coordinates and agreements stay")
    func leadingZeros() throws {
        for _ in 0..<600 {
            let key = try #require(PrivateKey())
            let sealed = try #require(key.publicKey.seal([1, 2, 3]))
            #expect(key.open(sealed) == [1, 2, 3])
        }
    }

    private func parts(_ key: PrivateKey) throws -> [String] {
        let sealed = try #require(key.publicKey.seal(Array("result".utf8)))
        return sealed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("parts of other lengths than ECDH-ES with A256GCM has do not open")
    func form() throws {
        let key = try #require(PrivateKey())
        let parts = try parts(key)
        func with(_ index: Int, _ text: String) -> String {
            var changed = parts
            changed[index] = text
            return changed.joined(separator: ".")
        }
        #expect(key.open(parts.joined(separator: ".")) == Array("result".utf8))
        #expect(key.open(with(1, "AAAA")) == nil, "an encrypted key")
        #expect(key.open(with(2, parts[2] + "AAAA")) == nil, "a long initialization vector")
        #expect(key.open(with(2, "")) == nil, "no initialization vector")
        #expect(key.open(with(4, parts[4] + "AA")) == nil, "a long tag")
        #expect(key.open(with(4, "")) == nil, "no tag")
    }

    @Test("a part with padding does not open", arguments: 0..<5, ["A=", "A===", "A=AA", "AAAAA=AA"])
    func padding(index: Int, text: String) throws {
        let key = try #require(PrivateKey())
        var parts = try parts(key)
        parts[index] = text
        #expect(key.open(parts.joined(separator: ".")) == nil)
    }

    /// A JWE with more members in its header than ours have, and otherwise as it should be.
    private func sealed(_ more: JSONObject, to key: PublicKey) throws -> String {
        let ephemeral = try #require(KeyPair(generating: .ec(.p256)))
        var header: JSONObject = [
            "alg": "ECDH-ES", "enc": "A256GCM", "epk": .object(ephemeral.publicKey.numbers.jwk),
        ]
        for (name, value) in more.members { header[name] = value }
        let head = Base64URL.encode(JSONValue.object(header).serialized)
        let agreement = try #require(ephemeral.agreement(with: key.key))
        let nonce = Random.bytes(12)
        let box = AESGCM.seal(
            Array("result".utf8), key: ConcatKDF.key(from: agreement, algorithm: "A256GCM", length: 32), nonce: nonce,
            associated: Array(head.utf8))
        let parts = try [nonce, #require(box).dropLast(16), #require(box).suffix(16)]
        return "\(head)..\(parts.map { Base64URL.encode(Array($0)) }.joined(separator: "."))"
    }

    @Test("a header with names of parties, compression, an extension or other algorithms does not open")
    func otherMembers() throws {
        let key = try #require(PrivateKey())
        #expect(try key.open(sealed([:], to: key.publicKey)) == Array("result".utf8))
        #expect(try key.open(sealed(["kid": "1", "typ": "x"], to: key.publicKey)) == Array("result".utf8))
        for more: JSONObject in [
            ["apu": "QQ"], ["apv": "QQ"], ["apu": ""], ["apu": "A=AA"], ["zip": "DEF"], ["crit": ["exp"]], ["crit": []],
            ["alg": "ECDH-ES+A256KW"], ["alg": "dir"], ["enc": "A128GCM"], ["enc": "A256CBC-HS512"], ["enc": .null],
        ] {
            #expect(try key.open(sealed(more, to: key.publicKey)) == nil, "\(more)")
        }
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

    @Test("an ephemeral key that is none, or no point of the curve, does not open", arguments: badEphemeralKeys)
    func ephemeralKey(epk: JSONValue) throws {
        let key = try #require(PrivateKey())
        let rest = try parts(key).dropFirst().joined(separator: ".")
        let header: JSONObject = ["alg": "ECDH-ES", "enc": "A256GCM", "epk": epk]
        #expect(key.open("\(Base64URL.encode(JSONValue.object(header).serialized)).\(rest)") == nil)
    }
}
