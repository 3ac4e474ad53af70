import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardClient

@Suite("The token cache")
struct TokenCacheDocumentTests {
    private static let account = AccountKey(homeAccountID: "UID.\(tenant)", environment: "login.windows.net")
    private static let tenant = "6f2a1f52-7d0c-4b9e-8a35-1c9d0e4b7a60"
    private static let now = Timestamp(secondsSince1970: 1_000_000)

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

    static let times: [(cachedAt: Int64, lifetime: Int64, buffer: Int64, isValid: Bool)] = [
        (0, 3600, 300, true), (0, 300, 300, true), (0, 299, 300, false), (0, 0, 0, true), (-10, -1, 0, false),
        // The clock was set back.
        (1, 3600, 300, false), (0, .max, 300, true),
    ]

    @Test("takes a token for good only with time to spare, and only if it is not from the future", arguments: times)
    func validity(cachedAt: Int64, lifetime: Int64, buffer: Int64, isValid: Bool) {
        #expect(token("a", cachedAt: cachedAt, lifetime: lifetime).isValid(at: Self.now, buffer: buffer) == isValid)
    }

    @Test("says what a silent request gets")
    func lookup() throws {
        let world = try World()
        let settings = try ClientSettings(try world.configuration())
        var document = TokenCacheDocument()
        document.save(person())
        func look(
            force: Bool = false, claims: ClaimsRequest? = nil, extended: Bool = false, account: CachedAccount? = nil
        ) throws -> String {
            let account = account ?? person()
            let core = try ClientCore(try world.configuration())
            let request = try SilentRequest(
                SilentTokenParameters(
                    scopes: ["a"], account: Account(account, core), forceRefresh: force, claims: claims), settings)
            switch SilentLookup(
                request, in: document, account, clientID: "client", buffer: 300, allowsExtended: extended, now: Self.now
            )
            {
            case .token: return "token"
            case .refresh(let valid, let extended, let expired):
                return "refresh" + (valid == nil ? "" : " valid") + (extended == nil ? "" : " extended")
                    + (expired == nil ? "" : " expired")
            }
        }
        #expect(try look() == "refresh")
        document.save(token("a"))
        #expect(try look() == "token" && look(force: true) == "refresh")
        #expect(try look(claims: ClaimsRequest().requesting("x", in: .accessToken)) == "refresh")
        #expect(try look(claims: ClaimsRequest()) == "token")
        var nameless = person()
        nameless.idToken = nil
        #expect(try look(account: nameless) == "refresh")
        document.save(token("a", refresh: 0))
        #expect(try look() == "refresh valid")
        document.save(token("a", lifetime: 200, extended: 9000))
        #expect(try look() == "refresh" && look(extended: true) == "refresh extended")
        document.save(token("a", lifetime: -1, extended: 9000))
        #expect(try look() == "refresh expired" && look(extended: true) == "refresh extended")
        document.save(token("a", lifetime: -1, extended: -1))
        #expect(try look(extended: true) == "refresh expired")
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

    @Test("gives the right to refresh to one at a time, and takes it back from who is gone")
    func leases() {
        var document = TokenCacheDocument()
        func take(_ owner: String, after seconds: Int64 = 0) -> Bool {
            document.takeLease(
                of: Self.account, for: owner, at: Self.now.advanced(bySeconds: seconds),
                until: Self.now.advanced(bySeconds: seconds + 30))
        }
        #expect(take("one"))
        #expect(!take("two"))
        #expect(take("one"))
        document.endLease(of: Self.account, for: "two")
        #expect(!take("two"))
        #expect(take("two", after: 31))
        // From before the clock was set back.
        #expect(take("three", after: -5000))
    }

    private func full() -> TokenCacheDocument {
        var document = TokenCacheDocument()
        document.save(person())
        document.save(token("a b", extended: 7200, refresh: 1800))
        document.save(
            CachedRefreshToken(account: Self.account, clientID: "client", familyID: "1", secret: Secret("rt")))
        document.signOut(Self.account, of: "another")
        _ = document.takeLease(of: Self.account, for: "me", at: Self.now, until: Self.now)
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

    static let lifetimes: [(json: String, expires: Int64, extended: Int64?, refresh: Int64?)] = [
        ("{}", 1_003_600, nil, nil), (#"{"expires_in":60}"#, 1_000_060, nil, nil),
        (#"{"expires_in":"60"}"#, 1_000_060, nil, nil),
        (#"{"expires_on":1000100,"expires_in":60}"#, 1_000_100, nil, nil),
        (#"{"expires_on":"1000100"}"#, 1_000_100, nil, nil), (#"{"expires_in":-5}"#, 1_003_600, nil, nil),
        (#"{"expires_in":60,"ext_expires_in":90,"refresh_in":30}"#, 1_000_060, 1_000_090, 1_000_030),
        (#"{"expires_in":60,"ext_expires_on":1000090,"refresh_on":"1000030"}"#, 1_000_060, 1_000_090, 1_000_030),
        (#"{"expires_in":9223372036854775807}"#, .max, nil, nil),
    ]

    @Test("knows when a token ends, in all the forms that issuers have", arguments: lifetimes)
    func lifetime(json: String, expires: Int64, extended: Int64?, refresh: Int64?) throws {
        let lifetime = TokenLifetime(try #require(try JSONValue.parse(Array(json.utf8)).object), now: Self.now)
        #expect(lifetime.expiresOn.secondsSince1970 == expires)
        #expect(lifetime.extendedExpiresOn?.secondsSince1970 == extended)
        #expect(lifetime.refreshOn?.secondsSince1970 == refresh)
    }

    @Test(
        "reads who somebody is, or refuses",
        arguments: [
            ("eyJ1aWQiOiJhIiwidXRpZCI6ImIifQ", "a.b"), ("eyJ1aWQiOiJhIiwidXRpZCI6ImIifQ==", "a.b"), ("", nil),
            ("eyJ1aWQiOiJhIn0", nil), ("eyJ1aWQiOiIiLCJ1dGlkIjoiYiJ9", nil), ("!!!", nil), ("W10", nil),
        ] as [(String, String?)])
    func clientInfo(text: String, home: String?) {
        #expect(ClientInfo(text)?.homeAccountID == home)
    }
}
