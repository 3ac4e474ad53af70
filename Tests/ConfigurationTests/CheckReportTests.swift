import Configuration
import Testing

@Suite("The report of check") struct CheckReportTests {
    private func report() throws -> String {
        let apps = """
            [{ \(Sample.app), name: Mail, client_secret: hunter2, begin_from: { uids: [7], networks: [10.0.0.0/8] } },
             \(Sample.app("legacy", uris: "'https://login.contoso.com/legacy'", "handler: { redirect: 'x-legacy://cb' }"))]
            """
        let outcome = Sample(apps: apps).load()
        let configuration = try #require(outcome.configuration, "\(outcome.errors)")
        return CheckReport(configuration, diagnostics: outcome.diagnostics).description
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
                    begin: only user 7, 10.0.0.0/8
                  legacy (legacy)
                    redirect: browsers are sent to the one registered target only; state, PKCE and the ID token are the app's to check

                To register
                  with contoso, https://id.contoso.com:
                    client ID legacy:
                      https://login.contoso.com/legacy
                    client ID one:
                      https://login.contoso.com/a

                Warnings
                  test.yaml:4:53: warning: "release: none" protects nobody; keep it to tests: whoever sends somebody a sign-in link gets that person's tokens

                """)
    }

    @Test("holds no secret")
    func secret() throws {
        #expect(try !report().contains("hunter2"))
    }
}
