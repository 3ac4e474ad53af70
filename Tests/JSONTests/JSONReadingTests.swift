import SwitchyardJSON
import Testing

@Suite("Reading JSON") struct JSONReadingTests {
    @Test(
        "values are read as what they are",
        arguments: [
            ("null", .null), ("true", true), (" false\n", false), ("0", 0), ("-9223372036854775808", .integer(.min)),
            ("1.5", .number(1.5)), ("1e2", .number(100)), (#""a\u00e9\ud83d\ude00\n""#, "aé😀\n"), (#""\u0000""#, "\0"),
            ("[]", []), ("[1,[2]]", [1, [2]]), ("{}", [:]), (#"{"b":1,"a":{"c":null}}"#, ["b": 1, "a": ["c": .null]]),
        ] as [(String, JSONValue)])
    func accepted(text: String, value: JSONValue) throws {
        #expect(try JSONValue.parse(Array(text.utf8)) == value)
    }

    @Test(
        "anything but one strict JSON text is refused",
        arguments: [
            "", " ", "nul", "{", "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "01", "+1", ".5", "1.", "NaN", "Infinity",
            "1 2", "{} x", "\"a", "\"\t\"", #""\x""#, #""\ud800""#, "[1]//c", "/**/1", "\u{FEFF}1", "1e999",
            "9223372036854775808", #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"o":{"a":1,"a":1}}"#,
            #"{"a\u0000":1}"#,
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

    @Test("nesting is bounded", arguments: [(63, true), (65, false), (100_000, false)])
    func depth(levels: Int, accepted: Bool) {
        let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        #expect(((try? JSONValue.parse(Array(text.utf8))) != nil) == accepted)
    }

    @Test("an error says where it is")
    func position() {
        #expect { try JSONValue.parse(Array("{\n  \"a\": x\n}".utf8)) } throws: { ($0 as? JSONError)?.line == 2 }
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
