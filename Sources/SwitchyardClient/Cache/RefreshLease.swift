internal import SwitchyardCrypto
package import SwitchyardReactor
internal import Synchronization

/// The right to exchange an account's refresh tokens, held by one caller among all processes: many issuers give a new
/// refresh token for each, and take a second use of the old one for theft.
package struct RefreshLease: Sendable, Hashable {
    /// Says which process it is, and which of its callers.
    package let owner: String
    /// When it ends by itself, should its owner be gone.
    let until: UnixTime
    /// The same on the clock of this run of the machine, which stands still while that sleeps, as its owner does; nil for one
    /// that does not say.
    let awakeUntil: Instant?

    init(owner: String, until: UnixTime, awakeUntil: Instant? = nil) {
        self.owner = owner
        self.until = until
        self.awakeUntil = awakeUntil
    }

    /// The length of a lease, in seconds. It is longer than an exchange may take, with its second try and with fetches
    /// of metadata, keys and newer keys; an exchange by a gateway has the same time for all of its tries.
    package static func length(issuerTimeout: Duration) -> Int64 {
        min(6 * max(issuerTimeout.components.seconds, 1) + 10, maximumLength)
    }

    static let maximumLength: Int64 = 900

    package static func newOwner() -> String { "\(ProcessIdentity.own ?? "") \(Random.token(byteCount: 16))" }

    /// Takes the lease for `seconds`, ``length(issuerTimeout:)``.
    /// - Parameter present: the lease that there is.
    /// - Returns: nil while another caller has it.
    package static func taken(
        over present: RefreshLease?, for owner: String, at now: UnixTime, seconds: Int64, awake: Instant = .now()
    ) -> RefreshLease? {
        if let present, present.owner != owner {
            guard !LivingOwners.contains(present.owner) else { return nil }
            guard !present.isInTime(at: now, awake: awake) || present.isAbandoned else { return nil }
        }
        return RefreshLease(
            owner: owner, until: now.advanced(bySeconds: seconds), awakeUntil: awake + .seconds(seconds))
    }

    /// Whether it was taken here.
    var isOfThisProcess: Bool {
        guard let mark = ProcessIdentity.own else { return false }
        return owner.hasPrefix("\(mark) ")
    }

    /// Whether its owner was killed in the middle of it.
    var isAbandoned: Bool { ProcessIdentity.isGone(owner.prefix { $0 != " " }) }

    /// Whether it has not ended by itself. One that ends later than any can was made before the clock was set back.
    /// - Parameters:
    ///   - now: the time of day, which counts for an owner of another machine or another run of it.
    ///   - awake: the time on the clock of this run.
    func isInTime(at now: UnixTime, awake: Instant = .now()) -> Bool {
        if let awakeUntil, ProcessIdentity.isOfThisRun(owner.prefix { $0 != " " }) {
            return awakeUntil > awake && awakeUntil - awake <= .seconds(Self.maximumLength)
        }
        return until > now && until <= now.advanced(bySeconds: Self.maximumLength)
    }
}

/// The callers of this process that may be at work with a lease. No clock takes it from them, however long they take. Safe
/// from any thread.
package enum LivingOwners {
    private static let owners = Mutex<Set<String>>([])

    package static func insert(_ owner: String) { owners.withLock { _ = $0.insert(owner) } }

    package static func remove(_ owner: String) { owners.withLock { _ = $0.remove(owner) } }

    static func contains(_ owner: String) -> Bool { owners.withLock { $0.contains(owner) } }
}

extension TokenCacheDocument {
    /// - Parameter seconds: for how long, ``RefreshLease/length(issuerTimeout:)``.
    /// - Returns: whether `owner` has it now.
    mutating func takeLease(
        of account: AccountKey, for owner: String, at now: UnixTime, seconds: Int64, awake: Instant = .now()
    ) -> Bool {
        let lease = RefreshLease.taken(over: leases[account], for: owner, at: now, seconds: seconds, awake: awake)
        guard let lease else { return false }
        leases[account] = lease
        return true
    }

    mutating func endLease(of account: AccountKey, for owner: String) {
        if leases[account]?.owner == owner { leases[account] = nil }
    }
}
