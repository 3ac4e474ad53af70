import SwitchyardConfiguration
import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("Handlers that hand callbacks over") struct DeliveryHandlerTests {
    private static let key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func load(_ handler: String, _ more: String = "", key: String = key) throws -> LoadOutcome {
        let directory = try TemporaryDirectory()
        try directory.write("hook", key + "\n")
        let keys = "handler: \(handler)" + (more.isEmpty ? "" : ", \(more)")
        return Sample(apps: "[\(Sample.app("a", uris: "'https://login.contoso.com/a', 'x-a://b'", keys))]").load(
            in: directory)
    }

    private func handlers(_ outcome: LoadOutcome) throws -> [Handler] {
        let configuration = try #require(outcome.configuration, "\(outcome.errors)")
        return configuration.apps.first?.handlers.deliveries ?? []
    }

    @Test("each kind is read, alone and in a list, and keeps its order")
    func kinds() throws {
        let list = """
            [{ socket: /run/a.sock }, { dbus: com.contoso.Mail }, { exec: [/bin/app, --ticket, '{ticket}'] },
             { webhook: { url: 'https://app.contoso.com/hook', secret_file: hook } }]
            """
        let found = try handlers(try load(list))
        #expect(found.map(\.deliveryName) == [.socket, .dbus, .exec, .webhook])
        #expect(found[0] == .socket(path: "/run/a.sock"))
        #expect(found[2] == .exec(["/bin/app", "--ticket", "{ticket}"]))
        guard case .webhook(let webhook) = found[3] else { return }
        #expect(webhook.url.text == "https://app.contoso.com/hook" && webhook.key.exposedBytes.count == 24)
        #expect(try handlers(try load("{ socket: /run/a.sock }")) == [found[0]])
    }

    @Test("a ticket without quotes, which YAML reads as a mapping, means the same")
    func unquoted() throws {
        #expect(try handlers(try load("{ exec: [app, {ticket}] }")) == [.exec(["app", "{ticket}"])])
    }

    @Test("paths with a slash begin at the file's folder, and a bare program is looked for in PATH")
    func paths() throws {
        let outcome = try load("[{ socket: run/a }, { exec: [bin/app, '{ticket}'] }, { exec: [app, '{ticket}'] }]")
        let found = try handlers(outcome)
        guard case .socket(let path) = found[0], case .exec(let own) = found[1] else { return }
        #expect(path.hasPrefix("/tmp/") && path.hasSuffix("/run/a") && own[0].hasPrefix("/tmp/"))
        #expect(found[2] == .exec(["app", "{ticket}"]))
    }

    @Test("a webhook's key may have the prefix of Standard Webhooks", arguments: ["whsec_", ""])
    func prefix(prefix: String) throws {
        let outcome = try load(
            "{ webhook: { url: 'http://127.0.0.1:1/x', secret_file: hook } }", key: prefix + Self.key)
        #expect(try handlers(outcome).count == 1)
    }

    @Test(
        "what is wrong is one error that says what would be right",
        arguments: [
            ("{ sockt: /run/a }", "did you mean \"socket\""), ("{}", "a handler without its kind"),
            ("{ socket: /a, dbus: com.contoso.Mail }", "as a list"), ("[]", "an empty list of handlers"),
            ("[pending, { socket: /a }]", "before the end in a list"), ("[loopback, pending]", "before the end"),
            ("[{ redirect: 'x-b://c' }, { socket: /a }]", "redirect, which takes every callback, before the end"),
            ("[{ socket: /a }, something]", "\"something\" in a list of handlers"),
            ("somewhere", "write pending or loopback"),
            ("[{ webhook: { url: 'https://x/', secret_file: hook } }, pending]", "behind a webhook"),
            ("[{ socket: /a }, { redirect: 'https://login.contoso.com/a' }]", "is a redirect URI of \"a\" itself"),
            ("{ socket: /\(String(repeating: "a", count: 200)) }", "at most 107 bytes"),
            ("{ socket: '' }", "where a value belongs"),
            ("{ dbus: Mail }", "com.example.Mail"), ("{ dbus: 'com..Mail' }", "com.example.Mail"),
            ("{ dbus: 'com.1mail' }", "com.example.Mail"),
            ("{ exec: [] }", "exec without a program"), ("{ exec: [/bin/app] }", "exec without {ticket}"),
            ("{ exec: ['{ticket}'] }", "exec without {ticket}"), ("{ exec: /bin/app }", "where a list belongs"),
            ("{ webhook: { url: 'http://app.contoso.com/', secret_file: hook } }", "is not https"),
            ("{ webhook: { url: 'https://x/#y', secret_file: hook } }", "webhook's URL"),
            ("{ webhook: { url: 'https://x/', secret_file: none } }", "cannot be read"),
            ("{ webhook: { url: 'https://x/' } }", "\"secret_file\" is missing"),
            ("{ webhook: { url: 'https://x/', secret: y } }", "unknown key"),
            ("[{ webhook: { url: 'https://x/', secret_file: hook } }, { socket: /a }]", "behind a webhook"),
        ])
    func wrong(handler: String, words: String) throws {
        let outcome = try load(handler)
        #expect(outcome.configuration == nil && outcome.errors.contains { $0.contains(words) }, "\(outcome.errors)")
    }

    @Test("a key that is none of Standard Webhooks is refused", arguments: ["hunter2", "c2hvcnQ=", "!!!!"])
    func key(key: String) throws {
        let outcome = try load("{ webhook: { url: 'https://x/', secret_file: hook } }", key: key)
        #expect(outcome.hasOnlyError(containing: "none of Standard Webhooks"), "\(outcome.errors)")
    }

    @Test(
        "what only pending requests have is refused",
        arguments: [
            "release: none", "default_scope: openid", "client_secret: x", "begin_from: { uids: [1] }",
            "require_start: false", "return_uri: 'http://127.0.0.1/done'",
        ])
    func meaningless(more: String) throws {
        #expect(try load("{ socket: /a }", more).hasOnlyError(containing: "has no meaning here"))
    }

    @Test(
        "at the end of a list stands what takes every callback, and alone it is as without a list",
        arguments: [
            ("pending", Handler.pending), ("loopback", .loopback),
        ])
    func last(word: String, last: Handler) throws {
        let list = try load("[{ socket: /a }, \(word)]")
        #expect(
            list.configuration?.apps.first?.handlers == [.socket(path: "/a"), last], "\(list.errors)")
        for text in [word, "[\(word)]"] { #expect(try load(text).configuration?.apps.first?.handlers == [last]) }
    }

    @Test("a redirect may stand there, where callbacks come by query")
    func lastRedirect() throws {
        let target = "{ redirect: 'x-b://c' }"
        let handlers = try load("[{ socket: /a }, \(target)]").configuration?.apps.first?.handlers
        #expect(handlers?.target?.text == "x-b://c" && handlers?.holdsRequests == false)
        let outcome = try load("[{ socket: /a }, \(target)]", "response_mode: fragment")
        #expect(outcome.errors.contains { $0.contains("passes on nothing but a query") }, "\(outcome.errors)")
    }

    @Test("with pending at the end an app has all that a request may have")
    func pendingPolicy() throws {
        let outcome = try load(
            "[{ socket: /a }, pending]", "release: none, default_scope: openid, require_start: true")
        let app = try #require(outcome.configuration?.apps.first, "\(outcome.errors)")
        #expect(app.release == .none && app.requiresStart && app.handlers.completesRequests)
    }

    @Test(
        "with loopback an app says who begins and how callbacks come, and nothing of what the gateway does not do for it",
        arguments: ["loopback", "[{ socket: /a }, loopback]"])
    func loopbackPolicy(handler: String) throws {
        let outcome = try load(
            handler, "default_scope: openid, require_start: true, response_mode: form_post, begin_from: { uids: [1] }")
        let app = try #require(outcome.configuration?.apps.first, "\(outcome.errors)")
        #expect(app.requiresStart && app.responseMode == .formPost && app.beginFrom != nil)
        #expect(app.handlers.holdsRequests && app.handlers.sendsToLoopback && !app.handlers.completesRequests)
        for more in ["release: none", "client_secret: x", "return_uri: 'http://127.0.0.1/done'"] {
            #expect(try load(handler, more).hasOnlyError(containing: "the app there redeems it"))
        }
    }

    @Test("loopback wants a redirect URI that browsers bring callbacks to")
    func loopbackAddresses() throws {
        func outcome(_ uris: String, _ handler: String) -> LoadOutcome {
            Sample(apps: "[\(Sample.app("a", uris: uris, "handler: \(handler)"))]").load()
        }
        let custom = outcome("'x-a://b'", "loopback")
        #expect(custom.hasOnlyError(containing: "handler loopback without an https redirect URI"), "\(custom.errors)")
        let list = outcome("'x-a://b'", "[{ socket: /a }, loopback]")
        #expect(list.hasOnlyError(containing: "handler loopback without an https redirect URI"), "\(list.errors)")
        let both = outcome("'https://login.contoso.com/a', 'x-a://b'", "loopback")
        #expect(both.configuration != nil && both.diagnostics.contains { $0.message.contains("beside a redirect URI") })
        #expect(try load("loopback", "relay_from: { uids: [7] }").hasOnlyError(containing: "no browser that could"))
    }

    @Test("check says where the browser goes, that release does not apply, and who could listen there")
    func loopbackReport() throws {
        let outcome = try load("[{ socket: /run/a }, loopback]")
        let configuration = try #require(outcome.configuration, "\(outcome.errors)")
        let text = CheckReport(configuration, warnings: outcome.diagnostics).description
        #expect(text.contains("socket /run/a, then loopback: http://127.0.0.1:RETURN_PORT/a"), "\(text)")
        #expect(text.contains("release does not apply: who sends somebody a sign-in link gets nothing"))
        #expect(text.contains("who listens at that port gets the callback"))
    }

    @Test("how callbacks come and who relays them may be said")
    func response() throws {
        let outcome = try load("{ socket: /a }", "response_mode: query, relay_from: { uids: [7] }")
        #expect(try handlers(outcome).count == 1)
    }

    @Test("check shows the way, and what it does not protect from, and no key")
    func report() throws {
        let outcome = try load(
            "[{ socket: /run/a }, { webhook: { url: 'https://x.contoso.com/', secret_file: hook } }]")
        let configuration = try #require(outcome.configuration, "\(outcome.errors)")
        let text = CheckReport(configuration, warnings: outcome.diagnostics).description
        #expect(text.contains("socket /run/a, then webhook https://x.contoso.com/"))
        #expect(text.contains("release does not apply") && text.contains("relay: anyone who reaches the API"))
        #expect(!text.contains(Self.key))
    }
}
