import SwitchyardConfiguration
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("Apps for tools with a settable redirect URI") struct ToolAppTests {
    private static let tool =
        "id: codex, issuer: any, redirect_uris: ['https://login.contoso.com/tools/codex', "
        + "'https://login.contoso.com/tools/codex/*']"

    @Test("an app with issuer any needs no client_id, and is released by code")
    func read() throws {
        let app = try #require(Sample(apps: "[{ \(Self.tool) }]").configuration().apps.first)
        #expect(app.takesAnyIssuer && app.release == .code && app.clientID.isEmpty)
        #expect(app.redirectURIs.map(\.isPattern) == [false, true])
    }

    @Test("check tells where to write the redirect URI, and what is the tool's to check")
    func report() throws {
        let configuration = try Sample(apps: "[{ \(Self.tool) }]").configuration()
        let report = "\(CheckReport(configuration, warnings: []))"
        #expect(report.contains("in codex, as its redirect URI (any issuer):"))
        #expect(report.contains("since it takes any issuer"))
    }

    @Test(
        "issuer any refuses what makes no sense, with one error",
        arguments: [
            ("release: none", "issuer any with release none"),
            ("handler: loopback", "another handler than pending"),
            ("handler: [{ socket: /run/x.sock }, pending]", "another handler than pending"),
            ("response_mode: jwt", "takes the keys of one issuer"),
            ("client_id: hosted", "client_id hosted with issuer any"),
            ("par: required", "has no meaning here"), ("require_start: true", "has no meaning here"),
            ("dpop: required", "has no meaning here"), ("default_scope: openid", "has no meaning here"),
            ("userinfo: true", "has no meaning here"),
        ])
    func refused(keys: String, words: String) {
        let uris = "redirect_uris: ['https://login.contoso.com/tools/codex']"
        let outcome = Sample(apps: "[{ id: codex, issuer: any, \(uris), \(keys) }]").load()
        #expect(outcome.errors.contains { $0.contains(words) }, "\(outcome.errors)")
    }

    @Test("no issuer may be called any")
    func name() {
        let own = "{ name: contoso, issuer: 'https://id.contoso.com' }"
        let outcome = Sample(issuers: "[\(own), { name: any, issuer: 'https://x.example' }]").load()
        #expect(outcome.hasOnlyError(containing: "an issuer with the name \"any\""), "\(outcome.errors)")
    }

    @Test(
        "a pattern needs requests that name the exact URI",
        arguments: ["handler: { redirect: 'x-a://b' }", "handler: { socket: /run/x.sock }"])
    func patterns(handler: String) {
        let uris = "redirect_uris: ['https://login.contoso.com/t/*']"
        let app = "{ id: a, issuer: contoso, client_id: x, \(uris), \(handler) }"
        let outcome = Sample(apps: "[\(app)]").load()
        #expect(outcome.hasOnlyError(containing: "takes callbacks without a request"), "\(outcome.errors)")
    }

    @Test("an exact URI of another app under a pattern is refused at its line")
    func conflict() {
        let other = Sample.app("b", uris: "'https://login.contoso.com/tools/codex/b'")
        let outcome = Sample(apps: "[{ \(Self.tool) }, \(other)]").load()
        #expect(outcome.hasOnlyError(containing: "cannot be told apart"), "\(outcome.errors)")
    }
}
