/// The content of a store at a moment.
public struct StoreUsage: Hashable, Sendable {
    /// Requests that are not over.
    public var pending: Int
    /// All requests, tombstones included.
    public var requests: Int
    /// The bytes that count against ``RequestQuota/bytes``.
    public var bytes: Int
    /// The phases of unfinished requests; nil for a store that does not count them.
    public var phases: Phases?

    /// The numbers of unfinished requests by their phase (``RequestRecord/Phase``); each is 0 or more.
    public struct Phases: Hashable, Sendable {
        public var pending: Int
        public var claimed: Int
        public var releaseRequired: Int
        public var redeeming: Int

        public init(pending: Int, claimed: Int, releaseRequired: Int, redeeming: Int) {
            self.pending = pending
            self.claimed = claimed
            self.releaseRequired = releaseRequired
            self.redeeming = redeeming
        }
    }

    /// A count below zero, which a shared store may give, is taken for zero.
    public init(pending: Int, requests: Int, bytes: Int, phases: Phases? = nil) {
        self.pending = max(0, pending)
        self.requests = max(0, requests)
        self.bytes = max(0, bytes)
        self.phases = phases
    }
}

/// The operations of a store; for measuring them.
public enum StoreOperation: String, Sendable, CaseIterable {
    /// ``RequestStore/insert(_:within:)``
    case insert
    /// ``RequestStore/find(_:)``
    case find
    /// ``RequestStore/apply(_:to:within:at:)``
    case apply
    /// ``OneTimeStore/use(_:of:until:at:)`` and ``OneTimeStore/undoUse(_:of:until:)``
    case useOnce = "use_proof"
    /// The calls of ``RegistrationStore``.
    case registration
    /// ``RequestStore/age(at:)``
    case age
    /// ``RequestStore/usage()``
    case usage
}
