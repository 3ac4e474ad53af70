public import SwitchyardCrypto

/// How a step finds its request.
public enum RequestKey: Hashable, Sendable {
    case id(RequestID)
    case state(SHA256Digest)
}

/// How much may be kept. Callers that authenticate keep a tenth of what holds altogether for themselves (rules: a flood
/// shuts nobody out).
public struct RequestQuota: Hashable, Sendable {
    /// Unfinished requests altogether, per app, and per address that began them.
    public let total: Int
    public let perApp: Int
    public let perAddress: Int
    /// Bytes of everything that is kept, altogether and per address: unfinished requests, held responses, and outcomes
    /// until they are gone. Tombstones count altogether only, because no address is left in them.
    public let bytes: Int
    public let bytesPerAddress: Int

    public init(total: Int, perApp: Int, perAddress: Int, bytes: Int, bytesPerAddress: Int) {
        self.total = total
        self.perApp = perApp
        self.perAddress = perAddress
        self.bytes = bytes
        self.bytesPerAddress = bytesPerAddress
    }
}

/// Why a request was not taken in.
public enum InsertionRefusal: Error, Hashable, Sendable {
    /// A request with the same state is remembered.
    case stateInUse
    case tooMany
    case tooManyForApp
    case tooManyForAddress
    case tooManyBytes
    case tooManyBytesForAddress
}

/// The store cannot be reached or has failed. Nothing is known of the changes that were under way.
public struct StoreFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// What a store keeps at a moment.
public struct StoreUsage: Hashable, Sendable {
    /// Requests that are not over.
    public var pending: Int
    /// Everything that is remembered, tombstones included.
    public var kept: Int
    /// What that counts against ``RequestQuota/bytes``.
    public var bytes: Int

    public init(pending: Int, kept: Int, bytes: Int) {
        self.pending = pending
        self.kept = kept
        self.bytes = bytes
    }
}

/// Keeps pending token requests.
///
/// Operations come one by one, each from a task that waits for its own answer; what comes at the same time a store groups
/// by itself, into one transaction or one round trip, because only it knows when the last one ended. Nothing here assumes
/// memory.
///
/// Every change to one request is atomic: of two claims, one is refused. What a step means is ``RequestRecord/apply(_:at:)``
/// and nothing else, so a store runs that within its own kind of transaction: under a lock, in a database's transaction,
/// or between reading a record and writing it back on the condition that its bytes are still those that were read.
/// Safe from any thread.
public protocol RequestStore: Sendable {
    /// Takes in a new request.
    func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreFailure) -> Result<Void, InsertionRefusal>

    /// Looks a request up, as it was after its last step; nil for an unknown one.
    func find(_ key: RequestKey) async throws(StoreFailure) -> RequestRecord?

    /// Takes a step, and gives the record as it is after it. A step that asks for room
    /// (``RequestTransition/asksForRoom``) is refused when the quota's bytes do not have it.
    func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal>

    /// Lets time pass: applies ``RequestTransition/age`` where something is due, and forgets what is no longer needed. To be
    /// called about once a second, also while the store is out: it succeeds once the store takes changes again.
    /// - Returns: those that time has finished.
    func age(at now: Timestamp) async throws(StoreFailure) -> [RequestRecord]

    func usage() async throws(StoreFailure) -> StoreUsage
}

/// Remembers which proofs of possession were used (RFC 9449 section 11.1), for all gateways of a store. Safe from any
/// thread.
public protocol ProofStore: Sendable {
    /// Marks a proof as used.
    /// - Parameter until: when it is no longer good, and may be forgotten.
    /// - Returns: false when it was used before.
    func use(_ proof: SHA256Digest, until: Timestamp, at now: Timestamp) async throws(StoreFailure) -> Bool
}

/// Tells of changes that another gateway has made, so that who waits here hears of them. Safe from any thread.
public protocol ChangeFeed: Sendable {
    /// Calls `tell` for each request that another gateway has changed, from now on; on any thread.
    func follow(_ tell: @escaping @Sendable (RequestID) -> Void)
}

/// All that the gateways of one installation share. Rates are not among it, on purpose: each protects its own gateway, and
/// costs no trip to a store.
public protocol SharedStore: RequestStore, ProofStore, ChangeFeed {}

extension ChangeFeed {
    /// For a store that belongs to one gateway: there is nobody else to hear of.
    public func follow(_ tell: @escaping @Sendable (RequestID) -> Void) {}
}

/// What a record counts against the quota's bytes; every store counts alike.
public enum KeptBytes {
    /// What a store spends on finding a record, and on remembering when it is due.
    private static let overhead = 96
    /// Counted from the claim on, until it is known: most results are shorter.
    private static let outcome = 8 << 10

    /// - Parameter packed: the length of ``RequestRecord/packed``.
    public static func of(_ record: RequestRecord, packed: Int) -> Int {
        packed + overhead + (record.isFinished || record.phase == .pending ? 0 : outcome)
    }
}
