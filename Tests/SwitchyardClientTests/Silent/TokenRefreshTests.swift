import SwitchyardCrypto
import SwitchyardDemoIssuer
import SwitchyardJSON
import SwitchyardOAuth
import SwitchyardRedemption
import SwitchyardTokenStorage
import Synchronization
import Testing

@testable import SwitchyardClient

@Suite("A refresh", .timeLimit(.minutes(1)))
struct TokenRefreshTests {
    /// An account that has signed in at an issuer of this process, and the clock of the app.
    private final class SignedIn: Sendable {
        let world: World
        let core: ClientCore
        let storage = CountingStorage()
        let account: Account
        private let offset: Shared<Int64>

        init() async throws {
            let (world, offset) = (try World(), Shared(Int64(0)))
            var configuration = try world.configuration()
            configuration.cache.storage = storage
            let core = try ClientCore(
                configuration,
                clock: ClientClock { UnixTime.now().advanced(bySeconds: offset.value.withLock { $0 }) })
            account = try await core.acquireToken(world.browsing()).account
            (self.world, self.core, self.offset) = (world, core, offset)
            storage.forget()
        }

        func wait(seconds: Int64) {
            offset.value.withLock { $0 += seconds }
        }

        func silent(force: Bool = false) async throws(AuthenticationError) -> AuthenticationResult {
            try await core.acquireTokenSilent(
                SilentTokenParameters(scopes: ["mail.read"], account: account, forceRefresh: force))
        }
    }

    @Test("of an expired token takes two trips to the storage, and a good token one")
    func trips() async throws {
        let one = try await SignedIn()
        let first = try await one.silent()
        #expect(one.storage.trips == ["update"])
        #expect(try await one.silent().accessToken == first.accessToken)
        #expect(one.storage.trips == ["update", "read"])
        one.storage.forget()
        one.wait(seconds: 3600)
        let second = try await one.silent()
        #expect(second.accessToken != first.accessToken && one.storage.trips == ["update", "update"])
        one.storage.forget()
        #expect(try await one.silent(force: true).accessToken != second.accessToken)
        #expect(one.storage.trips == ["update", "update"])
    }

    @Test("one look at the storage gives the account and its token")
    func look() async throws {
        let one = try await SignedIn()
        let look = try await one.core.look()
        let account = try #require(try look.account(for: one.account.username ?? ""))
        let parameters = SilentTokenParameters(scopes: ["mail.read"], account: account)
        let token = try await one.core.acquireTokenSilent(parameters, having: look)
        #expect(one.storage.trips == ["read"])
        one.wait(seconds: 3600)
        #expect(try await one.core.acquireTokenSilent(parameters, having: look).accessToken != token.accessToken)
        #expect(one.storage.trips == ["read", "update", "update"])
    }

    @Test(
        "sends no refresh token whose token endpoint is unknown, or another one",
        arguments: [nil, "https://evil.example"])
    func origin(origin: String?) async throws {
        let one = try await SignedIn()
        let kept = try await one.core.cache.document().refreshTokens
        #expect(kept.map(\.origin) == [one.world.issuer.issuer])
        try await one.core.cache.update { document in
            for var token in document.refreshTokens {
                token.origin = origin
                document.save(token)
            }
        }
        let error = await #expect(throws: AuthenticationError.self) { try await one.silent(force: true) }
        #expect(error?.code == .interactionRequired && error?.internalCode == .noTokens)
        #expect(error?.message.contains("another token endpoint") == true)
        let removed = try await one.core.remove(one.account)
        let core = one.core
        let revocation = try await core.runtime.run { () async throws(AuthenticationError) in await core.revoke(removed)
        }
        guard case .failed(let failure) = revocation else {
            Issue.record("it was sent to the revocation endpoint")
            return
        }
        #expect(failure.description?.text.contains("another token endpoint") == true)
    }

    @Test(
        "sends no refresh token to a revocation endpoint of another origin than the token endpoint's and the issuer's",
        arguments: [
            ("https://token.example/revoke", true), ("https://id.example/revoke", true),
            ("https://id.example:8443/revoke", false), ("https://evil.example/revoke", false),
        ])
    func revocationOrigin(endpoint: String, isSent: Bool) throws {
        let issuer = try EndpointURL("https://id.example/tenant", allowingLoopbackHTTP: false)
        let revocation = try EndpointURL(endpoint, allowingLoopbackHTTP: false)
        #expect(ClientCore.mayRevoke(at: revocation, tokensOf: "https://token.example", issuer: issuer) == isSent)
    }

    @Test("token's origin comes with the tokens, also where the issuer is out of reach by then")
    func originWithoutDiscovery() async throws {
        let one = try await SignedIn()
        let document = try await one.core.cache.document()
        let token = try #require(document.refreshTokens.first)
        await one.world.issuer.stop(grace: .zero)
        let members: JSONObject = [
            "access_token": "at", "token_type": "Bearer", "refresh_token": .string(token.secret.exposedText),
        ]
        let response = try TokenResponse.parse(body: JSONValue.object(members).serialized)
        let grant = TokenGrant(
            response, claims: ["sub": "alice"], origin: "https://id.example", requested: Scopes(parsing: "mail.read"),
            automatic: .forKeptTokens, correlationID: nil)
        let core = try ClientCore(try one.world.configuration())
        _ = try await core.accept(grant, authority: core.settings.authority)
        #expect(try await core.cache.document().refreshTokens.map(\.origin) == ["https://id.example"])
    }

