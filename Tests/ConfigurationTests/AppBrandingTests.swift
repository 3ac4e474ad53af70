import SwitchyardPages
import Testing

@testable import SwitchyardConfiguration
@testable import SwitchyardRouting

@Suite("An app's logo and help") struct AppBrandingTests {
    private static let uris = "'https://login.contoso.com/a'"

    @Test("both are read, and an app without them has none")
    func read() throws {
        let directory = try TemporaryDirectory()
        try directory.write("a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        let more = "release: none, logo_file: a.svg, support_url: 'mailto:help@contoso.com'"
        let plain = Sample.app("b", uris: "'https://login.contoso.com/b'")
        let sample = Sample(apps: "[\(Sample.app("a", uris: Self.uris, more)), \(plain)]")
        let apps = try sample.configuration(in: directory).apps
        #expect(apps.first?.branding?.logo?.kind == .svg)
        #expect(apps.first?.branding?.supportURL == "mailto:help@contoso.com")
        #expect(apps.last?.branding == nil)
    }

    @Test("another kind of address, a missing file, and a redirect handler are refused")
    func refused() throws {
        let directory = try TemporaryDirectory()
        try directory.write("a.txt", "a logo")
        for (more, words) in [
            ("release: none, support_url: 'http://contoso.com'", "http://contoso.com"),
            ("release: none, logo_file: none.svg", "cannot be read"),
            ("release: none, logo_file: a.txt", "neither a PNG nor an SVG"),
            ("handler: { redirect: 'x-a://b' }, support_url: 'https://contoso.com'", "has no meaning here"),
        ] {
            let outcome = Sample(apps: "[\(Sample.app("a", uris: Self.uris, more))]").load(in: directory)
            #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
            #expect(outcome.errors.allSatisfy { $0.hasPrefix("test.yaml:4:") })
        }
    }
}
