import SwitchyardJSON
import Testing

@Suite("JSON values") struct JSONValueTests {
    @Test(
        "what is written reads back the same",
        arguments: [
            .null, true, 0, .integer(.min), .number(0.1), .number(1e300), .number(.leastNonzeroMagnitude), "",
            .largeNumber("18446744073709551615"), .largeNumber("1E400"),
            "\"\\/\u{7F}\u{1}\n é😀",
            [], [1, "a", [.null]], [:], ["a": ["b": []], "": 1],
        ] as [JSONValue])
    func roundTrip(value: JSONValue) throws {
        #expect(try JSONValue.parse(value.serialized) == value)
    }

    @Test(
        "writing is compact and escapes what must be",
        arguments: [
            (["b": 1, "a": [true, .null]], #"{"b":1,"a":[true,null]}"#), ("a\"b\\c\n\u{1F}", #""a\"b\\c\u000a\u001f""#),
            (.number(.infinity), "null"),
        ] as [(JSONValue, String)])
    func writing(value: JSONValue, text: String) {
        #expect(String(decoding: value.serialized, as: UTF8.self) == text)
    }

    @Test(
        "a whole number is one in either notation",
        arguments: [
            (3600, 3600), (.number(3600), 3600), (.number(0.5), nil), (.number(1e300), nil), ("3600", nil),
            (.largeNumber("1e400"), nil),
        ]
            as [(JSONValue, Int64?)])
    func integers(value: JSONValue, integer: Int64?) {
        #expect(value.integer == integer)
    }

    @Test(
        "strings that only look alike are not equal, in any value",
        arguments: [("\u{212A}", "K"), ("e\u{301}", "\u{E9}"), ("\u{2126}", "\u{3A9}")])
    func bytes(one: String, other: String) {
        #expect(one == other, "for Swift they are one")
        #expect(JSONValue.string(one) != .string(other) && JSONValue.string(one) == .string(one))
        #expect(JSONValue.array([.string(one)]) != [.string(other)])
        #expect(!(JSONValue.array([.string(one)]).array ?? []).contains(.string(other)))
        #expect(JSONValue.object([one: 1]) != .object([other: 1]) && JSONValue.object([one: 1]) == .object([one: 1]))
    }

    @Test("values of different kinds are not equal, and each is equal to itself")
    func kinds() {
        let values: [JSONValue] = [
            .null, false, true, 0, 1, .number(1), .number(0.5), .largeNumber("1e999"), "", "1", [], [1], .object([:]),
            .object(["a": 1]), .object(["a": 2]),
        ]
        for (index, left) in values.enumerated() {
            for (other, right) in values.enumerated() { #expect((left == right) == (index == other)) }
        }
    }

    @Test("setting a member replaces, appends or removes it")
    func members() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = 4
        object["b"] = nil
        #expect(object == ["a": 3, "c": 4])
        #expect(object["b"] == nil)
    }
}
