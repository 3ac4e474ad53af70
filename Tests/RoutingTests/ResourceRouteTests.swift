import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("Redirect URIs of resources") struct ResourceRouteTests {
    private static let base = "https://login.contoso.com/resource"

    private func resource(_ text: String) throws -> ResourceURL { try ResourceURL(text, allowingLoopbackHTTP: false) }

    private func entry(
        _ url: String, client: ResourceEntry.Client? = nil, base: String = base, isForAgent: Bool = false
    ) throws -> AppRegistration {
        let url = try resource(url)
        let segment = ResourceEntry.segment(of: url)
        return AppRegistration(
            id: try #require(AppID(ResourceEntry.idPrefix + segment)), name: url.host, issuer: "", clientID: "c",
            redirectURIs: [try RedirectURI("\(base)/\(segment)")],
            resource: ResourceEntry(
                url: url, client: client, metadata: nil, sendsResource: true, trustAnchor: nil, namedHosts: [],
                isOfAgent: isForAgent))
    }

    private func route(_ table: RouteTable, _ uri: RedirectURI?) throws -> Route? {
        let uri = try #require(uri)
        let relayed = table.route(uri.form)
        guard case .https(let host, let port, let path) = uri.form else { return relayed }
        let route = table.route(https: Array(host.utf8), port: port, path: Array(path.utf8))
        #expect(route?.redirectURI == relayed?.redirectURI)
        return route
    }

    @Test("each resource has its own, below the entry's, and the address alone finds the entry")
    func each() throws {
        let entry = try entry("https://mcp.example/")
        let table = try RouteTable([try self.entry("https://mcp.example/a"), entry])
        var seen: Set<String> = []
        for url in [
            "https://mcp.example/", "https://mcp.example/mcp", "https://mcp.example/b/c", "https://mcp.example/mcp?x=1",
        ] {
            let uri = try #require(try entry.redirectURI(of: resource(url)))
            #expect(seen.insert(uri.text).inserted)
            let route = try route(table, uri)
            #expect(route?.app === entry && route?.redirectURI == uri)
        }
        #expect(try entry.redirectURI(of: resource("https://mcp.example")) == entry.redirectURIs.first)
        #expect(
            try entry.redirectURI(of: resource("https://MCP.example:443/mcp/"))
                == entry.redirectURI(of: resource("https://mcp.example/mcp")))
    }

    @Test(
        "nothing else is a redirect URI",
        arguments: [
            "-short", "-AAAAAAAAAAAAAAA_", "-AAAAAAAAAAAAAAA%", "AAAAAAAAAAAAAAAA", "-AAAAAAAAAAAAAAAA/",
            "-AAAAAAAAAAAAAAAAA", "--AAAAAAAAAAAAAAAA",
        ])
    func others(ending: String) throws {
        let entry = try entry("https://mcp.example/")
        let path = "/resource/\(ResourceEntry.segment(of: try resource("https://mcp.example/")))\(ending)"
        let table = try RouteTable([entry])
        #expect(table.route(https: Array("login.contoso.com".utf8), port: 443, path: Array(path.utf8)) == nil)
        #expect(
            table.route(https: Array("login.contoso.com".utf8), port: 443, path: Array("/x-AAAAAAAAAAAAAAAA".utf8))
                == nil)
    }

    @Test("one redirect URI stands for an entry with a client made by hand")
    func shared() throws {
        let client = ResourceEntry.Client(id: "a", authentication: .none, issuer: "https://i.example")
        let entry = try entry("https://mcp.example/", client: client)
        let own = try #require(entry.redirectURIs.first)
        #expect(try entry.redirectURI(of: resource("https://mcp.example/mcp")) == own)
        let table = try RouteTable([entry])
        #expect(try route(table, RedirectURI("\(own.text)-AAAAAAAAAAAAAAAA")) == nil)
        #expect(table.resource(ofDocument: entry.id.text) == nil)
    }

    @Test("an agent's have their own too, also those that no entry names, and no documents")
    func agent() throws {
        let base = "http://127.0.0.1/resource"
        let entry = try entry("https://mcp.example/", base: base, isForAgent: true)
        let others = AppRegistration(
            id: try #require(AppID("resource.others")), name: "a resource", issuer: "", clientID: "c",
            redirectURIs: [try RedirectURI(base)],
            resource: ResourceEntry(
                url: nil, client: nil, metadata: nil, sendsResource: true, trustAnchor: nil, namedHosts: [],
                document: "https://login.contoso.com/clients/agent", isOfAgent: true))
        let table = try RouteTable([entry]).allowing(others: others)
        #expect(table.resource(ofDocument: entry.id.text) == nil)
        var seen: Set<String> = []
        for (app, url) in [
            (entry, "https://mcp.example/"), (entry, "https://mcp.example/mcp"), (others, "https://a.example/mcp"),
            (others, "https://b.example/mcp"), (others, "https://b.example/other"),
        ] {
            let uri = try #require(try app.redirectURI(of: resource(url)))
            #expect(seen.insert(uri.text).inserted && uri.text.hasPrefix(base + "/"))
            let route = table.route(try RedirectURI(uri.text(port: 4711)).form)
            #expect(route?.app === app && route?.redirectURI == uri)
        }
        // A client document lists the base.
        #expect(table.route(try RedirectURI(base).form)?.app === others)
        for wrong in ["/short", "/AAAAAAAAAAAAAAA_", "/AAAAAAAAAAAAAAAAA", "/x/AAAAAAAAAAAAAAAA"] {
            #expect(table.route(try RedirectURI(base + wrong).form) == nil, "\(wrong)")
        }
    }

    @Test("no other app can have the redirect URI of a resource")
    func conflicts() throws {
        let entry = try entry("https://mcp.example/")
        let uri = try #require(try entry.redirectURI(of: resource("https://mcp.example/mcp")))
        let thief = { (text: String) in
            AppRegistration(
                id: try #require(AppID("thief")), name: "t", issuer: "i", clientID: "c",
                redirectURIs: [try RedirectURI(registering: text)])
        }
        #expect(throws: RouteConflictsError.self) { try RouteTable([entry, thief(uri.text)]) }
        #expect(throws: RouteConflictsError.self) { try RouteTable([thief(uri.text), entry]) }
        #expect(throws: RouteConflictsError.self) { try RouteTable([entry, thief(Self.base + "/*")]) }
        _ = try RouteTable([entry, thief(Self.base + "/AAAAAAAAAAAAAAAA-AAAAAAAAAAAAAAAA")])
    }

    @Test("the ID of a client document leads to its entry and its one redirect URI")
    func documents() throws {
        let entry = try entry("https://mcp.example/")
        let table = try RouteTable([entry])
        let uri = try #require(try entry.redirectURI(of: resource("https://mcp.example/mcp")))
        let segment = try #require(uri.text.split(separator: "/").last)
        #expect(table.resource(ofDocument: entry.id.text)?.redirectURI == entry.redirectURIs.first)
        #expect(table.resource(ofDocument: "resource.\(segment)")?.redirectURI == uri)
        for id in [
            "resource.\(segment)x", "resource.x\(segment)", "\(segment)", "resource.", "", "-AAAAAAAAAAAAAAAA",
            "resource.\(segment)-AAAAAAAAAAAAAAAA",
        ] {
            #expect(table.resource(ofDocument: id) == nil, "\(id)")
        }
    }

    @Test("a sign-in of a client with a key goes on only while the entry has that client's key")
    func clientKey() throws {
        func client(_ id: String, _ issuer: String = "https://id.example") -> ResourceEntry.Client {
            ResourceEntry.Client(id: id, authentication: .clientSecretPost(Secret("secret")), issuer: issuer)
        }
        func grant(_ method: String?) throws -> ResourceGrant {
            let endpoint = try EndpointURL("https://id.example/token", allowingLoopbackHTTP: false)
            return ResourceGrant(
                resource: "https://mcp.example/", sendsResource: true,
                metadata: IssuerMetadata(
                    issuer: "https://id.example", authorizationEndpoint: endpoint, tokenEndpoint: endpoint),
                clientID: "client", authentication: .none, keyMethod: method)
        }
        let keyed = try grant("private_key_jwt")
        let same = try entry("https://mcp.example/", client: client("client"))
        #expect(same.signingIn(with: keyed)?.clientAuthentication == .clientSecretPost(Secret("secret")))
        for other in [nil, client("other"), client("client", "https://other.example")] {
            #expect(try entry("https://mcp.example/", client: other).signingIn(with: keyed) == nil)
        }
        // A public client has nothing to lose.
        let open = try entry("https://mcp.example/").signingIn(with: grant(nil))
        #expect(open?.clientAuthentication == ClientAuthentication.none)
    }
}
