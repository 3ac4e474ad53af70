import SwitchyardConfiguration
import SwitchyardRouting
import Testing

@Suite("Trusted proxies") struct TrustedProxiesTests {
    private func load(_ proxies: String, listen: String = "[{ address: 'unix:/run/x.sock', serve: [callbacks, api] }]")
        -> LoadOutcome
    {
        Sample(listen: listen, more: "trusted_proxies: \(proxies)").load()
    }

    @Test(
        "a proxy is a network, or a user by name or number",
        arguments: [
            ("['uid:33']", ["33"], []), ("['uid:root', 'uid:0']", ["0", "0"], []), ("[uid:root]", ["0"], []),
            ("['uid:4294967294']", ["4294967294"], []),
            ("[10.0.0.0/8, 'uid:33', '2001:db8::1']", ["33"], ["10.0.0.0/8", "2001:db8::1/128"]), ("[]", [], []),
        ] as [(String, [String], [String])])
    func proxies(written: String, uids: [String], networks: [String]) throws {
        let configuration = try #require(load(written).configuration, "\(load(written).errors)")
        let proxies = configuration.trustedProxies
        #expect(proxies.uids.map(String.init) == uids)
        #expect(proxies.networks.map(\.description) == networks)
        #expect(proxies.isEmpty == (uids.isEmpty && networks.isEmpty))
    }

    @Test(
        "a user that nobody is, is refused with its place and a remedy",
        arguments: ["nobody-of-this-name", "", "-1", "4294967295", "4294967296", "007", "root ", "+5"])
    func unknownUser(name: String) {
        let outcome = load("['uid:\(name)']")
        #expect(
            outcome.hasOnlyError(containing: "there is no user \"\(name)\" on this machine; write uid: with"),
            "\(outcome.errors)")
        #expect(outcome.errors.allSatisfy { $0.hasPrefix("test.yaml:5:19: ") }, "\(outcome.errors)")
    }

    @Test(
        "what is neither is refused, and both ways are named",
        arguments: ["www-data", "gid:0", "10.0.0.1/8", "UID:0", "localhost"])
    func neither(written: String) {
        let outcome = load("['\(written)']")
        #expect(
            outcome.hasOnlyError(containing: "or a user on a Unix socket such as uid:www-data"), "\(outcome.errors)")
    }

    @Test("a network trusts no user, and a user no network")
    func kinds() throws {
        let address = try #require(IPAddress("10.0.0.1"))
        let networks = TrustedProxies(networks: [try #require(Network("10.0.0.0/8"))])
        #expect(networks.contains(address) && !networks.contains(uid: 0))
        let users = TrustedProxies(uids: [33])
        #expect(users.contains(uid: 33) && !users.contains(uid: 0) && !users.contains(address))
    }

    @Test("a proxy on loopback is warned about, since any user of the machine can pose as it")
    func loopback() {
        let listen = "[{ address: '127.0.0.1:443', serve: [callbacks, api] }]"
        #expect(load("[127.0.0.0/8]", listen: listen).warnings.contains { $0.contains("can pose as the proxy") })
        #expect(!load("[10.0.0.0/8]", listen: listen).warnings.contains { $0.contains("can pose as the proxy") })
        let local = Sample(
            publicURL: "https://localhost", listen: listen,
            apps: "[\(Sample.app("a", uris: "'https://localhost/a'"))]", more: "trusted_proxies: [127.0.0.1]")
        #expect(!local.load().warnings.contains { $0.contains("can pose as the proxy") })
    }

    @Test("a user as a proxy without a Unix socket is warned about")
    func noSocket() {
        let outcome = load("['uid:33']", listen: "[{ address: '0.0.0.0:443', serve: [callbacks, api] }]")
        #expect(outcome.warnings.contains { $0.contains("no listener for callbacks or the API is a Unix socket") })
        #expect(!load("['uid:33']").warnings.contains { $0.contains("a user as a proxy") })
    }

    @Test("a proxy in begin_from is warned about, since it lets nobody in")
    func beginFrom() {
        let app = Sample.app("a", uris: "'https://login.contoso.com/a'", "begin_from: { uids: [1000, 33] }")
        let outcome = Sample(apps: "[\(app)]", more: "trusted_proxies: ['uid:33']").load()
        #expect(outcome.warnings.contains { $0.contains("begin_from lists user 33, which is a proxy") })
    }

    @Test(
        "callbacks on a Unix socket without a trusted user are warned about: whoever brings browsers there is a proxy")
    func unnamedProxy() {
        let unix = "[{ address: 'unix:/run/x.sock', serve: [callbacks, api] }]"
        func warns(_ proxies: String, _ listen: String) -> Bool {
            let outcome = load(proxies, listen: listen)
            return outcome.warnings.contains { $0.contains("which browsers reach through a proxy only") }
        }
        #expect(warns("[]", unix) && warns("[10.0.0.0/8]", unix))
        #expect(!warns("['uid:33']", unix))
        #expect(!warns("[]", unix.replacing("callbacks, ", with: "")), "programs of this machine")
        #expect(!warns("[]", "[{ address: '0.0.0.0:443', serve: [callbacks, api] }]"))
        let local = Sample(publicURL: "https://localhost", listen: unix, apps: "[]").load()
        #expect(!local.warnings.contains { $0.contains("through a proxy only") })
    }
}
