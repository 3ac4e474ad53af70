import SwitchyardConfiguration
import SwitchyardRouting
import Testing

@testable import SwitchyardAgent

@Suite("The lists of one token cache")
struct UseFromListsTests {
    /// The lists for the second app, with the issuer `other`; the first app has one list.
    private func lists(_ one: String, _ other: String) -> [UseFrom] {
        let text = """
            public_url: http://localhost
            listen: [{ address: 127.0.0.1:1, serve: [callbacks] }]
            issuers:
              - { name: one, \(one) }
              - { name: other, \(other) }
            apps:
              - { id: a, issuer: one, client_id: x, redirect_uris: ['x-a://cb'], use_from: { executables: [/usr/bin/mail] } }
              - { id: b, issuer: other, client_id: x, redirect_uris: ['x-b://cb'] }
            """
        let outcome = Configuration.load(text: text, file: "x.yaml", directory: "", environment: [:])
        guard let configuration = outcome.configuration, let app = configuration.apps.last else {
            Issue.record("\(outcome.diagnostics)")
            return []
        }
        let agent = Agent()
        agent.adopt(configuration)
        return agent.lists(for: app)
    }

    @Test(
        "spellings of an issuer with one cache are one",
        arguments: [
            ("issuer: https://sts.contoso.com/adfs", "issuer: https://sts.contoso.com/adfs/"),
            (
                "issuer: https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_a/v2.0",
                "issuer: https://contoso.b2clogin.com/TFP/contoso.onmicrosoft.com/B2C_1_b/v2.0"
            ),
            (
                "issuer: https://contoso.ciamlogin.com/contoso.onmicrosoft.com/v2.0",
                "issuer: https://contoso.ciamlogin.com/11112222-bbbb-3333-cccc-4444dddd5555/v2.0"
            ),
            (
                "issuer: https://login.microsoftonline.com/11112222-bbbb-3333-cccc-4444dddd5555/v2.0",
                "issuer: https://login.microsoftonline.us/11112222-bbbb-3333-cccc-4444dddd6666/v2.0"
            ),
            (
                "issuer: https://idp.contoso.com",
                "issuer: https://idp.contoso.com, authorization_endpoint: https://idp.contoso.com/a, token_endpoint: https://idp.contoso.com/t, jwks_uri: https://idp.contoso.com/k"
            ),
        ])
    func spellings(one: String, other: String) {
        #expect(lists(one, other) == [UseFrom(executables: ["/usr/bin/mail"])])
        #expect(lists(other, one) == [UseFrom(executables: ["/usr/bin/mail"])])
    }

    @Test("another issuer is another cache")
    func others() {
        #expect(lists("issuer: https://idp.contoso.com", "issuer: https://idp.contoso.com/two").isEmpty)
    }
}
