internal import SwitchyardCrypto
internal import SwitchyardReactor
internal import Synchronization

/// Codes, refresh tokens and access tokens, in memory and bounded. Safe from any thread.
final class GrantStore: Sendable {
    /// Seconds for which an access token is good unless something else is asked for; told as `expires_in`.
    static let accessTokenLifetime: Int64 = 3600

    private struct State {
        var codes = ExpiringTable<Grant>(lifetime: .seconds(60), capacity: 100_000)
        var refreshTokens = ExpiringTable<Grant>(lifetime: .seconds(86_400), capacity: 100_000)
        /// Each has its own expiry besides.
        var accessTokens = ExpiringTable<AccessGrant>(lifetime: .seconds(86_400), capacity: 100_000)
    }

    private let state = Mutex(State())

    func issueCode(for grant: Grant) -> String {
        issue { $0.codes.insert(grant, for: $1, at: $2) }
    }

    func issueAccessToken(for grant: AccessGrant) -> String {
        issue { $0.accessTokens.insert(grant, for: $1, at: $2) }
    }

    func issueRefreshToken(for grant: Grant) -> String {
        issue { $0.refreshTokens.insert(grant, for: $1, at: $2) }
    }

    /// A code is good for one use (RFC 6749 section 4.1.2), also for one that fails, but for misbehaviors that keep it.
    func useCode(_ code: String) -> Grant? {
        let now = Instant.now()
        return state.withLock { $0.codes.take(code, at: now, leaving: \.afterUse) }
    }

    /// Refresh tokens are rotated: each is good for one use (RFC 9700 section 2.2.2).
    /// - Parameters:
    ///   - keepsIt: the token stays good, because there will be no new one.
    ///   - isGood: whether the one who sent it may use it; if not, it stays as it is.
    func useRefreshToken(
        _ token: String, keepsIt: Bool, if isGood: @Sendable (Grant) -> Bool
    ) -> Grant? {
        let now = Instant.now()
        return state.withLock { state in
            state.refreshTokens.take(token, at: now) { keepsIt || !isGood($0) ? $0 : nil }
        }
    }

    func grant(ofAccessToken token: String) -> AccessGrant? {
        let now = Instant.now()
        guard let grant = state.withLock({ $0.accessTokens.value(for: token, at: now) }), grant.expiry > now else {
            return nil
        }
        return grant
    }

    /// Makes a random value of 256 bits and lets `insert` put it into its table.
    private func issue(_ insert: (inout State, String, Instant) -> Void) -> String {
        let token = Random.token()
        let now = Instant.now()
        state.withLock { insert(&$0, token, now) }
        return token
    }
}
