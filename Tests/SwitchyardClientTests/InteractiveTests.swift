import Testing

@testable import SwitchyardClient

@Suite("A sign-in in the browser")
struct InteractiveTests {
    @Test("comes back over loopback with tokens and an account")
    func loopback() async throws {
        let world = try World()
        let application = try world.application()
        let result = try await application.acquireToken(with: world.browsing())
        #expect(!result.accessToken.isEmpty)
        #expect(result.scopes == ["mail.read"])
        #expect(result.idToken != nil)
        #expect(result.expiresOn > .now())
        #expect(try await application.accounts() == [result.account])
        withExtendedLifetime(world) {}
    }

    @Test("comes back as a custom scheme that the app forwards")
    func forwarded() async throws {
        let world = try World()
        let application = try world.application(redirectURI: nil)
        #expect(application.redirectURI == "msauth.com.contoso.mail://auth")
        let result = try await application.acquireToken(
            with: world.parameters { url in
                let callback = await world.browser.callback(url)
                #expect(callback.hasPrefix("msauth.com.contoso.mail://auth?"))
                #expect(await application.handleResponse(callback) == .completed)
                #expect(await application.handleResponse(callback) == .alreadyConsumed)
            })
        #expect(!result.accessToken.isEmpty)
        withExtendedLifetime(world) {}
    }
}
