import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("Route table") struct RouteTableTests {
    @Test(
        "a request finds the app whose redirect URI it is at, and no other",
        arguments: [
            ("login.contoso.com", 443, "/app1/auth", "one"), ("LOGIN.Contoso.com", 443, "/app1/auth", "one"),
            ("login.contoso.com", 443, "/app2/auth", "two"), ("login.contoso.com", 8443, "/app1/auth", "three"),
            ("login.contoso.com", 443, "/App1/auth", nil), ("login.contoso.com", 443, "/app1/auth/", nil),
            ("login.contoso.com", 443, "/app1/aut", nil), ("login.contoso.com", 443, "/app1/authx", nil),
            ("login.contoso.com", 443, "/app1%2Fauth", nil), ("login.contoso.com", 443, "/app1/%61uth", nil),
            ("login.contoso.com", 443, "/app1//auth", nil), ("login.contoso.com", 443, "", nil),
            ("login.contoso.com", 444, "/app1/auth", nil), ("login.contoso.com", 0, "/app1/auth", nil),
            ("login.contoso.com", -1, "/app1/auth", nil), ("login.contoso.com", 65_979, "/app1/auth", nil),
            ("login.contoso.com.", 443, "/app1/auth", nil), ("contoso.com", 443, "/app1/auth", nil),
            ("", 443, "/app1/auth", nil),
            ("login.contoso.com/app1", 443, "/auth", nil), ("login.contoso.com/app1/auth", 443, "", nil),
            ("localhost", 65536, "/cb", nil), ("msauth.com.contoso.app1", 65537, "//auth", nil),
        ] as [(host: String, port: Int, path: String, app: String?)])
    func https(host: String, port: Int, path: String, app: String?) throws {
        let route = try table().route(https: Array(host.utf8), port: port, path: Array(path.utf8))
        #expect(route?.app.id.text == app)
    }

    @Test(
        "a relayed callback finds its app by form",
        arguments: [
            ("msauth.com.contoso.app1://auth?code=a", "one"), ("MSAUTH.COM.contoso.app1://auth", "one"),
            ("http://localhost:51004/cb?code=a", "two"), ("http://LOCALHOST/cb", "two"), ("http://127.0.0.1/cb", nil),
            ("msauth.com.contoso.app1://auth/", "one"), ("https://login.contoso.com/app2/auth?code=a", "two"),
        ] as [(String, String?)])
    func relayed(text: String, app: String?) throws {
        #expect(try table().route(CallbackAddress(relayed: text).form)?.app.id.text == app)
    }

    @Test(
        "a request to a plain-http redirect URI on loopback finds its app at the port that it names, or 80",
        arguments: [
            ("127.0.0.1", 8080, "/cb", "one"), ("127.0.0.1", 80, "/cb", nil), ("127.0.0.1", 8081, "/cb", nil),
            ("127.0.0.1", 8080, "/CB", nil), ("127.0.0.1", 8080, "/cb/", nil), ("localhost", 8080, "/cb", nil),
            ("LocalHost", 80, "/plain", "two"), ("localhost", 8080, "/plain", nil), ("[::1]", 9, "/six", "two"),
            ("login.contoso.com", 443, "/a", nil), ("x-app", 80, "//cb", nil), ("", 0, "", nil),
        ] as [(host: String, port: Int, path: String, app: String?)])
    func loopback(host: String, port: Int, path: String, app: String?) throws {
        func registered(_ id: String, _ uris: [String]) throws -> AppRegistration {
            AppRegistration(
                id: try #require(AppID(id)), name: id, issuer: "i", clientID: id,
                redirectURIs: try uris.map { try RedirectURI($0) })
        }
        let table = try RouteTable([
            registered("one", ["http://127.0.0.1:8080/cb", "https://login.contoso.com/a", "x-app://cb"]),
            registered("two", ["http://localhost/plain", "http://[::1]:9/six"]),
        ])
        let route = table.route(loopback: Array(host.utf8), port: port, path: Array(path.utf8))
        #expect(route?.app.id.text == app)
    }

    @Test("a route names the redirect URI as it was registered")
    func redirectURI() throws {
        let route = try table().route(https: Array("login.contoso.com".utf8), port: 443, path: Array("/app2/auth".utf8))
        #expect(route?.redirectURI.text == "https://Login.contoso.com:443/app2/auth")
    }

    @Test("an app is found by its id")
    func byID() throws {
        #expect(try table().app(named: "two")?.id.text == "two")
        #expect(try table().app(named: "Two") == nil)
    }

    @Test("an empty table has no route")
    func empty() throws {
        let table = try RouteTable([])
        #expect(table.route(https: Array("a".utf8), port: 443, path: Array("/".utf8)) == nil)
        #expect(table.route(.loopback(host: "localhost", path: "/")) == nil)
    }

    @Test(
        "two apps cannot share a redirect URI, not even in another spelling",
        arguments: [
            ("https://a.example/cb", "https://a.example/cb"), ("https://a.example/cb", "https://A.example:443/cb"),
            ("https://a.example", "https://a.example/"), ("http://localhost:3000/cb", "http://localhost:4000/cb"),
            ("MyApp://auth", "myapp://auth"), ("myapp://auth", "myapp://auth/"), ("myapp://auth/", "MyApp://auth"),
        ])
    func shared(first: String, second: String) throws {
        let (one, two) = (try app("one", first), try app("two", second))
        let conflict = RouteConflict.sharedRedirectURI(
            first: one.redirectURIs[0], firstApp: one.id, second: two.redirectURIs[0], secondApp: two.id)
        #expect(throws: RouteConflictsError.self) { try RouteTable([one, two]) }
        #expect(conflicts(one, two) == [conflict])
    }

    @Test("every conflict is told at once")
    func allConflicts() throws {
        let one = try app("one", "http://localhost:3000/cb", "http://localhost:4000/cb")
        let two = try app("one", "http://localhost/cb")
        let expected: [RouteConflict] = [
            .repeatedRedirectURI(first: one.redirectURIs[0], second: one.redirectURIs[1], app: one.id),
            .duplicateApp(one.id),
            .repeatedRedirectURI(first: one.redirectURIs[0], second: two.redirectURIs[0], app: one.id),
        ]
        #expect(conflicts(one, two) == expected)
        #expect(expected.allSatisfy { !$0.description.isEmpty })
    }

    @Test("each of 100,000 apps is found, and nothing beside them")
    func many() throws {
        let apps = try (0..<100_000).map { try app("app\($0)", "https://login.contoso.com/app\($0)/auth") }
        let table = try RouteTable(apps)
        let host = Array("login.contoso.com".utf8)
        for number in apps.indices {
            let route = table.route(https: host, port: 443, path: Array("/app\(number)/auth".utf8))
            guard route?.app === apps[number] else { return #expect(Bool(false), "app \(number) is not found") }
            let miss = table.route(https: host, port: 443, path: Array("/app\(number)/autx".utf8))
            guard miss == nil else { return #expect(Bool(false), "app \(number) is found by another path") }
        }
    }

    private func table() throws -> RouteTable {
        try RouteTable([
            app("one", "https://login.contoso.com/app1/auth", "msauth.com.contoso.app1://auth"),
            app("two", "https://Login.contoso.com:443/app2/auth", "http://localhost:3000/cb"),
            app("three", "https://login.contoso.com:8443/app1/auth"),
        ])
    }

    private func conflicts(_ apps: AppRegistration...) -> [RouteConflict] {
        do throws(RouteConflictsError) {
            _ = try RouteTable(apps)
            return []
        } catch {
            return error.conflicts
        }
    }

    private func app(_ id: String, _ uris: String...) throws -> AppRegistration {
        AppRegistration(
            id: try #require(AppID(id)), name: id, issuer: "contoso", clientID: "ABCDE-12345",
            redirectURIs: try uris.map { try RedirectURI($0) })
    }
}
