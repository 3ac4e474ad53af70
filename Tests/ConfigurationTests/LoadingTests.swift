import SwitchyardConfiguration
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("Loading") struct LoadingTests {
    @Test("a small configuration is read into its types")
    func small() throws {
        let configuration = try Sample(more: "trusted_proxies: [10.0.0.0/8]\nnetworks: ['2001:db8::/32', 192.168.7.9]")
            .configuration()
        #expect(configuration.publicURL.description == "https://login.contoso.com")
        #expect(
            configuration.trustedProxies
                == TrustedProxies(networks: [try #require(Network("10.0.0.0/8"))], canVouchForLocalhost: false))
        #expect(configuration.networks == [Network("2001:db8::/32"), Network("192.168.7.9")])
        #expect(configuration.store == .memory)
        #expect(configuration.limits == Limits())
        #expect(configuration.log == LogConfiguration())
        #expect(configuration.encryptionKeys.isEmpty)
        #expect(configuration.issuers.map(\.name) == ["contoso", "other"])
        let app = try #require(configuration.routes.app(named: "app1"))
        #expect(app.name == "app1")
        #expect(app.clientID == "one")
        #expect(app.handlers == [.pending])
        #expect(app.release == .none)
        #expect(app.clientAuthentication == .none)
        #expect(configuration.issuer(of: app)?.issuer == "https://id.contoso.com")
    }

    @Test("every error is reported, in the order of the file, with file, line and column")
    func allErrors() {
        let text = """
            public_url: http://login.contoso.com
            listne: []
            listen:
              - address: localhost:1
                serve: [web]
            limits: { requests: many }
            """
        let outcome = Configuration.load(
            text: text, file: "c.yaml", directory: "", environment: [:], looksAtMachine: false)
        #expect(outcome.configuration == nil)
        let places = ["c.yaml:1:13: ", "c.yaml:2:1: ", "c.yaml:4:14: ", "c.yaml:5:13: ", "c.yaml:6:21: "]
        #expect(outcome.errors.count == places.count, "\(outcome.errors)")
        #expect(zip(outcome.errors, places).allSatisfy { $0.hasPrefix($1) }, "\(outcome.errors)")
        #expect(outcome.errors[1] == "c.yaml:2:1: unknown key \"listne\"; did you mean \"listen\"?")
    }

    @Test("an app's unknown issuer, and each other mistake in it, is told beside every other error")
    func allErrorsOfAnApp() {
        let app = "id: a, issuer: nobody, client_id: 'ä', redirect_uris: ['https://*.com/a'], release: nnoe"
        let outcome = Sample(
            publicURL: "http://login.contoso.com", apps: "[{ \(app), tenants: [x], handler: panding }]",
            more: "limits: { requests: many }"
        ).load()
        for words in [
            "\"http://login", "unknown issuer \"nobody\"", "ASCII", "wildcard", "\"nnoe\"", "GUID", "pending", "many",
        ] {
            #expect(outcome.errors.count { $0.contains(words) } == 1, "\(words): \(outcome.errors)")
        }
    }

    @Test("an app is not blamed for a list of issuers that cannot be read")
    func unreadableIssuers() {
        let outcome = Sample(issuers: "{ name: contoso }").load()
        #expect(outcome.hasOnlyError(containing: "a mapping where a list belongs"), "\(outcome.errors)")
    }

    @Test(
        "a file that is no mapping is an error",
        arguments: ["", "# only a comment", "- a list", "just text", "a: [", "\u{0}"])
    func noMapping(text: String) {
        let outcome = Configuration.load(
            text: text, file: "c.yaml", directory: "", environment: [:], looksAtMachine: false)
        #expect(outcome.configuration == nil)
        #expect(outcome.errors.count == 1, "\(outcome.errors)")
    }

    @Test("missing required keys are errors", arguments: ["public_url", "listen"])
    func required(key: String) {
        let lines = Sample().text.split(separator: "\n").filter { !$0.hasPrefix("\(key):") }
        let outcome = Configuration.load(
            text: lines.joined(separator: "\n"), file: "c.yaml", directory: "", environment: [:], looksAtMachine: false)
        #expect(outcome.hasOnlyError(containing: "\"\(key)\" is missing"), "\(outcome.errors)")
    }

    @Test("a file that is not there is an error that names it")
    func missingFile() {
        let outcome = Configuration.load(path: "/nonexistent/c.yaml", environment: [:], looksAtMachine: false)
        #expect(outcome.hasOnlyError(containing: "/nonexistent/c.yaml:1:1: it cannot be read"), "\(outcome.errors)")
    }

    @Test(
        "public_url is https, or http on loopback, without a path",
        arguments: [
            ("https://login.contoso.com", "https://login.contoso.com"),
            ("https://Login.Contoso.com:443/", "https://login.contoso.com"),
            ("https://localhost:8443", "https://localhost:8443"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"), ("http://localhost", "http://localhost"),
            ("http://login.contoso.com", nil), ("https://login.contoso.com/x", nil),
            ("https://login.contoso.com/?a", nil),
            ("ftp://login.contoso.com", nil), ("login.contoso.com", nil), ("https://a@login.contoso.com", nil),
        ] as [(String, String?)])
    func publicURL(text: String, expected: String?) {
        let outcome = Sample(publicURL: text).load()
        #expect(outcome.configuration?.publicURL.description == expected)
        #expect(expected != nil || outcome.hasOnlyError(containing: "test.yaml:1:13: "), "\(outcome.errors)")
    }

    @Test(
        "an environment variable fills in a value",
        arguments: [
            ("'${HOST}'", "example"), ("'a-${HOST}-${B_2}'", "a-example-two"), ("'$${HOST}'", "${HOST}"),
            ("a$b", "a$b"),
        ])
    func environment(written: String, expected: String) throws {
        let configuration = try Sample(apps: "[{ \(Sample.app), name: \(written) }]")
            .configuration(environment: ["HOST": "example", "B_2": "two"])
        #expect(configuration.apps.map(\.name) == [expected])
    }

    @Test(
        "a wrong environment variable is an error that names it",
        arguments: [
            ("'${MISSING}'", "the environment variable MISSING is not set"), ("'${}'", "names no environment variable"),
            ("'${A-B}'", "names no environment variable"), ("'${OPEN'", "names no environment variable"),
            ("'${1A}'", "names no environment variable"), ("'${EMPTY}'", "${EMPTY} is empty"),
        ])
    func wrongVariable(written: String, words: String) {
        let outcome = Sample(apps: "[{ \(Sample.app), name: \(written) }]").load(environment: ["EMPTY": ""])
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
    }

    @Test(
        "a store in a file is named by its path, or by a URL without a host",
        arguments: [
            ("sqlite:///var/lib/x.db", "/var/lib/x.db"), ("sqlite:/var/lib/x.db", "/var/lib/x.db"),
            ("sqlite:requests.db", "/nonexistent/requests.db"), ("sqlite:./a/x.db", "/nonexistent/./a/x.db"),
        ])
    func sqlite(text: String, path: String) throws {
        #expect(try Sample(more: "store: '\(text)'").configuration().store == .sqlite(path: path))
    }

    @Test(
        "a path that names no file, and an unknown kind of store, are refused",
        arguments: ["sqlite:", "sqlite://host/x.db", "sqlite:/var/lib/", "sqlite", "mysql:x"])
    func noStore(text: String) {
        #expect(Sample(more: "store: '\(text)'").load().errors.count == 1)
    }

    @Test("without a store, requests are kept where the service manager has a place for them, else in memory")
    func standardStore() throws {
        func store(_ environment: [String: String]) throws -> Configuration.Store {
            try #require(Sample().load(environment: environment).configuration).store
        }
        #expect(try store([:]) == .memory)
        #expect(try store(["STATE_DIRECTORY": "/var/lib/sy"]) == .sqlite(path: "/var/lib/sy/requests.db"))
        #expect(try store(["STATE_DIRECTORY": "/var/lib/a:/var/lib/b"]) == .sqlite(path: "/var/lib/a/requests.db"))
        let named = Sample(more: "store: memory").load(environment: ["STATE_DIRECTORY": "/x"])
        #expect(named.configuration?.store == .memory)
    }
}
