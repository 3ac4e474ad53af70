import SwitchyardConfiguration
import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("Apps") struct AppTests {
    @Test("an app without redirect URIs gets its default one")
    func defaultRedirectURI() throws {
        let configuration = try Sample(
            apps: "[{ id: com.contoso.app1, issuer: contoso, client_id: one, release: none }]"
        )
        .configuration()
        #expect(configuration.apps[0].redirectURIs.map(\.text) == ["msauth.com.contoso.app1://auth"])
    }

    @Test("what an app says is kept")
    func whole() throws {
        let app = """
            { id: app1, name: Contoso Mail, issuer: contoso, client_id: 'a b', handler: pending, release: none,
              redirect_uris: ['https://login.contoso.com/a', 'http://127.0.0.1/cb', 'x-app://cb'],
              default_scope: openid User.Read, response_mode: query, token_endpoint_auth_method: client_secret_post,
              client_secret: hunter2, begin_from: { uids: [1000], networks: [10.0.0.0/8] } }
            """
        let read = try #require(try Sample(apps: "[\(app)]").configuration().apps.first)
        #expect(read.name == "Contoso Mail")
        #expect(read.clientID == "a b")
        #expect(read.redirectURIs.map(\.text) == ["https://login.contoso.com/a", "http://127.0.0.1/cb", "x-app://cb"])
        #expect(read.defaultScope.names == ["openid", "User.Read"])
        #expect(read.clientAuthentication == .clientSecretPost(Secret("hunter2")))
        #expect(read.beginFrom == BeginFrom(uids: [1000], networks: [Network("10.0.0.0/8")].compactMap { $0 }))
    }

    @Test(
        "a wrong app is refused with one error that says why",
        arguments: [
            ("issuer: contoso, client_id: x, release: none", "\"id\" is missing"),
            ("id: a, client_id: x, release: none", "\"issuer\" is missing"),
            ("id: a, issuer: contoso, release: none", "\"client_id\" is missing"),
            ("id: 'a b', issuer: contoso, client_id: x, release: none", "write the app's id"),
            ("id: a, issuer: [contoso, other], client_id: x, release: none", "exactly one of the issuers"),
            ("id: a, issuer: contosso, client_id: x, release: none", "did you mean \"contoso\"?"),
            ("id: a, issuer: contoso, client_id: 'ä', release: none", "ASCII"),
            (
                "id: a, issuer: contoso, client_id: x, release: none, redirect_uris: []",
                "an empty list of redirect URIs"
            ),
            ("id: a, issuer: contoso, client_id: x, release: none, redirect_uris: 'x://y'", "a list belongs"),
            ("id: a, issuer: contoso, client_id: x, release: none, redirect_uris: ['https://*.com/a']", "wildcard"),
            ("id: a, issuer: contoso, client_id: x, release: none, name: \"two\\nlines\"", "one line"),
            ("id: a, issuer: contoso, client_id: x, release: none, default_scope: 'a\"b'", "scopes"),
            ("id: a, issuer: contoso, client_id: x, release: none, handler: panding", "did you mean \"pending\"?"),
            ("id: a, issuer: contoso, client_id: x, release: nnoe", "did you mean \"none\"?"),
            (
                "id: a, issuer: contoso, client_id: x, release: none, redirect_uri: 'x://y'",
                "did you mean \"redirect_uris\"?"
            ),
        ])
    func refused(app: String, words: String) {
        let outcome = Sample(apps: "[{ \(app) }]").load()
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
    }

    @Test(
        "redirect URIs are not under the gateway's own paths",
        arguments: ["/v1/x", "/done/x", "/start/x", "/.well-known/x"])
    func reserved(path: String) {
        let outcome = Sample(apps: "[\(Sample.app("a", uris: "'https://login.contoso.com\(path)'"))]").load()
        #expect(outcome.hasOnlyError(containing: "belongs to the gateway itself"), "\(outcome.errors)")
    }

    @Test(
        "the target of a redirect handler is a custom scheme or an https URI without query and fragment",
        arguments: [
            ("x-legacy://callback", nil), ("https://app.contoso.com/in", nil),
            ("https://app.contoso.com/in#x", "fragment"),
            ("x-legacy://callback#", "fragment"), ("https://app.contoso.com/in?a=b", "query"),
            ("http://app.contoso.com/in", "plain http"), ("http://127.0.0.1/in", "loopback"), ("/in", "scheme"),
            ("javascript:alert(1)", "browsers"),
        ] as [(String, String?)])
    func target(text: String, words: String?) {
        let app = Sample.app("a", uris: "'https://login.contoso.com/a'", "handler: { redirect: '\(text)' }")
        let outcome = Sample(apps: "[\(app)]").load()
        if let words {
            #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
        } else {
            guard let target = outcome.configuration?.apps.first?.handlers.target else {
                Issue.record("\(outcome.errors)")
                return
            }
            #expect(target.text == text)
        }
    }

    @Test(
        "what only pending requests have is refused beside a redirect handler",
        arguments: [
            "release: none", "default_scope: openid", "client_secret: x", "begin_from: { uids: [1] }",
            "response_mode: query", "require_start: false", "return_uri: 'http://127.0.0.1/done'",
            "relay_from: { uids: [1] }",
        ])
    func meaningless(key: String) {
        let app = Sample.app("a", uris: "'https://login.contoso.com/a'", "handler: { redirect: 'x-a://b' }, \(key)")
        #expect(Sample(apps: "[\(app)]").load().hasOnlyError(containing: "has no meaning here"))
    }
}
