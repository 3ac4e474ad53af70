import SwitchyardOAuth
import Testing

@Suite("Form encoding") struct FormEncodingTests {
    @Test(
        "fields are decoded in their order",
        arguments: [
            ("", []), ("a=1&b=2", [FormField("a", "1"), FormField("b", "2")]), ("a", [FormField("a", "")]),
            ("a=", [FormField("a", "")]), ("=1", [FormField("", "1")]), ("a=b=c==", [FormField("a", "b=c==")]),
            ("a=+b+", [FormField("a", " b ")]), ("a=%2B%26%3D%25", [FormField("a", "+&=%")]),
            ("&&a=1&", [FormField("a", "1")]), ("a=1&a=2", [FormField("a", "1"), FormField("a", "2")]),
            ("n%61me=%e2%82%AC", [FormField("name", "€")]),
            ("d=AADB2C90118:+The+user+has", [FormField("d", "AADB2C90118: The user has")]),
        ] as [(String, [FormField])])
    func decoding(text: String, fields: [FormField]) throws {
        #expect(try FormEncoding.decode(Array(text.utf8)) == fields)
    }

    @Test(
        "bytes that are no form are an error, never a guess",
        arguments: [
            ("a=%", .invalidEscape), ("a=%4", .invalidEscape), ("a=%4&b=1", .invalidEscape), ("a=%zz", .invalidEscape),
            ("%=1", .invalidEscape), ("a=b c", .unescapedByte), ("a=\n", .unescapedByte), ("a=é", .unescapedByte),
            ("a=%ff", .notUTF8), ("a=%c0%80", .notUTF8), ("a=%ed%a0%80", .notUTF8), ("%ff=a", .notUTF8),
            (String(repeating: "a&", count: 101), .tooManyFields),
        ] as [(String, FormEncodingError)])
    func refused(text: String, error: FormEncodingError) {
        #expect(throws: error) { try FormEncoding.decode(Array(text.utf8)) }
    }

    @Test(
        "what is encoded decodes to the same",
        arguments: ["", "plain", "a b", "a+b", "&=%#?/", "é€😀", "\0\r\n", "AZaz09-._*~"])
    func roundTrip(text: String) throws {
        let encoded = FormEncoding.encode([(text, text), ("x", text)])
        #expect(
            try FormEncoding.decode(encoded)
                == (text.isEmpty
                    ? [FormField("", ""), FormField("x", "")] : [FormField(text, text), FormField("x", text)]))
    }

    @Test("the text of RFC 6749 appendix B is encoded as there")
    func appendixB() {
        #expect(FormEncoding.encode(" %&+£€") == "+%25%26%2B%C2%A3%E2%82%AC")
    }

    @Test("a field does not print its value")
    func printing() {
        var dumped = ""
        dump(FormField("code", "hunter2"), to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(!"\([FormField("code", "hunter2")])".contains("hunter2"))
    }
}
