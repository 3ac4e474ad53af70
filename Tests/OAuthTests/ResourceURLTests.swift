import SwitchyardOAuth
import Testing

@Suite("URLs of resources") struct ResourceURLTests {
    static func resource(_ text: String) throws -> ResourceURL { try ResourceURL(text, allowingLoopbackHTTP: false) }

    @Test(
        "a resource covers itself and what is below it, at the boundary of a segment",
        arguments: [
            ("https://a.example", "https://a.example/mcp", true), ("https://a.example/", "https://a.example", true),
            ("https://a.example/mcp", "https://a.example/mcp", true),
            ("https://a.example/mcp/", "https://a.example/mcp", true),
            ("https://a.example/mcp", "https://a.example/mcp/tools", true),
            ("https://a.example/mcp", "https://a.example/mcp?tenant=1", true),
            ("https://A.example:443/mcp", "https://a.example/mcp/x", true),
            ("https://a.example/mcp", "https://a.example/mcpx", false),
            ("https://a.example/mcp", "https://a.example/", false),
            ("https://a.example/mcp", "https://a.example/MCP", false),
            ("https://a.example/mcp", "https://a.example:8443/mcp", false),
            ("https://a.example/mcp", "https://b.example/mcp", false),
            ("https://a.example", "https://a.example.evil.example/", false),
            ("https://a.example/mcp?tenant=1", "https://a.example/mcp?tenant=1", true),
            ("https://a.example/mcp?tenant=1", "https://a.example/mcp?tenant=2", false),
            ("https://a.example/mcp?tenant=1", "https://a.example/mcp", false),
        ])
    func covers(upper: String, lower: String, isCovered: Bool) throws {
        #expect(try Self.resource(upper).covers(Self.resource(lower)) == isCovered)
    }

    @Test(
        "a URL with two readings is refused",
        arguments: [
            "http://a.example/mcp", "http://127.0.0.1:1/mcp", "a.example/mcp", "https://a.example/mcp#x",
            "https://u@a.example/mcp", "https://a.example/a/../mcp", "https://a.example/a/%2e%2e/mcp",
            "https://a.example/a%2fmcp", "https://a.example//mcp", "https://a.example\\mcp", "https:///mcp",
            "https://a.example/m cp", "https://0x7f.1/mcp", "https://[fe80::1]/mcp", "", "https://a.example/%6Dcp",
            "https://a.example/%6dcp", "https://a.example/m%7Ecp", "https://a.example/mc%70", "https://a.example./mcp",
        ])
    func refused(text: String) {
        #expect(throws: ResourceURLError.self) { try Self.resource(text) }
    }

    @Test("a URL leaves room for the address of its metadata, and a longer one is told the limit")
    func lengths() throws {
        let longest = "https://a.example/" + String(repeating: "m", count: 2011 - 18)
        let addresses = try Self.resource(longest).metadataAddresses
        #expect(addresses.allSatisfy { (try? EndpointURL($0, allowingLoopbackHTTP: false)) != nil })
        #expect(throws: ResourceURLError.tooLong) { try Self.resource(longest + "m") }
        #expect(ResourceURLError.tooLong.description == "is longer than 2011 bytes; choose a shorter path")
    }

    @Test("escapes that a path needs pass", arguments: ["%20", "%C3%A9", "%3F", "%3b", "a%20b%7Cc"])
    func escapes(segment: String) throws {
        #expect(try Self.resource("https://a.example/\(segment)").path == "/\(segment)")
    }

    @Test("on loopback http passes where it is allowed")
    func loopback() throws {
        #expect(try ResourceURL("http://127.0.0.1:8000/mcp", allowingLoopbackHTTP: true).host == "127.0.0.1")
    }

    @Test(
        "the addresses of its metadata",
        arguments: [
            ("https://a.example", ["https://a.example/.well-known/oauth-protected-resource"]),
            ("https://a.example/", ["https://a.example/.well-known/oauth-protected-resource"]),
            (
                "https://a.example:8443/public/mcp",
                [
                    "https://a.example:8443/.well-known/oauth-protected-resource/public/mcp",
                    "https://a.example:8443/.well-known/oauth-protected-resource",
                ]
            ),
            (
                "https://a.example/mcp?t=1",
                [
                    "https://a.example/.well-known/oauth-protected-resource/mcp?t=1",
                    "https://a.example/.well-known/oauth-protected-resource",
                ]
            ),
        ])
    func addresses(text: String, addresses: [String]) throws {
        #expect(try Self.resource(text).metadataAddresses == addresses)
    }
}
