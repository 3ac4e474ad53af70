import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardClient

@Suite("Tokens that were obtained")
struct GrantedTokensTests {
    private static let guid = "6f2a1f52-7d0c-4b9e-8a35-1c9d0e4b7a60"
    private let now = UnixTime(secondsSince1970: 1_000_000)

    private func grant(_ claims: JSONObject?, _ more: JSONObject = [:], requested: String = "a") throws -> TokenGrant {
        var members: JSONObject = ["access_token": "at", "token_type": "Bearer"]
        for (name, value) in more.members { members[name] = value }
        let response = try TokenResponse.parse(body: JSONValue.object(members).serialized)
        return TokenGrant(
            response, claims: claims, origin: "https://id.example", requested: Scopes(parsing: requested),
            automatic: .forKeptTokens, correlationID: nil)
    }

    private func tokens(
        _ grant: TokenGrant, _ authority: Authority, known: CachedAccount? = nil
    ) throws(AuthenticationError) -> GrantedTokens {
        try GrantedTokens(grant, authority: authority, clientID: "client", known: known, now: now)
    }

    private func oidc() throws -> Authority { try .oidc(issuer: "https://id.example") }

    @Test("of somebody else than the account that was refreshed are refused")
    func refreshedSubject() throws {
        let alice = try tokens(try grant(["sub": "alice"]), try oidc()).account
        #expect(throws: AuthenticationError.self) {
            try tokens(try grant(["sub": "mallory"]), try oidc(), known: alice)
        }
        #expect(try tokens(try grant(["sub": "alice"]), try oidc(), known: alice).account.key == alice.key)
        #expect(try tokens(try grant(nil), try oidc(), known: alice).account.key == alice.key)
    }

    @Test("belong to nobody when the issuer does not say whose they are")
    func nobody() throws {
        #expect(throws: AuthenticationError.self) { try tokens(try grant(nil), try oidc()) }
        #expect(throws: AuthenticationError.self) { try tokens(try grant([:]), try oidc()) }
    }

    @Test("name a person by client_info, or from a gateway by the directory's own claims")
    func homeAccount() throws {
        let info = Base64URL.encode(Array(#"{"uid":"u","utid":"\#(Self.guid)"}"#.utf8))
        let claims: JSONObject = ["sub": "s", "oid": "o", "tid": .string(Self.guid)]
        let authority = try Authority.entra(.common)
        #expect(
            try tokens(try grant(claims, ["client_info": .string(info)]), authority).account.homeAccountID
                == "u.\(Self.guid)")
        #expect(try tokens(try grant(claims), authority).account.homeAccountID == "o.\(Self.guid)")
        #expect(throws: AuthenticationError.self) { try tokens(try grant(["sub": "s"]), authority) }
    }

    static let accounts: [(left: String, right: String, isOne: Bool)] = [
        ("U.\(guid)", "u.\(guid.uppercased())", true), ("alice", "ALICE", false), ("kim", "\u{212A}im", false),
        ("a.b", "A.b", false),
    ]

    @Test("are one person's only where the issuer does not tell them apart", arguments: accounts)
    func accountKeys(left: String, right: String, isOne: Bool) {
        let one = AccountKey(homeAccountID: left, environment: "e")
        #expect((one == AccountKey(homeAccountID: right, environment: "e")) == isOne)
        #expect(one != AccountKey(homeAccountID: left, environment: "f"))
    }

    static let scopes: [(requested: String, granted: String?, declined: [String])] = [
        ("a b", nil, []), ("a b", "b A", []), ("a b", "a", ["b"]), ("a email", "a", []), ("a email b", "a", ["b"]),
        ("A B c", "openid c", ["A", "B"]), ("api://x/.default", "api://x/read", []), ("a", "a b extra", []),
    ]

    @Test("say which scopes were declined, whatever their case", arguments: scopes)
    func declined(requested: String, granted: String?, declined: [String]) throws {
        let more: JSONObject = granted.map { ["scope": .string($0)] } ?? [:]
        let tokens = try tokens(try grant(["sub": "s"], more, requested: requested), try oidc())
        #expect(tokens.declined == declined)
        #expect(!tokens.granted.contains { ["openid", "profile", "offline_access"].contains($0) })
    }

    @Test("are good for what the issuer says, and for nothing else that was asked for")
    func stored() throws {
        let asked = "api://x/.default"
        let told = try tokens(try grant(["sub": "s"], ["scope": "api://x/read"], requested: asked), try oidc())
        #expect(told.accessToken.scopes.names == ["api://x/read"] && told.accessToken.defaults.names == [asked])
        let untold = try tokens(try grant(["sub": "s"], requested: asked), try oidc())
        #expect(untold.accessToken.scopes.names == [asked] && untold.accessToken.defaults.isEmpty)
    }

    @Test("of one directory leave what is known of somebody at home")
    func guests() throws {
        let home = CachedAccount(
            key: AccountKey(homeAccountID: "u.\(Self.guid)", environment: "e"), homeAccountID: "u.\(Self.guid)",
            username: "ada@home", realm: Self.guid, claims: IDTokenClaims([:]), authority: "https://e/common")
        var guest = home
        guest.realm = "another"
        guest.username = "ada#EXT#@elsewhere"
        var document = TokenCacheDocument()
        document.save(guest)
        document.save(home)
        document.save(guest)
        #expect(document.accounts.map(\.username) == ["ada@home"])
    }

    @Test(
        "come from a gateway at an address with one reading only",
        arguments: [
            "http://localhost:x@evil.example", "http://gateway.example", "ftp://gateway.example", "unix:", "gateway",
            "",
            "https://user@gateway.example", "https://gateway.example?x=1",
        ])
    func gatewayAddress(address: String) {
        var configuration = PublicClientApplicationConfiguration(clientID: "client", bundleID: "com.contoso.mail")
        configuration.gateway = GatewayConfiguration(address)
        #expect(throws: AuthenticationError.self) { try PublicClientApplication(configuration: configuration) }
    }

    @Test("and their errors show no key, no cookie and no words of the issuer when they are dumped")
    func dumps() {
        var gateway = GatewayConfiguration("https://gateway.example")
        gateway.apiKey = "the-key"
        var error = AuthenticationError(.serverError, nil, "the words")
        error.httpHeaders = ["set-cookie": "the-cookie"]
        var text = ""
        dump(gateway, to: &text)
        dump(error, to: &text)
        print(gateway, error, to: &text)
        for secret in ["the-key", "the words", "the-cookie"] { #expect(!text.contains(secret)) }
    }
}
