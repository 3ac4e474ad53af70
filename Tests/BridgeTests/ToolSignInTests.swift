import SwitchyardBridge
import Testing

@Suite("Sign-ins of tools by a gateway") struct ToolSignInTests {
    private static let gateway = "https://c.example"
    private static let local = "http://localhost:8400"

    @Test(
        "an address is a tool's sign-in if its redirect URI is https, or below the named gateway",
        arguments: [
            ("?state=s&redirect_uri=https%3A%2F%2Fc.example%2Ft%2Fx", gateway, true),
            ("?state=s&redirect_uri=https%3A%2F%2Fc.example%2Ft%2Fx#f", gateway, true),
            ("?state=s&redirect_uri=http%3A%2F%2Flocalhost%3A8400%2Ft", local, true),
            ("?state=s&redirect_uri=http%3A%2F%2Flocalhost%3A84001%2Ft", local, false),
            ("?state=s&redirect_uri=http%3A%2F%2F127.0.0.1%3A7777%2Ft", gateway, false),
            ("?state=s&redirect_uri=x-app%3A%2F%2Ft", gateway, false),
            ("?redirect_uri=https%3A%2F%2Fc.example%2Ft", gateway, false),
            ("?state=s&state=t&redirect_uri=https%3A%2F%2Fc.example%2Ft", gateway, false),
            ("?state=s;redirect_uri=https%3A%2F%2Fc.example%2Ft", gateway, false),
            ("http:?state=s&redirect_uri=https%3A%2F%2Fc.example%2Ft", gateway, false),
            ("https://id.example/docs", gateway, false), ("", gateway, false),
        ] as [(String, String, Bool)])
    func address(text: String, gateway: String, isSignIn: Bool) {
        let base = "://id.example/a?response_type=code&client_id=c&"
        let address =
            text.hasPrefix("?")
            ? "https\(base)\(text.dropFirst())"
            : text.hasPrefix("http:?") ? "http\(base)\(text.dropFirst(6))" : text
        let found = ToolSignIn(address, gateway: gateway)
        #expect((found != nil) == isSignIn)
        #expect(found.map(\.state) == (isSignIn ? "s" : nil))
        #expect(found.map(\.issuerHost) == (isSignIn ? "id.example" : nil))
    }

    @Test(
        "only the path and query of the redirect URI's own callback are brought",
        arguments: [
            ("https://c.example/t/x?code=c&state=s%2F", "/t/x?code=c&state=s%2F"),
            ("https://c.example/t/x", "/t/x?code=a+b&state=s"),
            ("https://c.example/t/xy?code=c", nil), ("https://c.example/t?code=c", nil),
            ("https://c.example/t/x#code=c", nil), ("https://c.example/t/x/../y?code=c", nil),
            ("https://c.example/t/x?code=c HTTP/1.1\r\nX: y", nil), ("https://c.example/t/x?\u{E9}", nil),
            ("", nil),
        ] as [(String, String?)])
    func target(url: String, expected: String?) {
        let parameters = [(name: "code", value: "a b"), (name: "state", value: "s")]
        #expect(
            ToolSignIn.target(of: url, redirectURI: "https://c.example/t/x", parameters: parameters) == expected)
    }
}