    @Test("that fails takes two as well, and leaves nobody waiting for its turn")
    func failure() async throws {
        let one = try await SignedIn()
        await one.world.issuer.stop(grace: .zero)
        one.wait(seconds: 3600)
        for _ in 0..<2 {
            one.storage.forget()
            await #expect(throws: AuthenticationError.self) { try await one.silent() }
            #expect(one.storage.trips == ["update", "update"])
        }
        let document = try TokenCacheDocument(serialized: try #require(try one.storage.read()))
        #expect(document.leases.isEmpty && document.refreshTokens.count == 1)
    }

    @Test("is not begun while another caller has the turn, and takes what that one got")
    func others() async throws {
        let one = try await SignedIn()
        let (key, clock) = (one.account.key, one.core.clock)
        try await one.core.cache.update { document in
            _ = document.takeLease(of: key, for: "another process", at: clock.now(), seconds: 60)
        }
        let waiting = Task { try await one.silent(force: true) }
        while one.storage.trips.count < 3 { await Task.yield() }
        try await one.core.cache.update { document in
            document.endLease(of: key, for: "another process")
            let old = document.accessTokens[0]
            document.save(
                CachedAccessToken(
                    account: old.account, realm: old.realm, authority: old.authority, clientID: old.clientID,
                    scopes: old.scopes, secret: Secret("of another process"), cachedAt: old.cachedAt,
                    expiresOn: old.expiresOn, extendedExpiresOn: nil, refreshOn: nil))
        }
        #expect(try await waiting.value.accessToken == "of another process")
    }

    /// A request that does not wait for the caller that has the turn.
    private static func hurried(_ one: SignedIn, force: Bool) async throws -> AuthenticationResult {
        let (core, key) = (one.core, one.account.key)
        try await core.cache.update { document in
            _ = document.takeLease(of: key, for: "another process", at: core.clock.now(), seconds: 60)
        }
        let request = try SilentRequest(
            SilentTokenParameters(scopes: ["mail.read"], account: one.account, forceRefresh: force), core.settings)
        return try await core.runtime.run { () async throws(AuthenticationError) in
            var refresh = TokenRefresh(core: core, request: request, lookup: SilentLookup(request, core.settings))
            refresh.patience = RefreshWait(seconds: 0)
            return try await refresh.run()
        }
    }

    @Test("ends with an error where another caller has the turn for too long")
    func tooLong() async throws {
        let one = try await SignedIn()
        let error = await #expect(throws: AuthenticationError.self) { try await Self.hurried(one, force: true) }
        #expect(error?.code == .temporarilyUnavailable && error?.retryAfter == 5)
        #expect(try await one.core.cache.document().leases[one.account.key]?.owner == "another process")
    }

    @Test("gives the token that still counts where another caller has the turn for too long")
    func stillGood() async throws {
        let one = try await SignedIn()
        try await one.core.cache.update { document in
            let old = document.accessTokens[0]
            document.save(
                CachedAccessToken(
                    account: old.account, realm: old.realm, authority: old.authority, clientID: old.clientID,
                    scopes: old.scopes, secret: Secret("to be refreshed early"), cachedAt: old.cachedAt,
                    expiresOn: old.expiresOn, extendedExpiresOn: nil, refreshOn: old.cachedAt))
        }
        #expect(try await Self.hurried(one, force: false).accessToken == "to be refreshed early")
    }

    @Test("for an account that was removed meanwhile brings nothing back")
    func removed() async throws {
        let one = try await SignedIn()
        let key = one.account.key
        one.storage.beforeUpdate(2) { bytes in
            guard let old = bytes, var document = try? TokenCacheDocument(serialized: old) else { return }
            document.removeEverything(of: key)
            bytes = document.serialized
        }
        await #expect(throws: AuthenticationError.self) { try await one.silent(force: true) }
        #expect(try await one.core.look().accounts.isEmpty)
        let document = try TokenCacheDocument(serialized: try #require(try one.storage.read()))
        #expect(document.accessTokens.isEmpty && document.refreshTokens.isEmpty)
    }

    @Test("of an empty cache writes none")
    func emptyCache() async throws {
        let world = try World()
        let storage = CountingStorage()
        var configuration = try world.configuration()
        configuration.cache.storage = storage
        let application = try PublicClientApplication(configuration: configuration)
        let nobody = Account(identifier: "nobody", environment: world.issuer.issuer)
        await #expect(throws: AuthenticationError.self) {
            try await application.acquireTokenSilent(with: SilentTokenParameters(scopes: ["a"], account: nobody))
        }
        #expect(try storage.read() == nil)
        withExtendedLifetime(world) {}
    }
}

private final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}

/// Memory that says how often it was asked.
private final class CountingStorage: TokenStorage {
    private struct State {
        var trips: [String] = []
        var updates = 0
        var disturbance: (at: Int, change: @Sendable (inout [UInt8]?) -> Void)?
    }

    private let memory = MemoryStorage()
    private let state = Mutex(State())

    let summary = "a test's memory"

    var trips: [String] { state.withLock { $0.trips } }

    func forget() {
        state.withLock { $0 = State() }
    }

    /// The action of another process before an update; updates count from 1.
    func beforeUpdate(_ number: Int, _ change: @escaping @Sendable (inout [UInt8]?) -> Void) {
        state.withLock { $0.disturbance = (number, change) }
    }

    func read() throws(TokenStorageError) -> [UInt8]? {
        state.withLock { $0.trips.append("read") }
        return try memory.read()
    }

    func update<Value>(_ change: (inout [UInt8]?) -> Value) throws(TokenStorageError) -> Value {
        let disturbance = state.withLock { state in
            state.trips.append("update")
            state.updates += 1
            return state.disturbance.flatMap { $0.at == state.updates ? $0.change : nil }
        }
        if let disturbance { try memory.update { disturbance(&$0) } }
        return try memory.update(change)
    }

    func setAside() throws(TokenStorageError) { try memory.setAside() }
}
