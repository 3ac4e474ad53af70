internal import SwitchyardCrypto

/// The right to exchange an account's refresh tokens, held by one caller among all processes: many issuers give a new
/// refresh token for each, and take a second use of the old one for theft.
struct RefreshLease: Sendable, Hashable {
    /// Says which process it is, and which of its callers.
    let owner: String
    /// When it ends by itself, should its owner be gone.
    let until: UnixTime

    /// In seconds: longer than an exchange may take, with its second try, a fetch of metadata, of keys
    /// and of newer ones.
    static func length(issuerTimeout: Duration) -> Int64 {
        min(6 * max(issuerTimeout.components.seconds, 1) + 10, maximumLength)
    }

    static let maximumLength: Int64 = 900

    static func newOwner() -> String { "\(ProcessMark.own ?? "") \(Random.token(byteCount: 16))" }

    /// Whether it was taken here.
    var isOfThisProcess: Bool {
        guard let mark = ProcessMark.own else { return false }
        return owner.hasPrefix("\(mark) ")
    }

    /// Whether its owner was killed in the middle of it.
    var isAbandoned: Bool { ProcessMark.isGone(owner.prefix { $0 != " " }) }
}

extension TokenCacheDocument {
    /// - Returns: whether `owner` has it now.
    mutating func takeLease(
        of account: AccountKey, for owner: String, at now: UnixTime, until: UnixTime
    ) -> Bool {
        // One that ends later than any can was made before the clock was set back.
        if let lease = leases[account], lease.owner != owner, lease.until > now,
            lease.until <= now.advanced(bySeconds: RefreshLease.maximumLength), !lease.isAbandoned
        {
            return false
        }
        leases[account] = RefreshLease(owner: owner, until: until)
        return true
    }

    mutating func endLease(of account: AccountKey, for owner: String) {
        if leases[account]?.owner == owner { leases[account] = nil }
    }
}
