import SwitchyardConfiguration
import Testing

@Suite("Where same_network means something") struct SameNetworkTests {
    private func load(_ listen: String, publicURL: String = "https://login.contoso.com", more: String = "")
        -> LoadOutcome
    {
        let app = "{ id: a, issuer: contoso, client_id: x, redirect_uris: ['x-app://cb'], release: same_network }"
        return Sample(publicURL: publicURL, listen: "[\(listen)]", apps: "[\(app)]", more: more).load()
    }

    private static let open = "{ address: '0.0.0.0:8443', serve: [callbacks, api] }"

    @Test(
        "it is refused where every peer looks the same, with the reason and the remedy",
        arguments: [
            "{ address: '127.0.0.1:8080', serve: [callbacks] }", "{ address: '[::1]:8080', serve: [api] }",
            "{ address: 'unix:/run/x.sock', serve: [callbacks, api] }",
            "\(open), { address: '127.0.0.1:8080', serve: [api] }",
        ])
    func refused(listen: String) {
        let outcome = load(listen, more: "networks: [192.168.7.0/24]")
        #expect(outcome.hasOnlyError(containing: "has the same address; name the proxy"), "\(outcome.errors)")
    }

    @Test("a Unix socket whose proxies are trusted by networks only is warned about: they say nothing of a peer there")
    func unixSocket() {
        let unix = "{ address: 'unix:/run/x.sock', serve: [callbacks, api] }"
        let networks = "networks: [192.168.7.0/24]\ntrusted_proxies: "
        let byNetwork = load(unix, more: "\(networks)[10.0.0.0/8]")
        #expect(byNetwork.configuration != nil, "\(byNetwork.errors)")
        #expect(byNetwork.warnings.contains { $0.contains("trusted_proxies names no user") })
        let byUser = load(unix, more: "\(networks)['uid:33']")
        #expect(byUser.configuration != nil, "\(byUser.errors)")
        #expect(!byUser.warnings.contains { $0.contains("same_network") })
    }

    @Test("it is fine with trusted_proxies, on loopback, or where peers have addresses of their own")
    func fine() {
        let networks = "networks: [192.168.7.0/24]"
        let local = "{ address: '127.0.0.1:8080', serve: [callbacks, api] }"
        let admin = "{ address: '127.0.0.1:9901', serve: [admin] }"
        for outcome in [
            load(local, more: "\(networks)\ntrusted_proxies: [127.0.0.1]"),
            load(local, publicURL: "https://localhost:8443"), load("\(Self.open), \(admin)", more: networks),
        ] {
            #expect(outcome.configuration != nil, "\(outcome.errors)")
            #expect(!outcome.warnings.contains { $0.contains("same_network") }, "\(outcome.warnings)")
        }
    }

    @Test("without networks a public gateway warns that it passes on loopback only")
    func noNetworks() {
        let outcome = load(Self.open)
        #expect(outcome.configuration != nil)
        #expect(outcome.warnings.contains { $0.contains("same_network (a) passes on loopback only") })
    }

    @Test("an app of another policy is not asked", arguments: ["code", "none"])
    func otherPolicies(release: String) {
        let apps = "[{ id: a, issuer: contoso, client_id: x, release: \(release) }]"
        let outcome = Sample(apps: apps).load()
        #expect(outcome.configuration != nil && !outcome.warnings.contains { $0.contains("same_network") })
    }
}
