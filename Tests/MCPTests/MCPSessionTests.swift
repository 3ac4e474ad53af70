import SwitchyardJSON
import Testing

@testable import SwitchyardMCP

struct MCPSessionTests {
    private func message(_ text: String) throws -> MCPMessage { try MCPMessage(line: Array(text.utf8)) }

    private func fields(_ session: MCPSession, _ text: String) throws -> [String: String] {
        let fields = try #require(session.fields(for: try message(text)))
        return Dictionary(fields.map { ($0.0, $0.1) }) { first, _ in first }
    }

    private func modern(_ method: String, _ params: String) -> String {
        let meta = #"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
        return #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"_meta":\#(meta),\#(params)}}"#
    }

    @Test func aSessionHasItsFields() throws {
        var session = MCPSession()
        session.note(try message(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#))
        #expect(try fields(session, #"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#)["MCP-Protocol-Version"] == nil)
        let isBegun = session.begin(id: "abc", ["protocolVersion": "2025-11-25"])
        #expect(isBegun)
        let call = try fields(session, #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#)
        #expect(call["MCP-Protocol-Version"] == "2025-11-25")
        #expect(call["Mcp-Session-Id"] == "abc")
        #expect(call["Mcp-Method"] == nil)
        #expect(call["Accept"] == "application/json, text/event-stream")
        let generation = session.generation
        let isBegunAgain = session.begin(id: nil, ["protocolVersion": "2025-06-18"])
        #expect(isBegunAgain && session.generation == generation + 1)
        #expect(session.fields.map(\.1) == ["2025-06-18"])
    }

    @Test func aSessionIdThatNoFieldTakesIsRefused() {
        var session = MCPSession()
        for id in ["a b", "a\u{1B}b"] {
            let isBegun = session.begin(id: id, ["protocolVersion": "2025-11-25"])
            #expect(!isBegun)
        }
    }

    @Test func aModernMessageHasItsOwnFields() throws {
        let session = MCPSession()
        let call = try fields(session, modern("tools/call", #""name":"wetter_ü""#))
        #expect(call["MCP-Protocol-Version"] == "2026-07-28")
        #expect(call["Mcp-Method"] == "tools/call")
        #expect(call["Mcp-Name"] == "=?base64?d2V0dGVyX8O8?=")
        #expect(call["Mcp-Session-Id"] == nil)
        #expect(try fields(session, modern("resources/read", #""uri":"file:///a""#))["Mcp-Name"] == "file:///a")
        #expect(try fields(session, modern("tools/list", #""x":1"#))["Mcp-Name"] == nil)
    }

    @Test(arguments: [
        ("us-west1", "us-west1"), ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="), ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("", "=?base64??="),
    ])
    func valuesAreEncodedAsTheSpecificationShows(_ text: String, _ wanted: String) {
        #expect(HeaderValue.encode(text) == wanted)
    }

    // MARK: Tools

    private func tool(_ name: String, _ schema: String) throws -> JSONValue {
        ["name": .string(name), "inputSchema": try JSONValue.parse(Array(schema.utf8))]
    }

    @Test func parametersAreMirrored() throws {
        var session = MCPSession()
        let schema = """
            {"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},
            "deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"Number"}}},
            "on":{"type":"boolean","x-mcp-header":"On"},"x-mcp-header":{"type":"string"}}}
            """
        let (kept, leftOut) = session.tools.take(["tools": .array([try tool("sql", schema)])])
        #expect(kept == nil && leftOut.isEmpty)
        let call = try fields(
            session,
            modern("tools/call", #""name":"sql","arguments":{"region":"a\r\nX: y","deep":{"n":42},"on":null}"#))
        #expect(call["Mcp-Param-Region"] == "=?base64?YQ0KWDogeQ==?=")
        #expect(call["Mcp-Param-Number"] == "42")
        #expect(call["Mcp-Param-On"] == nil)
    }

    @Test(arguments: [
        #"{"properties":{"a":{"type":"string","x-mcp-header":""}}}"#,
        #"{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}"#,
        #"{"properties":{"a":{"type":"string","x-mcp-header":"X\r\nY"}}}"#,
        #"{"properties":{"a":{"type":"string","x-mcp-header":7}}}"#,
        #"{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}"#,
        #"{"properties":{"a":{"x-mcp-header":"A"}}}"#,
        #"{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}"#,
        #"{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}"#,
        #"{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}"#,
        #"{"$defs":{"a":{"type":"string","x-mcp-header":"A"}}}"#,
        #"{"x-mcp-header":"A","type":"string"}"#,
    ])
    func aToolWithABadAnnotationIsLeftOut(_ schema: String) throws {
        var session = MCPSession()
        let good = try tool("good", "{}")
        let (kept, leftOut) = session.tools.take(["tools": .array([try tool("bad", schema), good]), "nextCursor": "x"])
        #expect(leftOut.map(\.tool) == ["bad"])
        #expect(kept == ["tools": .array([good]), "nextCursor": "x"])
    }
}
