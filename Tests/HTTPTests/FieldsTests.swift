import Testing

@testable import SwitchyardHTTP

@Suite("Fields") struct FieldsTests {
    @Test("fields are found without regard to case, and keep their order")
    func lookUp() {
        var fields: Fields = ["Set-Cookie": "a", "Location": "/"]
        fields.add("set-cookie", Array("b".utf8))
        #expect(fields.values("set-cookie") == ["a", "b"])
        #expect(fields["set-cookie"] == "a, b")
        #expect(fields["location"] == "/")
        #expect(fields["x"] == nil)
        #expect(fields.contains("location"))
        #expect(fields.count == 3)
    }

    @Test("fields that are added to others stand behind them, and the others stay as they are")
    func merge() {
        let common: Fields = ["A": "1", "B": "2"]
        var fields: Fields = ["B": "0"]
        fields.add(common)
        #expect(fields.values("b") == ["0", "2"])
        var own = common
        own.add("C", "3")
        #expect(own.values("c") == ["3"])
        #expect(common.count == 2)
        var empty = Fields()
        empty.add(common)
        #expect(empty["a"] == "1")
    }

    @Test("every byte of a token, and no other, may stand in a name")
    func tokens() {
        let token = Set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        for byte in UInt8.min ... .max { #expect(ByteClass.isToken(byte) == token.contains(byte)) }
    }
}
