import SwitchyardDemoIssuer
import SwitchyardHTTPClient
import SwitchyardOAuth
import SwitchyardReactor
import SwitchyardTokenStorage
import TestSupport

@testable import SwitchyardClient

/// A demo issuer on loopback, and somebody with a browser there. For as long as a test holds it.
final class World: Sendable {
    let issuer: DemoIssuer
    let browser: TestBrowser
    private let group: EventLoopGroup

    init() throws {
        group = try EventLoopGroup(count: 1)
        try group.start()
        var configuration = DemoIssuerConfiguration(address: .tcp(host: "127.0.0.1", port: 0))
        configuration.autoApprove = true
        issuer = try DemoIssuer(configuration)
        _ = try issuer.start(on: group)
        browser = try TestBrowser()
    }

    deinit {
        group.stop()
    }

    /// An app of this issuer, with its tokens in memory.
    func configuration(redirectURI: String? = "http://127.0.0.1/callback") throws
        -> PublicClientApplicationConfiguration
    {
        var configuration = PublicClientApplicationConfiguration(
            clientID: "the-client", bundleID: "com.contoso.mail", redirectURI: redirectURI,
            authority: try .oidc(issuer: issuer.issuer, allowingLoopbackHTTP: true))
        configuration.allowsLoopbackHTTP = true
        configuration.checksRedirectScheme = false
        configuration.cache = TokenCacheConfiguration(place: .memory)
        return configuration
    }

    func application(redirectURI: String? = "http://127.0.0.1/callback") throws -> PublicClientApplication {
        try PublicClientApplication(configuration: try configuration(redirectURI: redirectURI))
    }

    /// A sign-in. `act` does the person's part with the address.
    func parameters(
        _ scopes: [String] = ["mail.read"], act: @escaping @Sendable (String) async -> Void
    ) -> InteractiveTokenParameters {
        var parameters = InteractiveTokenParameters(scopes: scopes)
        // For a machine that is busy with other tests.
        parameters.timeout = .seconds(120)
        parameters.presentation = .custom { url in
            await act(url)
            return true
        }
        return parameters
    }

    /// The same with a browser that follows redirects to the end.
    func browsing(_ scopes: [String] = ["mail.read"]) -> InteractiveTokenParameters {
        parameters(scopes) { [browser] url in
            Task { await browser.open(url) }
        }
    }
}
