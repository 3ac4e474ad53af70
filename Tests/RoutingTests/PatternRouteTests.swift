import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("Redirect URIs that end with *") struct PatternRouteTests {
    private func app(_ id: String, _ uris: [String]) throws -> AppRegistration {
        AppRegistration(
            id: try #require(AppID(id)), name: id, issuer: "i", clientID: id,
            redirectURIs: try uris.map { try RedirectURI(registering: $0) })
    }

    private func table() throws -> RouteTable {
        try RouteTable([
            app("tool", ["https://login.contoso.com/tools/codex", "https://login.contoso.com/tools/codex/*"]),
            app("near", ["https://login.contoso.com:8443/tools/codex/x", "http://127.0.0.1:8080/tools/*"]),
        ])
    }

    @Test(
        "the * is one last segment of letters, digits, _ and -, and the route names the exact URI",
        arguments: [
            ("/tools/codex", true), ("/tools/codex/a", true), ("/tools/codex/A-z_09", true),
            ("/tools/codex/\(String(repeating: "a", count: 64))", true),
            ("/tools/codex/\(String(repeating: "a", count: 65))", false), ("/tools/codex/", false),
            ("/tools/codex/*", false), ("/tools/codex/%2A", false), ("/tools/codex/a/b", false),
            ("/tools/codex/a.b", false), ("/tools/codex/..", false), ("/tools/codex/%61", false),
            ("/tools/codex//a", false), ("/tools/codexx", false), ("/tools/codex/a;b", false), ("/tools/a", false),
            ("/TOOLS/codex/a", false), ("a", false), ("", false),
        ] as [(String, Bool)])
    func covered(path: String, isCovered: Bool) throws {
        let route = try table().route(https: Array("login.contoso.com".utf8), port: 443, path: Array(path.utf8))
        #expect(route?.redirectURI.text == (isCovered ? "https://login.contoso.com\(path)" : nil))
        #expect(route?.redirectURI.isPattern != true)
        #expect(route.map(\.app.id.text) == (isCovered ? "tool" : nil))
    }

    @Test("other hosts, ports and kinds have no part in a pattern")
    func elsewhere() throws {
        let path = Array("/tools/codex/a".utf8)
        #expect(try table().route(https: Array("login.contoso.com".utf8), port: 8443, path: path) == nil)
        #expect(try table().route(https: Array("contoso.com".utf8), port: 443, path: path) == nil)
        let own = Array("/tools/a".utf8)
        #expect(try table().route(loopback: Array("127.0.0.1".utf8), port: 8080, path: own)?.app.id.text == "near")
        #expect(try table().route(loopback: Array("127.0.0.1".utf8), port: 8081, path: own) == nil)
        #expect(try table().route(.customScheme(scheme: "https", rest: "/tools/codex/a")) == nil)
    }

    @Test("an exact URI under another app's pattern is a conflict, under its own app's it is none")
    func conflicts() throws {
        #expect(throws: RouteConflictsError.self) {
            try RouteTable([app("a", ["https://a.example/t/*"]), app("b", ["https://a.example/t/exact"])])
        }
        #expect(throws: RouteConflictsError.self) {
            try RouteTable([app("a", ["https://a.example/t/*"]), app("b", ["https://A.example:443/t/*"])])
        }
        _ = try RouteTable([app("a", ["https://a.example/t/*", "https://a.example/t/exact"])])
        _ = try RouteTable([
            app("a", ["https://a.example/t/*"]), app("b", ["https://a.example/t/x.y", "https://a.example/t"]),
        ])
    }

    @Test(
        "a * anywhere else is refused",
        arguments: [
            "https://a.example/*", "https://a.example/t/*/x", "https://a.example/t*", "https://*.example/t/*",
            "https://a.example/t/**", "https://a.example/t/*?", "https://a.example/t/*#", "x-app://t/*", "x-app:/t/*",
            "http://127.0.0.1/*", "http://a.example/t/*", "https://a.example/v1/*", "https://a.example/done/x/*",
        ])
    func refused(text: String) {
        #expect(throws: RedirectURIError.self) { try RedirectURI(registering: text) }
    }

    @Test("only the registration of an app may have a pattern")
    func elsewhereInTheConfiguration() {
        #expect(throws: RedirectURIError.self) { try RedirectURI("https://a.example/t/*") }
    }
}
