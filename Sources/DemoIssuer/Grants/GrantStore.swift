internal import SwitchyardCrypto
package import SwitchyardReactor
internal import Synchronization

/// Codes, refresh tokens and access tokens, in memory and bounded. Safe from any thread.
package final class GrantStore: Sendable {
    /// Seconds for which an access token is good unless something else is asked for; told as `expires_in`.
    package static let accessTokenLifetime: Int64 = 3600

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

    /// A code is good for one use (RFC 6749 section 4.1.2), also for one that fails.
    func useCode(_ code: String) -> Grant? {
        let now = Instant.now()
        return state.withLock { $0.codes.take(code, at: now, leaving: { _ in nil }) }
    }

    /// Uses a refresh token. Refresh tokens rotate: each is good for one use (RFC 9700 section 2.2.2).
    /// - Parameters:
    ///   - keepsIt: the token stays good, because no new one follows.
    ///   - isGood: whether the sender may use the token; if not, the token stays unchanged.
    func useRefreshToken(
        _ token: String, keepsIt: Bool, if isGood: @Sendable (Grant) -> Bool
    ) -> Grant? {
        let now = Instant.now()
        return state.withLock { state in
            state.refreshTokens.take(token, at: now) { keepsIt || !isGood($0) ? $0 : nil }
        }
    }

    /// Takes a refresh token or an access token out of use (RFC 7009 section 2.1).
    /// - Returns: false when it is another client's, which leaves it as it is; true also for one that is unknown.
    func revoke(_ token: String, of clientID: String) -> Bool {
        let now = Instant.now()
        return state.withLock { state in
            let owners = [
                state.refreshTokens.take(token, at: now) { $0.clientID == clientID ? nil : $0 }?.clientID,
                state.accessTokens.take(token, at: now) { $0.clientID == clientID ? nil : $0 }?.clientID,
            ]
            return owners.allSatisfy { $0 == nil || $0 == clientID }
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

/// Values that all live equally long, at most a certain number of them: the oldest goes first.
package struct ExpiringTable<Value> {
    private struct Entry {
        var value: Value
        let expiry: Instant
    }

    private var entries: [String: Entry] = [:]
    /// Keys in the order of their expiry, from `head` on; taken ones stay in here until their time.
    private var order: [(key: String, expiry: Instant)] = []
    private var head = 0
    private let lifetime: Duration
    private let capacity: Int

    package init(lifetime: Duration, capacity: Int) {
        self.lifetime = lifetime
        self.capacity = capacity
    }

    package mutating func insert(_ value: Value, for key: String, at now: Instant) {
        dropOldest(at: now)
        let expiry = now + lifetime
        entries[key] = Entry(value: value, expiry: expiry)
        order.append((key, expiry))
    }

    package func value(for key: String, at now: Instant) -> Value? {
        guard let entry = entries[key], entry.expiry > now else { return nil }
        return entry.value
    }

    /// Hands out the value and puts in its place what `successor` makes of it; nil removes it. Its expiry stays.
    package mutating func take(_ key: String, at now: Instant, leaving successor: (Value) -> Value?) -> Value? {
        guard let entry = entries[key], entry.expiry > now else { return nil }
        entries[key] = successor(entry.value).map { Entry(value: $0, expiry: entry.expiry) }
        return entry.value
    }

    private mutating func dropOldest(at now: Instant) {
        while head < order.count, order[head].expiry <= now || order.count - head >= capacity {
            entries[order[head].key] = nil
            head += 1
        }
        // Now and then, so that the cost of moving is spread over many insertions.
        if head > 1024, head > order.count / 2 {
            order.removeFirst(head)
            head = 0
        }
    }
}
