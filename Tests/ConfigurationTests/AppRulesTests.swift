import SwitchyardOAuth
import SwitchyardRouting
import Testing

@testable import SwitchyardConfiguration

@Suite("Rules among apps") struct AppRulesTests {
    private static let one = Sample.app(
        "one", uris: "'https://login.contoso.com/one', 'http://127.0.0.1:1/cb', 'x-app://cb'")

    @Test(
        "a redirect URI belongs to exactly one app, and both places are named",
        arguments: [
            "https://login.contoso.com/one", "https://LOGIN.contoso.com:443/one", "http://127.0.0.1:9/cb",
            "X-App://cb",
        ])
    func ownership(uri: String) {
        let outcome = Sample(apps: "\n  - \(Self.one)\n  - \(Sample.app("two", uris: "'\(uri)'"))").load()
        #expect(outcome.errors.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.allSatisfy { $0.contains("of two cannot be told apart from") && $0.contains("of one") })
        #expect(
            outcome.errors.allSatisfy { $0.hasPrefix("test.yaml:6:") && $0.contains("the other is at test.yaml:5:") })
    }

    @Test(
        "a redirect URI that means to be MSAL's but is not its app's is warned about",
        arguments: [
            ("msauth.com.contoso.other://auth", "names another bundle ID"),
            ("msauth.one://elsewhere", "not the host \"auth\""),
        ])
    func msalForm(uri: String, words: String) {
        let outcome = Sample(apps: "[\(Sample.app("one", uris: "'\(uri)'"))]").load()
        let warnings = outcome.diagnostics.filter { $0.severity == .warning && $0.message.contains("redirect URI") }
        #expect(warnings.count == 1)
        #expect(warnings.allSatisfy { $0.message.contains(words) && $0.remedy.contains("msauth.one://auth") })
    }

    @Test(
        "an app's own MSAL form, and any other scheme, is nothing to warn about",
        arguments: ["msauth.one://auth", "x-a://b"])
    func otherSchemes(uri: String) {
        let outcome = Sample(apps: "[\(Sample.app("one", uris: "'\(uri)'"))]").load()
        #expect(!outcome.diagnostics.contains { $0.message.contains("redirect URI") })
    }

    @Test("an app does not list a redirect URI twice")
    func repeated() {
        let apps = "[\(Sample.app("one", uris: "'x-app://cb', 'x-app://cb'"))]"
        let outcome = Sample(apps: apps).load()
        #expect(outcome.hasOnlyError(containing: "cannot be told apart from its own"), "\(outcome.errors)")
    }

    @Test("two apps do not share an id")
    func sharedID() {
        let apps = "\n  - \(Sample.app("one", uris: "'x-a://cb'"))\n  - \(Sample.app("one", uris: "'x-b://cb'"))"
        let outcome = Sample(apps: apps).load()
        #expect(outcome.hasOnlyError(containing: "the first is at test.yaml:5:7"), "\(outcome.errors)")
    }

    @Test(
        "apps that share issuer and client ID share their release policy", arguments: ReleasePolicy.allCases,
        ReleasePolicy.allCases)
    func sharedClients(one: ReleasePolicy, release: ReleasePolicy) throws {
        let log = DiagnosticLog()
        let apps = [
            try app("one", one), try app("two", release), try app("three", release, clientID: "c2"),
            try app("four", release, issuer: "other"),
        ]
        checkSharedClients(apps, log)
        #expect(log.sorted.count == (release == one ? 0 : 1))
        #expect(log.sorted.allSatisfy { $0.message.contains("beside \(one.rawValue) of \"one\"") })
    }

    @Test("apps that share a client may differ in require_start")
    func sharedClientsStart() {
        let keys = "issuer: contoso, client_id: c, require_start:"
        let apps = """
            [{ id: one, redirect_uris: ['https://login.contoso.com/one'], \(keys) true },
             { id: two, redirect_uris: ['https://login.contoso.com/two'], \(keys) false }]
            """
        let outcome = Sample(apps: apps).load()
        #expect(outcome.configuration?.apps.map(\.requiresStart) == [true, false], "\(outcome.errors)")
    }

    @Test("release none gets one warning, however many apps have it, which names a few and counts the rest")
    func oneWarning() {
        let apps = (1...6).map { Sample.app("app\($0)", uris: "'x-\($0):/cb'") }.joined(separator: ", ")
        let warnings = Sample(apps: "[\(apps)]").load().warnings.filter { $0.contains("protects nobody") }
        #expect(warnings.count == 1)
        #expect(warnings.allSatisfy { $0.contains("protects nobody: app1, app2, app3 and 3 more; keep it to tests") })
    }

    @Test("a redirect handler has no policy to mix")
    func mixtureWithRedirect() throws {
        let log = DiagnosticLog()
        let target = try RedirectURI("x-legacy://callback")
        checkSharedClients([try app("one", .code), try app("two", .none, handlers: [.redirect(target: target)])], log)
        #expect(!log.hasErrors)
    }

    @Test(
        "a port of public_url that nobody listens on gets a warning, unless something may stand in front",
        arguments: [
            ("[{ address: '127.0.0.1:8443', serve: [callbacks] }]", "", true),
            (
                "[{ address: '127.0.0.1:443', serve: [api] }, { address: '127.0.0.1:8443', serve: [callbacks] }]", "",
                true
            ),
            ("[{ address: '127.0.0.1:443', serve: [callbacks] }]", "", false),
            ("[{ address: '127.0.0.1:0', serve: [callbacks] }]", "", false),
            ("[{ address: 'unix:/tmp/s.sock', serve: [callbacks] }]", "", false),
            ("[{ address: '127.0.0.1:8443', serve: [callbacks] }]", "trusted_proxies: [127.0.0.1]", false),
        ])
    func doors(listen: String, more: String, isWarned: Bool) {
        let outcome = Sample(listen: listen, apps: "[]", more: more).load()
        #expect(outcome.warnings.contains { $0.contains("no listener for callbacks has port 443") } == isWarned)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("release none gets a warning, a redirect handler none")
    func warning() {
        let redirect = Sample.app("two", uris: "'x-b://cb'", "handler: { redirect: 'x-c://d' }")
        let outcome = Sample(apps: "[{ \(Sample.app) }, \(redirect)]").load()
        #expect(outcome.warnings.count == 1)
        #expect(outcome.warnings.allSatisfy { $0.contains("warning: \"release: none\" protects nobody") })
    }

    @Test(
        "an https redirect URI at another host or port than public_url's gets a warning",
        arguments: [
            ("https://login.contoso.com/b", false), ("https://other.contoso.com/b", true),
            ("https://login.contoso.com:8443/b", false), ("http://127.0.0.1/b", false), ("x-b://cb", false),
        ])
    func foreignHost(uri: String, isWarned: Bool) {
        let outcome = Sample(apps: "[\(Sample.app("b", uris: "'\(uri)'"))]").load()
        #expect(outcome.configuration != nil)
        #expect(outcome.warnings.contains { $0.contains("is not below public_url") } == isWarned)
    }

    @Test(
        "in a cloud of Entra all tenants are one issuer to the apps of a client",
        arguments: [
            ("https://login.microsoftonline.com/organizations/v2.0", "two", false),
            ("https://login.microsoftonline.com/other/v2.0", "two", false),
            ("https://sts.windows.net/other/", "two", false),
            ("https://login.microsoftonline.com/organizations/v2.0", "three", true),
            ("https://login.microsoftonline.us/organizations/v2.0", "two", true),
            ("https://id.contoso.com", "two", true),
        ])
    func entraClients(issuer: String, clientID: String, isTaken: Bool) {
        let apps = """
            [{ id: a, issuer: one, client_id: two, redirect_uris: ['https://login.contoso.com/a'] },
             { id: b, issuer: other, client_id: \(clientID), redirect_uris: ['https://login.contoso.com/b'],
               release: none, tenants: [t] }]
            """
        let issuers = """
            [{ name: one, issuer: 'https://login.microsoftonline.com/TENANT/v2.0' },
             { name: other, issuer: '\(issuer)' }]
            """
        let errors = Sample(issuers: issuers, apps: apps).load().errors
        #expect(errors.contains { $0.contains("client ID in the same cloud of Entra") } != isTaken)
    }

    @Test(
        "at the gateway's own address on loopback its own paths are no redirect URIs, at an app's they may be",
        arguments: [
            ("http://127.0.0.1:8080/v1/a", false), ("http://127.0.0.1:8080/done/a", false),
            ("http://127.0.0.1:8080/start/a", false), ("http://127.0.0.1:8080/.well-known/a", false),
            ("http://127.0.0.1:8080/v1", true), ("http://127.0.0.1:8081/v1/a", true),
            ("http://127.0.0.1/v1/a", true), ("http://localhost:8080/v1/a", true),
        ])
    func reservedPath(uri: String, isTaken: Bool) {
        let outcome = Sample(publicURL: "http://127.0.0.1:8080", apps: "[\(Sample.app("b", uris: "'\(uri)'"))]").load()
        #expect((outcome.configuration != nil) == isTaken)
        #expect(outcome.errors.contains { $0.contains("belongs to the gateway itself") } != isTaken)
    }

    @Test(
        "a redirect URI at public_url's host and another port gets a warning that names both",
        arguments: [
            (
                "https://login.contoso.com", "https://login.contoso.com:8443/b",
                "has port 8443, although public_url has 443"
            ),
            (
                "https://login.contoso.com:8443", "https://login.contoso.com/b",
                "has port 443, although public_url has 8443"
            ),
            ("https://login.contoso.com", "https://login.contoso.com:443/b", nil),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8081/b", "has port 8081, although public_url has 8080"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/b", nil),
            ("http://127.0.0.1:8080", "http://127.0.0.1/b", nil),
            ("http://127.0.0.1:8080", "http://localhost:8081/b", nil),
            ("https://localhost:8443", "http://localhost:8081/b", nil),
        ] as [(String, String, String?)])
    func otherPort(publicURL: String, uri: String, words: String?) {
        let outcome = Sample(publicURL: publicURL, apps: "[\(Sample.app("b", uris: "'\(uri)'"))]").load()
        #expect(outcome.configuration != nil)
        let found = outcome.warnings.filter { $0.contains("although public_url has") }
        #expect(found.count == (words == nil ? 0 : 1))
        #expect(found.allSatisfy { $0.contains(words ?? "") }, "\(found)")
    }

    @Test("a warning stands at its redirect URI, also behind one that is refused")
    func placeBehindRefused() throws {
        let sample = Sample(apps: "[\(Sample.app("b", uris: "'https://*.contoso.com/a', 'https://other.org/b'"))]")
        let lines = sample.text.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("apps:") })
        let uri = try #require(line.firstRange(of: "'https://other"))
        let column = line.distance(from: line.startIndex, to: uri.lowerBound) + 1
        let found = sample.load().diagnostics.filter { $0.message.contains("is not below public_url") }
        #expect(found.map(\.line) == [4])
        #expect(found.map(\.column) == [column])
    }

    @Test("a redirect handler does not send browsers back to the gateway")
    func loop() {
        let redirect = Sample.app("two", uris: "'x-b://cb'", "handler: { redirect: 'https://login.contoso.com/a' }")
        let outcome = Sample(apps: "[{ \(Sample.app) }, \(redirect)]").load()
        #expect(outcome.hasOnlyError(containing: "is a redirect URI of \"app1\" itself"), "\(outcome.errors)")
    }

    @Test("a redirect handler's target may have any path, but for those of this gateway at its own address")
    func targetPaths() {
        func load(_ target: String) -> LoadOutcome {
            let redirect = Sample.app("two", uris: "'x-b://cb'", "handler: { redirect: '\(target)' }")
            return Sample(apps: "[{ \(Sample.app) }, \(redirect)]").load()
        }
        #expect(load("https://api.other.example/v1/callback").configuration != nil)
        let own = load("https://login.contoso.com/v1/callback")
        #expect(own.hasOnlyError(containing: "has a path of this gateway itself"), "\(own.errors)")
    }

    private func checkSharedClients(_ apps: [DecodedApp], _ log: DiagnosticLog) {
        var clients = SharedClients([])
        for app in apps { clients.check(app, log) }
    }

    private func app(
        _ id: String, _ release: ReleasePolicy, issuer: String = "contoso", clientID: String = "c1",
        handlers: HandlerList = [.pending]
    ) throws -> DecodedApp {
        let registration = AppRegistration(
            id: try #require(AppID(id)), name: id, issuer: issuer, clientID: clientID, redirectURIs: [],
            handlers: handlers, release: release)
        let context = DecodingContext(
            file: SourceFile(name: "test.yaml", directory: "", role: .main(environment: [:])), log: DiagnosticLog())
        let reader = try #require(MappingReader<AppKey>(YAMLDocument.empty.root, in: context))
        return DecodedApp(registration, reader)
    }
}
