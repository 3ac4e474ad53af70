import SwitchyardJSON
import Testing

@Suite("Reading JSON") struct JSONReadingTests {
    @Test(
        "values are read as what they are",
        arguments: [
            ("null", .null), ("true", true), (" false\n", false), ("0", 0), ("-9223372036854775808", .integer(.min)),
            ("1.5", .number(1.5)), ("1e2", .number(100)), (#""a\u00e9\ud83d\ude00\n""#, "aé😀\n"), (#""\u0000""#, "\0"),
            ("-0", 0), ("-1.5e-1", .number(-0.15)), ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .largeNumber("9223372036854775808")), ("-1e999", .largeNumber("-1e999")),
            (#""\"\\\/\b\f\r\t""#, "\"\\/\u{8}\u{C}\r\t"), (#""\uD83D\uDE00\u00E9""#, "😀é"),
            ("\"é😀\u{7F}\"", "é😀\u{7F}"),
            (" [ 1 , 2 ] ", [1, 2]), ("{ \"a\" :\t1 ,\r\n\"\" : [ ] }", ["a": 1, "": []]),
            ("[]", []), ("[1,[2]]", [1, [2]]), ("{}", [:]), (#"{"b":1,"a":{"c":null}}"#, ["b": 1, "a": ["c": .null]]),
        ] as [(String, JSONValue)])
    func accepted(text: String, value: JSONValue) throws {
        #expect(try JSONValue.parse(Array(text.utf8)) == value)
    }

    @Test(
        "anything but one strict JSON text is refused",
        arguments: [
            "", " ", "nul", "{", "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "01", "+1", ".5", "1.", "NaN", "Infinity",
            "1 2", "{} x", "\"a", "\"\t\"", #""\x""#, #""\ud800""#, "[1]//c", "/**/1", "\u{FEFF}1",
            #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"o":{"a":1,"a":1}}"#,
            #"{"a\u0000":1}"#, "-", "-a", "1e", "1e+", "0x1", "-01", "00", "1.e1", "truefalse",
            "tru",
            "[", "[1", "[1 2]", "]", "{\"a\"", "{\"a\":", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{,}", "{1:2}", "\"",
            #""\"#, #""\u"#, #""\u12"#,
            #""\u12g4""#, #""\u+123""#, #""\udc00""#, #""\ud83d""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ud83d\ud83d""#,
            "\"\u{1}\"", "\"\0\"", "\u{A0}1", "\u{C}1",
        ])
    func refused(text: String) {
        #expect(throws: JSONError.self) { try JSONValue.parse(Array(text.utf8)) }
    }

    @Test(
        "bytes that are no UTF-8 are refused",
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONValue.parse(bytes) }
    }

    @Test("a name that stands twice is refused, however many names there are", arguments: [2, 16, 17, 18, 1000])
    func duplicates(count: Int) {
        let names = (0..<count).map { "\"n\($0)\":0" }
        #expect(throws: Never.self) { try JSONValue.parse(Array("{\(names.joined(separator: ","))}".utf8)) }
        for again in [0, count / 2, count - 1] {
            let text = "{\((names + ["\"n\(again)\":1"]).joined(separator: ","))}"
            #expect(throws: JSONError.self, "\(again)") { try JSONValue.parse(Array(text.utf8)) }
        }
    }

    @Test("every text that is cut short is refused")
    func cut() {
        let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00",true,false,null],"b":{"c":""}}"#.utf8)
        #expect(throws: Never.self) { try JSONValue.parse(text) }
        for length in text.indices { #expect(throws: JSONError.self) { try JSONValue.parse(Array(text[..<length])) } }
    }

    @Test("nesting is bounded", arguments: [(63, true), (65, false), (100_000, false)])
    func depth(levels: Int, accepted: Bool) {
        let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        #expect(((try? JSONValue.parse(Array(text.utf8))) != nil) == accepted)
    }

    @Test("an error says where it is")
    func position() {
        let places: [(String, line: Int, column: Int)] = [
            ("{\n  \"a\": x\n}", 2, 8), ("x", 1, 1), ("[1,\n", 2, 1), ("1\n\n 2", 3, 2),
        ]
        for (text, line, column) in places {
            #expect {
                try JSONValue.parse(Array(text.utf8))
            } throws: { error in
                (error as? JSONError)?.line == line && (error as? JSONError)?.column == column
            }
        }
    }

    @Test("members keep their order")
    func order() throws {
        let object = try #require(try JSONValue.parse(Array(#"{"z":1,"a":2,"m":3}"#.utf8)).object)
        #expect(object.members.map(\.name) == ["z", "a", "m"])
    }

    @Test("two names that only look alike each find their own value")
    func lookalikes() throws {
        let object = try #require(try JSONValue.parse(Array("{\"caf\u{E9}\":1,\"cafe\u{301}\":2}".utf8)).object)
        #expect(object["caf\u{E9}"] == 1)
        #expect(object["cafe\u{301}"] == 2)
        #expect(object["cafe"] == nil)
    }
}
