import SwitchyardCrypto
import Testing

@Suite("Digests") struct DigestTests {
    @Test(
        "FIPS 180-4 examples for SHA-256",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(text: String, hex: String) {
        #expect(Self.hex(SHA256Digest(of: text).bytes) == hex)
        #expect(Self.hex(SHA2.sha256.digest(of: Array(text.utf8))) == hex)
    }

    @Test("FIPS 180-4 examples for SHA-384 and SHA-512")
    func longer() {
        #expect(
            Self.hex(SHA2.sha384.digest(of: Array("abc".utf8)))
                == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7")
        #expect(
            Self.hex(SHA2.sha512.digest(of: Array("abc".utf8)))
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    }

    @Test("a digest is read back from its 32 bytes, and from no other number")
    func readBack() {
        let digest = SHA256Digest(of: "abc")
        #expect(SHA256Digest(bytes: digest.bytes) == digest)
        #expect(SHA256Digest(bytes: digest.bytes.dropLast()) == nil)
        #expect(SHA256Digest(of: "abd") != digest)
    }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
