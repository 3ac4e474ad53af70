import SwitchyardCrypto
import Testing

@Suite("Base64") struct Base64Tests {
    @Test(
        "RFC 4648 section 10 vectors, both alphabets",
        arguments: [
            ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
            ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"), ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
        ])
    func vectors(plain: String, standard: String, url: String) {
        #expect(Base64.encode(Array(plain.utf8)) == standard)
        #expect(Base64URL.encode(Array(plain.utf8)) == url)
        #expect(Base64URL.decode(url) == Array(plain.utf8))
    }

    @Test("the two characters that differ between the alphabets")
    func alphabets() {
        #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64URL.decode("-_8") == [0xFB, 0xFF])
    }

    @Test(
        "text that is no base64url, or a second spelling, is refused",
        arguments: ["A", "Zg==", "Zm9v YmFy", "+/8", "Zh", "Zm9", "Zg\n", "é"])
    func refused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
