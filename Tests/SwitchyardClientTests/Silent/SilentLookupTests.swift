import SwitchyardCrypto
import SwitchyardOAuth
import Testing

@testable import SwitchyardClient

@Suite("A look into the cache for a silent request")
struct SilentLookupTests {
    private let now = UnixTime(secondsSince1970: 1_000_000)
    private let key = AccountKey(homeAccountID: "alice", environment: "https://id.example")

    private func token(
        _ scopes: String = "a", secret: String = "at", lifetime: Int64 = 3600, extended: Int64? = nil,
        refresh: Int64? = nil, defaults: String = "", bindingKey: Secret? = nil
    ) -> CachedAccessToken {
        CachedAccessToken(
            account: key, realm: "", authority: "https://id.example", clientID: "client",
            scopes: Scopes(parsing: scopes), defaults: Scopes(parsing: defaults), secret: Secret(secret),
            cachedAt: now, expiresOn: now.advanced(bySeconds: lifetime),
            extendedExpiresOn: extended.map(now.advanced), refreshOn: refresh.map(now.advanced), bindingKey: bindingKey)
    }

    private func document(_ tokens: CachedAccessToken..., idToken: String? = "id") -> TokenCacheDocument {
        var document = TokenCacheDocument()
        document.save(
            CachedAccount(
                key: key, homeAccountID: "alice", realm: "", claims: IDTokenClaims(json: "{}"),
                idToken: idToken.map { Secret($0) }, authority: "https://id.example"))
        for token in tokens { document.save(token) }
        return document
    }

    private func lookup(
        _ scopes: [String] = ["a"], force: Bool = false, claims: ClaimsRequest? = nil, extended: Bool = false,
        identifier: String = "alice", environment: String = "https://id.example", binds: Bool = false
    ) throws -> SilentLookup {
        var configuration = PublicClientApplicationConfiguration(
            clientID: "client", bundleID: "com.contoso.mail", authority: try .oidc(issuer: "https://id.example"))
        configuration.isExtendedLifetimeEnabled = extended
        configuration.bindsTokens = binds
        let settings = try ClientSettings(configuration)
        let account = Account(identifier: identifier, environment: environment)
        return SilentLookup(
            try SilentRequest(
                SilentTokenParameters(scopes: scopes, account: account, forceRefresh: force, claims: claims), settings),
            settings)
    }

    /// The finding in words.
    private func find(
        _ lookup: SilentLookup, in document: TokenCacheDocument, after wait: SilentLookup.Wait = .notYet
    ) throws(AuthenticationError) -> String {
        switch try lookup.finding(in: document, at: now, after: wait) {
        case .token(let token, _): token.secret.exposedText
        case .refresh(_, let rest):
            "refresh" + (rest.stillValid == nil ? "" : " valid") + (rest.extended == nil ? "" : " extended")
                + (rest.expired == nil ? "" : " expired")
        }
    }

    @Test("finds a good token, unless the app passes over the cache")
    func good() throws {
        let full = document(token())
        #expect(try find(try lookup(), in: document()) == "refresh")
        #expect(try find(try lookup(), in: full) == "at")
        #expect(try find(try lookup(["b"]), in: full) == "refresh")
        #expect(try find(try lookup(force: true), in: full) == "refresh")
        #expect(try find(try lookup(claims: ClaimsRequest()), in: full) == "at")
        #expect(try find(try lookup(claims: ClaimsRequest().requesting("x", in: .accessToken)), in: full) == "refresh")
        #expect(try find(try lookup(), in: document(token(), idToken: nil)) == "refresh")
    }

    @Test("tells what an older token is still worth")
    func remainders() throws {
        #expect(try find(try lookup(), in: document(token(refresh: 0))) == "refresh valid")
        let ending = document(token(lifetime: 200, extended: 9000))
        #expect(try find(try lookup(), in: ending) == "refresh")
        #expect(try find(try lookup(extended: true), in: ending) == "refresh extended")
        let over = document(token(lifetime: -1, extended: 9000))
        #expect(try find(try lookup(), in: over) == "refresh expired")
        #expect(try find(try lookup(extended: true), in: over) == "refresh extended")
        let gone = document(token(lifetime: -1, extended: -1))
        #expect(try find(try lookup(extended: true), in: gone) == "refresh expired")
    }

