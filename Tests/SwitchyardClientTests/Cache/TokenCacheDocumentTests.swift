import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardClient

@Suite("The token cache")
struct TokenCacheDocumentTests {
    private static let account = AccountKey(homeAccountID: "UID.\(tenant)", environment: "login.windows.net")
    private static let tenant = "6f2a1f52-7d0c-4b9e-8a35-1c9d0e4b7a60"
    private static let now = UnixTime(secondsSince1970: 1_000_000)

    private func token(
        _ scopes: String, realm: String = tenant, client: String = "client", secret: String = "at",
        cachedAt: Int64 = 0,
        lifetime: Int64 = 3600, extended: Int64? = nil, refresh: Int64? = nil
    ) -> CachedAccessToken {
        CachedAccessToken(
            account: Self.account, realm: realm, authority: "https://login.example/\(realm)", clientID: client,
            scopes: Scopes(parsing: scopes),
            secret: Secret(secret), cachedAt: Self.now.advanced(bySeconds: cachedAt),
            expiresOn: Self.now.advanced(bySeconds: lifetime),
            extendedExpiresOn: extended.map(Self.now.advanced), refreshOn: refresh.map(Self.now.advanced))
    }

    private func person() -> CachedAccount {
        CachedAccount(
            key: Self.account, homeAccountID: "UID.\(Self.tenant)", username: "ada@contoso.example", name: "Ada",
            realm: Self.tenant,
            claims: IDTokenClaims(["sub": "s"]), idToken: Secret("id"), authority: "https://login.example/common")
    }

    private func find(
        _ document: TokenCacheDocument, _ scopes: String, at tenant: TokenTenant = .id(tenant),
        client: String = "client"
    ) -> String? {
        document.accessToken(
            for: AccountKey(homeAccountID: "uid.\(Self.tenant.uppercased())", environment: "login.windows.net"),
            at: tenant,
            clientID: client,
            scopes: Scopes(parsing: scopes))?.secret.exposedText
    }

    @Test("finds a token whose scopes hold all that are asked for, in any case of letters")
    func subset() {
        var document = TokenCacheDocument()
        document.save(token("a b c"))
        #expect(find(document, "b") == "at" && find(document, "C A") == "at" && find(document, "a d") == nil)
        #expect(find(document, "a", at: .id("other")) == nil && find(document, "a", at: .none) == "at")
        #expect(
            find(document, "a", client: "other") == nil
                && find(document, "a", at: .authority("https://login.example/x")) == nil)
    }

    @Test("keeps tokens of several scopes apart and replaces what a newer one makes superfluous")
    func replacing() {
        var document = TokenCacheDocument()
        document.save(token("a b", secret: "old"))
        document.save(token("c", secret: "other"))
        document.save(token("A b d", secret: "new"))
        #expect(document.accessTokens.count == 2)
        #expect(find(document, "a") == "new" && find(document, "c") == "other")
        document.save(token("a", realm: "second", secret: "elsewhere"))
        #expect(find(document, "a", at: .id("second")) == "elsewhere" && find(document, "a") == "new")
    }

    @Test("prefers the app's own refresh token, and knows families")
    func families() {
        var document = TokenCacheDocument()
        func refresh(_ client: String, _ family: String?, _ secret: String) -> CachedRefreshToken {
            CachedRefreshToken(account: Self.account, clientID: client, familyID: family, secret: Secret(secret))
        }
        func own(_ client: String) -> String? {
            document.refreshToken(for: Self.account, clientID: client)?.secret.exposedText
        }
        func shared(_ client: String) -> String? {
            document.familyRefreshToken(for: Self.account, clientID: client)?.secret.exposedText
        }
        document.save(refresh("one", "1", "family"))
        #expect(own("one") == "family" && own("two") == nil && shared("two") == "family")
        document.save(refresh("two", nil, "own"))
        #expect(own("two") == "own" && shared("two") == "family")
        document.save(refresh("three", "1", "newer"))
        #expect(shared("one") == "newer" && document.refreshTokens.count == 2)
        document.families["two"] = ""
        #expect(shared("two") == nil)
        document.signOut(Self.account, of: "two")
        #expect(own("two") == nil && shared("one") == "newer")
        document.removeEverything(of: Self.account)
        #expect(document.refreshTokens.isEmpty)
    }

    private func full() -> TokenCacheDocument {
        var document = TokenCacheDocument()
        document.save(person())
        document.save(token("a b", extended: 7200, refresh: 1800))
        document.save(
            CachedRefreshToken(account: Self.account, clientID: "client", familyID: "1", secret: Secret("rt")))
        document.signOut(Self.account, of: "another")
        _ = document.takeLease(of: Self.account, for: "me", at: Self.now, seconds: 0)
        return document
    }

    @Test("reads back what it wrote")
    func roundTrip() throws {
        let bytes = full().serialized
        #expect(try TokenCacheDocument(serialized: bytes).serialized == bytes)
    }

    @Test("takes no part of a document for a document")
    func truncated() {
        let bytes = full().serialized
        for length in 0..<bytes.count {
            #expect(throws: TokenCacheDocument.ReadingError.self) {
                try TokenCacheDocument(serialized: Array(bytes.prefix(length)))
            }
        }
    }

    @Test("leaves a newer library's document alone")
    func newer() {
        let text = String(decoding: full().serialized, as: UTF8.self)
        let newer = "{\"version\":2" + text.dropFirst("{\"version\":1".count)
        #expect(throws: TokenCacheDocument.ReadingError.newerVersion) {
            try TokenCacheDocument(serialized: Array(newer.utf8))
        }
    }
}
