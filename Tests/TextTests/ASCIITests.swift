import SwitchyardText
import Testing

@Suite("ASCII") struct ASCIITests {
    @Test("each byte is what RFC 5234 calls it")
    func classes() {
        for byte in UInt8.min ... .max {
            let character = Character(Unicode.Scalar(byte))
            let isASCII = byte < 128
            #expect(ASCII.isDigit(byte) == ("0"..."9").contains(character))
            #expect(ASCII.isAlpha(byte) == (isASCII && character.isLetter))
            #expect(ASCII.isAlphanumeric(byte) == (isASCII && (character.isLetter || character.isNumber)))
            #expect(ASCII.isHexDigit(byte) == (isASCII && character.isHexDigit))
            #expect(ASCII.hexValue(byte).map(Int.init) == (isASCII ? character.hexDigitValue : nil))
        }
    }

    @Test(
        "nothing but A to Z changes its case",
        arguments: [
            ("ABC-xyz-019", "abc-xyz-019"), ("\u{212A}elvin", "\u{212A}elvin"), ("\u{C4}PFEL", "\u{C4}pfel"),
            ("@[`{", "@[`{"),
        ])
    func lowerCase(text: String, wanted: String) {
        #expect(text.asciiLowercased == wanted)
        #expect(ASCII.lowercasedText(Array(text.utf8)[...]) == wanted)
        #expect(ASCII.equalIgnoringCase(text, wanted))
        #expect(ASCII.equalIgnoringCase(Substring(text), wanted))
    }

    @Test("letters beyond ASCII are not equal to ASCII ones")
    func unequal() {
        #expect(!ASCII.equalIgnoringCase("\u{212A}", "k"))
        #expect(!ASCII.equalIgnoringCase("ab", "abc"))
    }

    @Test("all bytes are such ones until one is not, and of none there is none that is not")
    func allBytes() {
        #expect("".allBytes { _ in false })
        #expect("ab\u{E9}".allBytes { $0 != UInt8(ascii: "c") })
        #expect(!"a text that is too long to stand in place".allBytes { $0 != UInt8(ascii: "c") })
        #expect(!"abc".allBytes { $0 != UInt8(ascii: "c") })
    }

    @Test("a comma ends an element also before a combining mark")
    func lists() {
        #expect(
            "a, b,\u{301}c,".listElements.map { Array($0.utf8) } == ["a", " b", "\u{301}c", ""].map { Array($0.utf8) })
    }

    @Test(
        "spaces and tabs are trimmed, and nothing else",
        arguments: [(" \ta b\t ", "a b"), ("", ""), (" \t", ""), ("\na", "\na")])
    func trim(text: String, wanted: String) {
        #expect(Substring(text).trimmingSpaces() == wanted)
    }
}

@Suite("GUID") struct GUIDTests {
    @Test("either case is one")
    func cases() throws {
        let id = try #require(GUID("9188040D-6C67-4c5b-b112-36a304b66dad"))
        #expect(id.text == "9188040d-6c67-4c5b-b112-36a304b66dad")
        #expect(id == GUID("9188040d-6c67-4c5b-b112-36a304b66dad"))
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "9188040d-6c67-4c5b-b112-36a304b66da", "9188040d-6c67-4c5b-b112-36a304b66dag",
            "9188040d6c674c5bb11236a304b66dad", "{9188040d-6c67-4c5b-b112-36a304b66dad}",
            "9188040d-6c67-4c5b-b112-36a304b66da\u{FF11}", "9188040d-6c674-c5b-b112-36a304b66dad",
        ])
    func refused(text: String) {
        #expect(GUID(text) == nil)
    }
}
