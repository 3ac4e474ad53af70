import SwitchyardCrypto
import SwitchyardHTTPClient
import Testing

@Suite("The route of outgoing calls")
struct OutgoingRouteTests {
    private func route(_ exceptions: [String] = []) throws -> OutgoingRoute {
        OutgoingRoute(
            proxy: try OutgoingProxy("http://proxy.corp:3128"), exceptions: exceptions.compactMap { ProxyException($0) }
        )
    }

    @Test(
        "this machine is always reached directly",
        arguments: [
            "https://localhost/a", "https://LOCALHOST:8443/", "https://app.localhost/", "https://127.0.0.1/",
            "https://127.9.9.9:1/",
            "https://[::1]:8443/a", "http://idp.corp/", "https://user@localhost/", "https://[::ffff:127.0.0.1]/",
        ])
    func direct(url: String) throws {
        #expect(try route().proxy(for: url) == nil)
    }

    @Test(
        "every other host goes through the proxy",
        arguments: [
            "https://idp.corp", "https://idp.corp:8443/a?b#c", "https://localhost.corp/", "https://notlocalhost/",
            "https://10.0.0.1/",
            "https://idp.corp/?localhost", "https://localhost@idp.corp/", "https://[2001:db8::1]/",
        ])
    func proxied(url: String) throws {
        #expect(try route().proxy(for: url)?.address == "http://proxy.corp:3128")
    }

    @Test(
        "exceptions",
        arguments: [
            ("idp.corp", "https://idp.corp/", true), ("idp.corp", "https://IDP.corp./", true),
            ("idp.corp", "https://a.idp.corp/", false),
            (".corp", "https://idp.corp/", true), (".corp", "https://corp/", true),
            (".corp", "https://idpcorp/", false),
            ("*.corp", "https://idp.corp/", true), ("idp.corp:8443", "https://idp.corp:8443/", true),
            ("idp.corp:8443", "https://idp.corp/", false),
            ("10.0.0.0/8", "https://10.1.2.3/", true), ("10.0.0.0/8", "https://11.1.2.3/", false),
            ("10.0.0.0/8", "https://10.corp/", false),
            ("2001:db8::/32", "https://[2001:db8::1]/", true), ("10.0.0.1", "https://10.0.0.1:8443/", true),
            ("*", "https://idp.corp/", true),
        ])
    func exceptions(exception: String, url: String, isDirect: Bool) throws {
        #expect(try (route([exception]).proxy(for: url) == nil) == isDirect)
    }

    @Test(
        "what is no exception",
        arguments: ["", ".", "10.0.0.1/8", "http://idp.corp", "a b", "idp.corp:0", "idp.corp:x", "*a", "300.1.1.1"])
    func noException(text: String) { #expect(ProxyException(text) == nil) }

    @Test("addresses of proxies")
    func addresses() throws {
        let proxy = try OutgoingProxy("http://ann:p%40ss%3A%2F@proxy.corp:3128/")
        #expect((proxy.address, proxy.user, proxy.password?.exposedText) == ("http://proxy.corp:3128", "ann", "p@ss:/"))
        #expect("\(proxy)" == "http://proxy.corp:3128")
        #expect(try OutgoingProxy("proxy.corp").address == "http://proxy.corp:80")
        #expect(try OutgoingProxy("HTTPS://Proxy.Corp").address == "https://proxy.corp:443")
        #expect(try OutgoingProxy("http://[2001:db8::1]:3128").address == "http://[2001:db8::1]:3128")
        // Another user's password is not sent with this name.
        #expect(try OutgoingProxy("http://ann:secret@proxy:1", user: "bob").password == nil)
    }

    @Test(
        "what is no address of a proxy",
        arguments: [
            "", "http://", "http://:3128", "http://proxy:0", "http://proxy:65536", "http://proxy:3128/path",
            "http://proxy?x", "socks5://proxy:1",
            "http://ann:%zz@proxy:1", "http://ann:a%0Ab@proxy:1", "http://:secret@proxy:1", "http://a b:1",
            "http://proxy:1\r\nX: y",
        ])
    func noAddress(text: String) {
        #expect(throws: ProxyAddressError.self) { try OutgoingProxy(text) }
    }

    @Test("the environment: lower case first, and names stand for the hosts below them")
    func environment() throws {
        let variables = [
            "https_proxy": "http://first:1", "HTTPS_PROXY": "http://second:2", "ALL_PROXY": "http://third:3",
            "NO_PROXY": "corp.example, 10.0.0.0/8,,nonsense/x",
        ]
        let (variable, route) = try OutgoingRoute.environment(variables)
        #expect((variable, route.proxy?.address) == ("https_proxy", "http://first:1"))
        #expect(route.proxy(for: "https://idp.corp.example/") == nil)
        #expect(route.proxy(for: "https://10.1.1.1/") == nil)
        #expect(route.proxy(for: "https://example.com/") != nil)
        #expect(try OutgoingRoute.environment([:]).route == .direct)
        #expect(try OutgoingRoute.environment(["HTTP_PROXY": "http://proxy:1"]).route == .direct)
        #expect(
            try OutgoingRoute.environment(["https_proxy": "", "ALL_PROXY": "http://third:3"]).variable == "ALL_PROXY")
    }
}
