import SwitchyardJSON
import Testing

@Suite("JSON pointers") struct JSONPointerTests {
    /// The document of RFC 6901 section 5.
    private static let document = """
        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6, " ": 7, "m~n": 8}
        """

    @Test(
        "the examples of RFC 6901 section 5",
        arguments: [
            ("/foo", "[\"bar\",\"baz\"]"), ("/foo/0", "\"bar\""), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
            ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
        ])
    func examples(pointer: String, value: String) throws {
        let document = try JSONValue.parse(Array(Self.document.utf8))
        let found = try #require(JSONPointer(pointer)?.value(in: document))
        #expect(String(decoding: found.serialized, as: UTF8.self) == value)
    }

    @Test("the empty pointer is the whole document")
    func whole() throws {
        let document = try JSONValue.parse(Array(Self.document.utf8))
        #expect(JSONPointer("")?.value(in: document) == document)
    }

    @Test(
        "a place that is not there has no value",
        arguments: ["/no", "/foo/2", "/foo/-", "/foo/00", "/foo/-1", "/foo/+1", "/foo/0/x", "//x"])
    func missing(pointer: String) throws {
        let document = try JSONValue.parse(Array(Self.document.utf8))
        #expect(JSONPointer(pointer).map { $0.value(in: document) } == .some(nil))
    }

    @Test("a text that is no pointer is refused", arguments: ["foo", "foo/bar", "/a~", "/a~2", "#/foo"])
    func malformed(text: String) {
        #expect(JSONPointer(text) == nil)
    }
}
