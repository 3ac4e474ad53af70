import SwitchyardOAuth
import Testing

@testable import SwitchyardClient

@Suite("Deviations that an app accepts") struct IssuerDeviationsTests {
    private func settings(
        _ change: (inout PublicClientApplicationConfiguration) -> Void
    ) throws(AuthenticationError) -> ClientSettings {
        var configuration = PublicClientApplicationConfiguration(
            clientID: "client", bundleID: "com.contoso.mail", redirectURI: "http://127.0.0.1")
        change(&configuration)
        return try ClientSettings(configuration)
    }

    @Test("by default the whole protocol is kept")
    func none() throws {
        let settings = try settings { _ in }
        #expect(settings.profile == .strict)
        #expect(settings.automaticScopes == .forKeptTokens)
    }

    @Test("each property is one deviation")
    func each() throws {
        let changes: [(Deviation, (inout IssuerDeviations) -> Void)] = [
            (.nonce, { $0.omitsNonce = true }), (.idToken, { $0.hasNoIDTokens = true }),
            (.idTokenAlgorithms, { $0.idTokenAlgorithms = ["ES256"] }),
            (.tokenRequest, { $0.sendsJSONTokenRequests = true }),
            (.tokenResponse, { $0.readsFormTokenResponses = true }), (.tokenType, { $0.acceptsAnyTokenType = true }),
            (.tokenPath, { $0.tokenPath = "/data" }), (.scopeSeparator, { $0.scopeSeparator = "," }),
            (.refreshEndpoint, { $0.refreshEndpoint = "https://id.example/r" }),
            (.parameterNames, { $0.parameterNames = ["client_id": "client_key"] }),
        ]
        for (deviation, change) in changes {
            #expect(try settings { change(&$0.deviations) }.profile.deviations.accepted == [deviation])
        }
        // A public client needs PKCE, and makes no assertions.
        #expect(changes.map(\.0) == Deviation.allCases.filter { $0 != .pkce && $0 != .assertionAudience })
    }

    @Test("an issuer without ID tokens is asked for no scope of OpenID Connect, and an app may name each")
    func scopes() throws {
        let settings = try settings { $0.deviations.hasNoIDTokens = true }
        #expect(ScopeRules.sent(Scopes(parsing: "repo"), settings).names == ["repo"])
        #expect(try ScopeRules.checked(["profile"], settings, settings.authority).names == ["profile"])
    }

    @Test("parameters and the account endpoint are taken")
    func more() throws {
        let settings = try settings {
            $0.authorizationParameters = ["access_type": "offline"]
            $0.tokenParameters = ["audience": "api"]
            $0.accountEndpoint = AccountEndpointConfiguration(url: "https://api.example/me", id: "/id")
        }
        #expect(settings.profile.authorizationParameters == [FormField("access_type", "offline")])
        #expect(settings.profile.tokenParameters == [FormField("audience", "api")])
        #expect(settings.profile.account?.url.text == "https://api.example/me")
    }

    @Test("what makes no sense is refused by the name of the property")
    func refused() {
        let changes: [(String, (inout PublicClientApplicationConfiguration) -> Void)] = [
            ("idTokenAlgorithms", { $0.deviations.idTokenAlgorithms = ["HS256"] }),
            ("idTokenAlgorithms", { $0.deviations.idTokenAlgorithms = ["none"] }),
            ("tokenPath", { $0.deviations.tokenPath = "data" }),
            ("refreshEndpoint", { $0.deviations.refreshEndpoint = "http://id.example/r" }),
            ("parameterNames", { $0.deviations.parameterNames = ["client_id": "state"] }),
            ("parameterNames", { $0.deviations.parameterNames = ["client": "x"] }),
            ("authorizationParameters", { $0.authorizationParameters = ["state": "x"] }),
            ("tokenParameters", { $0.tokenParameters = ["client_secret": "x"] }),
            ("accountEndpoint.id", { $0.accountEndpoint = AccountEndpointConfiguration(url: "https://a.b", id: "id") }),
            ("accountEndpoint.url", { $0.accountEndpoint = AccountEndpointConfiguration(url: "ftp://a", id: "/id") }),
        ]
        for (property, change) in changes {
            do throws(AuthenticationError) {
                _ = try settings(change)
                Issue.record("\(property) was taken")
            } catch {
                #expect(error.code == .invalidConfiguration && error.message.contains(property), "\(error.message)")
            }
        }
    }
}
