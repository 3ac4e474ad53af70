import SwitchyardConfiguration
import Testing

@Suite("The report of check") struct CheckReportTests {
    private func report() throws -> String {
        let apps = """
            [{ \(Sample.app), name: Mail, client_secret: hunter2, begin_from: { uids: [7], networks: [10.0.0.0/8] } },
             \(Sample.app("legacy", uris: "'https://login.contoso.com/legacy'", "handler: { redirect: 'x-legacy://cb' }"))]
            """
        let outcome = Sample(apps: apps).load()
        let configuration = try #require(outcome.configuration, "\(outcome.errors)")
        return CheckReport(configuration, warnings: outcome.diagnostics).description
    }

    @Test("shows routes, protection, what to register, and warnings")
    func whole() throws {
        #expect(
            try report() == """
                Routes
                  https://login.contoso.com/a       app1    pending
                  https://login.contoso.com/legacy  legacy  redirect to x-legacy://cb

                Protection
                  app1 (Mail)
                    state, PKCE and iss: a code that was stolen, injected or mixed up is worth nothing
                    release none: protects nobody from a sign-in link that somebody else began; for tests
                    response_mode query: the code comes in the address, where a log on the way may keep it; it works once
                    start: any browser may bring the callback (require_start: false)
                    begin: only user 7, 10.0.0.0/8
                    FAPI 2.0 would also want private_key_jwt or a client certificate, par: required, dpop: required
                  legacy (legacy)
                    redirect: browsers are sent to the one registered target only; state, PKCE and the ID token are the app's to check

                To register
                  with contoso, https://id.contoso.com:
                    client ID legacy:
                      https://login.contoso.com/legacy
                    client ID one:
                      https://login.contoso.com/a

                Warnings
                  test.yaml:4:53: warning: "release: none" protects nobody: app1; keep it to tests: whoever sends somebody a sign-in link gets that person's tokens

                """)
    }

    /// The sentences about one app.
    private func words(_ app: String, networks: String = "[]", unix: Bool = true) throws -> String {
        let listen =
            "[{ address: '0.0.0.0:8443', serve: [callbacks] }"
            + (unix ? ", { address: 'unix:/run/x.sock', serve: [api] }]" : "]")
        let configuration = try Sample(
            listen: listen, apps: "[{ id: a, issuer: contoso, client_id: a, \(app) }]",
            more: "networks: \(networks)\ntrusted_proxies: [10.0.0.1]"
        ).configuration()
        return CheckReport(configuration, warnings: []).description
    }

    private static let https = "redirect_uris: ['https://login.contoso.com/a']"

    @Test(
        "says what each release policy protects against, and what it does not",
        arguments: [
            (https, ["release code: ", "who sends somebody a sign-in link gets nothing. It does not help"]),
            ("\(https), release: code", ["release code: "]),
            (
                "\(https), release: same_network",
                ["loopback or in 192.168.7.0/24; from anywhere else it is as with code", "It does not tell apart"]
            ),
            (
                "\(https), release: same_device, return_uri: 'http://127.0.0.1/done'",
                ["a one-time ticket to http://127.0.0.1/done on its own device", "It does not tell apart the programs"]
            ),
            ("\(https), response_mode: form_post", ["response_mode form_post: the code comes in a POST"]),
            (
                "\(https), response_mode: fragment.jwt",
                ["response_mode fragment.jwt: the code comes in the fragment", "the issuer signs it"]
            ),
            ("\(https), require_start: true", ["start: a callback counts only from the browser that opened start_url"]),
        ])
    func policies(app: String, expected: [String]) throws {
        let text = try words(app, networks: "[192.168.7.0/24]")
        for words in expected { #expect(text.contains(words), "\(text)") }
    }

    @Test(
        "says who may relay",
        arguments: [
            (https, true, nil),
            ("release: code", true, "relay: only on a Unix socket, and only the user that began the sign-in\n"),
            ("relay_from: { uids: [7, 8] }", true, "only the user that began the sign-in, being user 7, user 8\n"),
            ("relay_from: { networks: [10.0.0.0/8] }", true, "relay_from names no user, so nobody can\n"),
            ("release: code", false, "relay: nobody, since it takes a Unix socket"),
            ("release: none", false, "relay: anyone who reaches the API\n"),
            (
                "release: none, relay_from: { uids: [7], networks: [10.0.0.0/8] }", true,
                "relay: only user 7, 10.0.0.0/8\n"
            ),
        ] as [(String, Bool, String?)])
    func relay(app: String, unix: Bool, expected: String?) throws {
        let text = try words(app, unix: unix)
        if let expected {
            #expect(text.contains(expected), "\(text)")
        } else {
            #expect(!text.contains("relay:"))
        }
    }

    @Test("holds no secret")
    func secret() throws {
        #expect(try !report().contains("hunter2"))
    }
}
