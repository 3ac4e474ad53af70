import SwitchyardTokenStorage
import Testing

@testable import SwitchyardClient

@Suite("A redirect URI of an app")
struct RedirectURIRuleTests {
    private func application(
        _ redirectURI: String?, gateway: String? = nil, way: CallbackWay = .automatic
    ) throws(AuthenticationError) -> PublicClientApplication {
        var configuration = PublicClientApplicationConfiguration(
            clientID: "client", bundleID: "com.contoso.mail", redirectURI: redirectURI)
        configuration.gateway = gateway.map { GatewayConfiguration($0) }
        configuration.callbackWay = way
        configuration.checksRedirectScheme = false
        configuration.cache = TokenCacheConfiguration(place: .memory)
        return try PublicClientApplication(configuration: configuration)
    }

    @Test(
        "is taken in every form that can work",
        arguments: [
            nil, "msauth.com.contoso.mail://auth", "myapp://com.contoso.mail", "myapp://auth",
            "com.contoso.mail:/callback",
            "http://localhost", "http://127.0.0.1/callback", "http://[::1]/callback",
        ])
    func accepted(redirectURI: String?) throws {
        let application = try application(redirectURI)
        #expect(application.redirectURI == redirectURI ?? "msauth.com.contoso.mail://auth")
    }

    static let refusals: [(uri: String, words: String)] = [
        ("", "is empty"), ("auth", "no valid scheme"), ("myapp://", "nothing after its scheme"),
        ("urn:ietf:wg:oauth:2.0:oob", "out-of-band"), ("myapp://auth#", "fragment"), ("myapp://auth?x=1", "query"),
        ("http://contoso.example/auth", "plain http"), ("https://user@contoso.example/auth", "user name"),
        ("javascript:alert(1)", "handle themselves"), ("myapp://auth/*", "wildcard"),
        ("msauth.com.contoso.files://auth", "another bundle ID"), ("msauth.com.contoso.mail://auth/", "after its host"),
        ("msauth.com.contoso.mail://other", "not the host"), ("msauth://auth", "another bundle ID"),
        ("https://login.contoso.example/app/auth", "needs the gateway"),
    ]

    @Test("is refused with the reason and what would be right", arguments: refusals)
    func refused(uri: String, words: String) {
        #expect(throws: AuthenticationError.self) {
            do throws(AuthenticationError) {
                _ = try application(uri)
            } catch {
                #expect(error.code == .invalidConfiguration && error.internalCode == .invalidRedirectURI)
                #expect(error.msalCode == -50000 && error.msalInternalCode == -42011)
                #expect(error.message.contains(words), "\(error.message)")
                throw error
            }
        }
    }

    @Test("that is https works with a gateway, or when the app forwards")
    func https() throws {
        let uri = "https://login.contoso.example/app/auth"
        #expect(try application(uri, gateway: "https://login.contoso.example").redirectURI == uri)
        #expect(try application(uri, way: .forwarded).redirectURI == uri)
    }

    @Test("is the gateway's choice when the app says nothing")
    func gatewayChooses() throws {
        #expect(try application(nil, gateway: "unix:/run/switchyard/switchyard.sock").redirectURI == nil)
    }

    static let ways: [(uri: String?, gateway: String?, wanted: CallbackWay, is: CallbackWay?)] = [
        (nil, nil, .automatic, .forwarded), ("http://localhost", nil, .automatic, .loopback),
        ("http://localhost", "unix:/a", .automatic, .gateway), ("http://localhost", "unix:/a", .loopback, .loopback),
        ("http://localhost", nil, .forwarded, .forwarded), (nil, nil, .loopback, nil), (nil, nil, .gateway, nil),
        (nil, "unix:/a", .forwarded, nil),
    ]

    @Test("and the gateway decide how callbacks come", arguments: ways)
    func way(uri: String?, gateway: String?, wanted: CallbackWay, is expected: CallbackWay?) throws {
        do throws(AuthenticationError) {
            let application = try application(uri, gateway: gateway, way: wanted)
            #expect(try application.core.settings.way(wanted) == expected)
        } catch {
            #expect(expected == nil && error.code == .invalidConfiguration)
        }
    }

    @Test("is not all that a configuration needs", arguments: [("", "com.contoso.mail"), (" ", "x.y"), ("client", "")])
    func blank(clientID: String, bundleID: String) {
        do throws(AuthenticationError) {
            _ = try PublicClientApplication(
                configuration: PublicClientApplicationConfiguration(
                    clientID: clientID, bundleID: bundleID, redirectURI: "http://localhost"))
            Issue.record("a blank one was accepted")
        } catch {
            #expect(error.code == .invalidConfiguration && error.msalInternalCode == -42000)
        }
    }

    @Test("with a scheme that no program of this desktop has is refused when the application is made")
    func unregistered() {
        let configuration = PublicClientApplicationConfiguration(
            clientID: "client", bundleID: "com.contoso.mail", redirectURI: "x-nobody-has-this.scheme://auth")
        do throws(AuthenticationError) {
            _ = try PublicClientApplication(configuration: configuration)
            Issue.record("a scheme of nobody's was accepted")
        } catch {
            #expect(error.code == .invalidConfiguration && error.internalCode == .redirectSchemeNotRegistered)
            #expect(error.msalInternalCode == -42001 && error.message.contains("switchyard register"))
        }
    }
}
