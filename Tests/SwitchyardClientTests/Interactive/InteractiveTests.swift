import SwitchyardReactor
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

    static let endings: [(redirectURI: String?, isCanceled: Bool)] = [
        (nil, true), (nil, false), ("http://127.0.0.1/callback", true), ("http://127.0.0.1/callback", false),
    ]

    @Test(
        "that is canceled or times out while the browser is being opened is over at once: its callback comes too late",
        .timeLimit(.minutes(1)), arguments: endings)
    func endedWhilePresenting(redirectURI: String?, isCanceled: Bool) async throws {
        let world = try World()
        let application = try world.application(redirectURI: redirectURI)
        let (address, gate) = (Promise<String>(), Promise<Void>())
        var parameters = world.parameters { url in
            address.fulfil(url)
            // The closure that opens the browser ignores the end.
            await gate.value
        }
        if !isCanceled { parameters.timeout = .milliseconds(500) }
        let finished = parameters
        let signIn = Task { try await application.acquireToken(with: finished) }
        let callback = await world.browser.callback(await address.value)
        if isCanceled {
            signIn.cancel()
            #expect(await application.handleResponse(callback) == .expired)
        }
        let error = await #expect(throws: AuthenticationError.self) { try await signIn.value }
        #expect(error?.code == (isCanceled ? .userCanceled : .timedOut))
        #expect(await application.handleResponse(callback) == .expired)
        gate.fulfil(())
        #expect(await application.handleResponse(callback) == .expired)
        #expect(try await application.accounts().isEmpty)
        withExtendedLifetime(world) {}
    }

    @Test("that times out on a loopback port of its own says what issuers want that compare ports")
    func portAdvice() async throws {
        for (redirectURI, isAdvised) in [("http://localhost/callback", true), (nil, false)] {
            let world = try World()
            var parameters = world.parameters { _ in }
            parameters.timeout = .milliseconds(200)
            let finished = parameters
            let application = try world.application(redirectURI: redirectURI)
            let error = await #expect(throws: AuthenticationError.self) {
                try await application.acquireToken(with: finished)
            }
            #expect(error?.message.contains("http://localhost:8400/callback") == isAdvised)
            withExtendedLifetime(world) {}
        }
    }
}