    @Test("takes what others got while the caller waited, but never the token that was no answer")
    func afterOthers() throws {
        let full = document(token(secret: "new"))
        #expect(try find(try lookup(force: true), in: full, after: .since(outdated: Secret("old"))) == "new")
        #expect(try find(try lookup(force: true), in: full, after: .since(outdated: nil)) == "new")
        #expect(try find(try lookup(force: true), in: full, after: .since(outdated: Secret("new"))) == "refresh")
        let claims = ClaimsRequest().requesting("x", in: .accessToken)
        #expect(try find(try lookup(claims: claims), in: full, after: .since(outdated: Secret("old"))) == "refresh")
    }

    @Test("finds by .default what was granted for it, and calls it nothing but what was granted")
    func defaults() throws {
        let full = document(token("api://x/read", defaults: "api://x/.default"))
        #expect(try find(try lookup(["api://x/.default"]), in: full) == "at")
        #expect(try find(try lookup(["API://x/.DEFAULT", "api://x/read"]), in: full) == "at")
        #expect(try find(try lookup(["api://y/.default"]), in: full) == "refresh")
        let again = try TokenCacheDocument(serialized: full.serialized)
        #expect(try find(try lookup(["api://x/.default"]), in: again) == "at")
        #expect(again.accessTokens.map(\.scopes.text) == ["api://x/read"])
    }

    @Test("wants the person where the account is not there, was signed out, or is of another issuer")
    func refusals() throws {
        func reason(_ document: TokenCacheDocument, _ lookup: SilentLookup) -> AuthenticationError.InternalCode? {
            do throws(AuthenticationError) {
                _ = try lookup.finding(in: document, at: now)
                return nil
            } catch {
                return error.code == .interactionRequired ? error.internalCode : nil
            }
        }
        #expect(reason(TokenCacheDocument(), try lookup()) == .noTokens)
        #expect(reason(document(token()), try lookup(identifier: "ALICE")) == .noTokens)
        var signedOut = document(token())
        signedOut.signOut(key, of: "client")
        #expect(reason(signedOut, try lookup()) == .signedOut)
        var elsewhere = document(token())
        let other = AccountKey(homeAccountID: "alice", environment: "https://other.example")
        elsewhere.save(
            CachedAccount(
                key: other, homeAccountID: "alice", realm: "", claims: IDTokenClaims(json: "{}"),
                authority: "https://other.example"))
        #expect(reason(elsewhere, try lookup(environment: "https://other.example")) == .differentCloud)
    }

    @Test("passes over tokens that are bound to no key, where the app binds its tokens")
    func bound() throws {
        var full = document(token())
        full.save(CachedRefreshToken(account: key, clientID: "client", familyID: nil, secret: Secret("own")))
        #expect(try find(try lookup(binds: true), in: full) == "refresh")
        #expect(try lookup(binds: true).refreshTokens(in: full, of: key).isEmpty)
        full.save(token(secret: "bound", bindingKey: Secret("key")))
        full.save(
            CachedRefreshToken(
                account: key, clientID: "client", familyID: "1", secret: Secret("bound"), bindingKey: Secret("key")))
        #expect(try find(try lookup(binds: true), in: full) == "bound")
        #expect(try lookup(binds: true).refreshTokens(in: full, of: key).map(\.secret.exposedText) == ["bound"])
    }

    @Test("names the app's own refresh token before the family's, and each once")
    func refreshTokens() throws {
        var full = document()
        func names() throws -> [String] {
            try lookup().refreshTokens(in: full, of: key).map(\.secret.exposedText)
        }
        #expect(try names() == [])
        full.save(CachedRefreshToken(account: key, clientID: "other", familyID: "1", secret: Secret("family")))
        #expect(try names() == ["family"])
        full.save(CachedRefreshToken(account: key, clientID: "client", familyID: nil, secret: Secret("own")))
        #expect(try names() == ["own", "family"])
        full.save(CachedRefreshToken(account: key, clientID: "client", familyID: "1", secret: Secret("both")))
        #expect(try names() == ["both"])
    }
}
