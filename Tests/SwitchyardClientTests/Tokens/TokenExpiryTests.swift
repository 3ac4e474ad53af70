import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardClient

@Suite("An access token")
struct TokenExpiryTests {
    private let now = UnixTime(secondsSince1970: 1_000_000)

    private func token(
        cachedAt: Int64 = 0, lifetime: Int64, extended: Int64? = nil, refresh: Int64? = nil
    ) -> CachedAccessToken {
        CachedAccessToken(
            account: AccountKey(homeAccountID: "a", environment: "id.example"), realm: "",
            authority: "https://id.example", clientID: "client", scopes: Scopes(parsing: "a"), secret: Secret("at"),
            cachedAt: now.advanced(bySeconds: cachedAt), expiresOn: now.advanced(bySeconds: lifetime),
            extendedExpiresOn: extended.map(now.advanced), refreshOn: refresh.map(now.advanced))
    }

    static let times: [(cachedAt: Int64, lifetime: Int64, refresh: Int64?, buffer: Int64, freshness: TokenFreshness)] =
        [
            (0, 3600, nil, 300, .good), (0, 300, nil, 300, .good), (0, 299, nil, 300, .expired),
            (0, 0, nil, 0, .good), (-10, -1, nil, 0, .expired), (0, .max, nil, 300, .good),
            // The clock was set back.
            (1, 3600, nil, 300, .expired),
            // The issuer wants to see it early.
            (0, 3600, 1, 300, .good), (0, 3600, 0, 300, .dueForRenewal), (0, 299, 0, 300, .expired),
        ]

    @Test("is good only with time to spare, and only if it is not from the future", arguments: times)
    func freshness(
        cachedAt: Int64, lifetime: Int64, refresh: Int64?, buffer: Int64, freshness: TokenFreshness
    ) {
        let token = token(cachedAt: cachedAt, lifetime: lifetime, refresh: refresh)
        #expect(token.freshness(at: now, buffer: buffer) == freshness)
    }

    @Test("may serve longer where its issuer allows that, and is useless after that")
    func extended() {
        #expect(!token(lifetime: -1).isExtended(at: now) && token(lifetime: -1).isUseless(at: now))
        #expect(token(lifetime: -1, extended: 9).isExtended(at: now))
        #expect(!token(lifetime: -1, extended: 9).isUseless(at: now))
        #expect(!token(lifetime: -9, extended: -1).isExtended(at: now))
        #expect(token(lifetime: -9, extended: -1).isUseless(at: now) && !token(lifetime: 0).isUseless(at: now))
    }

    static let lifetimes: [(json: String, expires: Int64, extended: Int64?, refresh: Int64?)] = [
        ("{}", 1_003_600, nil, nil), (#"{"expires_in":60}"#, 1_000_060, nil, nil),
        (#"{"expires_in":"60"}"#, 1_000_060, nil, nil),
        (#"{"expires_on":1000100,"expires_in":60}"#, 1_000_100, nil, nil),
        (#"{"expires_on":"1000100"}"#, 1_000_100, nil, nil), (#"{"expires_in":-5}"#, 1_003_600, nil, nil),
        (#"{"expires_in":60,"ext_expires_in":90,"refresh_in":30}"#, 1_000_060, 1_000_090, 1_000_030),
        (#"{"expires_in":60,"ext_expires_on":1000090,"refresh_on":"1000030"}"#, 1_000_060, 1_000_090, 1_000_030),
        (#"{"expires_in":9223372036854775807}"#, 253_402_300_799, nil, nil),
        (
            #"{"expires_on":9223372036854775807,"refresh_in":9223372036854775807}"#, 253_402_300_799, nil,
            253_402_300_799
        ),
    ]

    @Test("ends when its issuer says, in all the forms that issuers have", arguments: lifetimes)
    func lifetime(json: String, expires: Int64, extended: Int64?, refresh: Int64?) throws {
        let lifetime = TokenLifetime(try #require(try JSONValue.parse(Array(json.utf8)).object), now: now)
        #expect(lifetime.expiresOn.secondsSince1970 == expires)
        #expect(lifetime.extendedExpiresOn?.secondsSince1970 == extended)
        #expect(lifetime.refreshOn?.secondsSince1970 == refresh)
    }
}
