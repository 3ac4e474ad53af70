import SwitchyardConfiguration
import Testing

@Suite("What is not built yet") struct NotSupportedYetTests {
    /// Whole lines of the main file.
    @Test(
        "a part of the contract that is not built is an error that says so, and the only one",
        arguments: [
            "well_known: wk.json"
        ])
    func main(line: String) {
        let outcome = Sample(more: line).load()
        #expect(outcome.hasOnlyError(containing: "is not supported yet (not_supported_yet)"), "\(outcome.errors)")
        #expect(outcome.errors.allSatisfy { $0.hasPrefix("test.yaml:5:") }, "\(outcome.errors)")
    }

    @Test(
        "the same in a listener",
        arguments: [
            "client_ca: ca.pem", "proxy_protocol: true", "http2: true", "hsts: 180d",
            "tls: { certificate: a, key: a, ocsp_response: b }",
        ])
    func listener(key: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write("a", "x")
        let outcome = Sample(listen: "[{ address: '127.0.0.1:443', serve: [callbacks, api], \(key) }]").load(
            in: directory)
        #expect(outcome.hasOnlyError(containing: "is not supported yet (not_supported_yet)"), "\(outcome.errors)")
    }

    @Test(
        "the same in an app",
        arguments: [
            "apple_app_id: TEAM.BUNDLE", "android: { package: x }",
            "handler: { forward: 'http://127.0.0.1:1' }",
        ])
    func app(key: String) {
        let outcome = Sample(apps: "[{ \(Sample.app), \(key) }]").load()
        #expect(outcome.hasOnlyError(containing: "is not supported yet (not_supported_yet)"), "\(outcome.errors)")
    }

    @Test("the same of a redirect URI in components")
    func components() {
        let uri = "'https://login.contoso.com/a', { host: login.contoso.com, '/': '/app1/*' }"
        let outcome = Sample(apps: "[\(Sample.app("a", uris: uri))]").load()
        #expect(outcome.hasOnlyError(containing: "is not supported yet (not_supported_yet)"), "\(outcome.errors)")
    }

    @Test("the same of a limit")
    func limit() {
        let outcome = Sample(more: "limits: { upstream_timeout: 30s }").load()
        #expect(outcome.hasOnlyError(containing: "is not supported yet (not_supported_yet)"), "\(outcome.errors)")
    }
}
