public import SwitchyardCrypto

/// How a step finds its request.
public enum RequestKey: Hashable, Sendable {
    /// By what the apps' API calls it.
    case id(RequestID)
    /// By the digest of the state that a callback brought. No two requests that are remembered have the same.
    case state(SHA256Digest)
}

/// How much may be kept. Callers that authenticate keep a tenth of what holds altogether for themselves (rules: a flood
/// shuts nobody out).
public struct RequestQuota: Hashable, Sendable {
    /// Unfinished requests altogether; 0 or more, as all that follows.
    public let total: Int
    /// Unfinished requests of one app.
    public let perApp: Int
    /// Unfinished requests of callers that count as one (``RequestRecord/Beginner/addressKey``).
    public let perAddress: Int
    /// Bytes of everything that is kept (``KeptBytes``): unfinished requests, held responses, outcomes until they are gone,
    /// and tombstones. Those turn nobody away, because the oldest of them make room.
    public let bytes: Int
    /// Bytes of what callers that count as one have begun, without tombstones: no address is left in them.
    public let bytesPerAddress: Int

    /// - Parameters:
    ///   - total: unfinished requests altogether.
    ///   - perApp: unfinished requests of one app.
    ///   - perAddress: unfinished requests of callers that count as one.
    ///   - bytes: of everything that is kept.
    ///   - bytesPerAddress: of what callers that count as one have begun.
    public init(total: Int, perApp: Int, perAddress: Int, bytes: Int, bytesPerAddress: Int) {
        self.total = total
        self.perApp = perApp
        self.perAddress = perAddress
        self.bytes = bytes
        self.bytesPerAddress = bytesPerAddress
    }

    /// With an eighth more bytes: for results that are larger than what was counted for them.
    var stretched: RequestQuota {
        RequestQuota(
            total: total, perApp: perApp, perAddress: perAddress, bytes: bytes + bytes / 8,
            bytesPerAddress: bytesPerAddress + bytesPerAddress / 8)
    }
}

/// Why a request was not taken in.
public enum InsertionRefusal: Error, Hashable, Sendable {
    /// A request with the same state is remembered.
    case stateInUse
    /// As many are unfinished as may be, ``RequestQuota/total``.
    case tooMany
    /// As many of its app are, ``RequestQuota/perApp``.
    case tooManyForApp
    /// As many of its beginner are, ``RequestQuota/perAddress``.
    case tooManyForAddress
    /// It does not fit into ``RequestQuota/bytes``.
    case tooManyBytes
    /// It does not fit into ``RequestQuota/bytesPerAddress``.
    case tooManyBytesForAddress
}

/// The store cannot be reached or has failed. Nothing is known of the changes that were under way.
public struct StoreFailure: Error, Sendable, CustomStringConvertible {
    /// Why, in words for the operator.
    public let description: String

    /// - Parameter description: goes to the log, so no secret may be in it.
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
    /// Where those that are not over stand; nil for a store that does not count that.
    public var phases: Phases?

    /// How many requests stand where, of those that are not over.
    public struct Phases: Hashable, Sendable {
        /// No callback has claimed them.
        public var pending: Int
        /// Claimed, with a code that is not on its way yet.
        public var claimed: Int
        /// Held until their release.
        public var releaseRequired: Int
        /// With their code on the way to the issuer.
        public var redeeming: Int

        /// - Parameter pending: 0 or more, as each of the others.
        public init(pending: Int, claimed: Int, releaseRequired: Int, redeeming: Int) {
            self.pending = pending
            self.claimed = claimed
            self.releaseRequired = releaseRequired
            self.redeeming = redeeming
        }
    }

    /// - Parameters:
    ///   - pending: requests that are not over.
    ///   - kept: everything that is remembered; `pending` or more.
    ///   - bytes: of all that.
    public init(pending: Int, kept: Int, bytes: Int, phases: Phases? = nil) {
        self.pending = pending
        self.kept = kept
        self.bytes = bytes
        self.phases = phases
    }
}

/// What time has done to the requests of a store.
public struct Aging: Sendable {
    /// Those that it has finished, each of them told of once.
    public var finished: [RequestRecord]
    /// Those of which the store did not say whether time has finished them, as they would be.
    public var doubtful: [RequestRecord]
    /// Why not everything was done; nil when it was.
    public var failure: StoreFailure?

    public init(finished: [RequestRecord] = [], doubtful: [RequestRecord] = [], failure: StoreFailure? = nil) {
        self.finished = finished
        self.doubtful = doubtful
        self.failure = failure
    }
}

/// What a store is asked for; for measuring it.
public enum StoreOperation: String, Sendable, CaseIterable {
    /// ``RequestStore/insert(_:within:)``
    case insert
    /// ``RequestStore/find(_:)``
    case find
    /// ``RequestStore/apply(_:to:within:at:)``
    case apply
    /// ``ProofStore/use(_:of:until:at:)`` and ``ProofStore/takeBack(_:of:until:)``
    case useProof = "use_proof"
    /// ``RequestStore/age(at:)``
    case age
    /// ``RequestStore/usage()``
    case usage
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
    /// - Parameters:
    ///   - record: that no step was applied to.
    ///   - quota: holds at the moment of the insertion, whatever was taken in under another one.
    /// - Returns: a refusal, which changes nothing, or success: then the request outlives whatever this store outlives.
    /// - Throws: ``StoreFailure``; whether it was taken in is not known then.
    func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreFailure) -> Result<Void, InsertionRefusal>

    /// Looks a request up, as it was after its last step; nil for an unknown one. What time would do to it since is left to
    /// the caller.
    func find(_ key: RequestKey) async throws(StoreFailure) -> RequestRecord?

    /// Takes a step, and gives the record as it is after it. A step that asks for room
    /// (``RequestTransition/room(within:)``) and adds to what the record counts is refused when the bytes of what it names
    /// do not have that: altogether, as for an insertion by the same beginner, or for its address.
    /// - Parameter now: the time by which requests live.
    /// - Returns: the record, or a refusal, which changes nothing.
    /// - Throws: ``StoreFailure``; whether the step was taken is not known then.
    func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal>

    /// Lets time pass: applies ``RequestTransition/age`` where something is due, and forgets what is no longer needed. To be
    /// called about once a second, also while the store is out: it fails until the store takes changes again.
    func age(at now: Timestamp) async -> Aging

    /// What is kept at this moment, by all gateways of the store; about, while others change it.
    func usage() async throws(StoreFailure) -> StoreUsage

    /// The requests of an earlier process that still wait for their callback, for who has to go on with them. Looks at
    /// everything, so it is for stores of one person. Empty for a store that outlives no process, and for one that gateways
    /// share: there nobody knows whose they are.
    func inherited() async throws(StoreFailure) -> [RequestRecord]

    /// Comes back once the store is open. The key that one keeps by itself is known then, and not before: what is sealed
    /// earlier could not be opened by the next process.
    func waitUntilOpen() async throws(StoreFailure)
}

extension RequestStore {
    public func inherited() async throws(StoreFailure) -> [RequestRecord] { [] }

    public func waitUntilOpen() async throws(StoreFailure) {}
}

/// Remembers what counts once, for all gateways of a store: proofs of possession (RFC 9449 section 11.1), and callbacks that were
/// handed over without a request. Safe from any thread.
public protocol ProofStore: Sendable {
    /// Marks a proof as used with a request. No more than ``ProofUse/maximum`` of one request are remembered at a time, so
    /// that what they take is counted with it (``KeptBytes``).
    /// - Parameter until: when it is no longer good, and may be forgotten.
    func use(
        _ proof: ShortDigest, of request: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreFailure) -> ProofUse

    /// Takes a mark back: the next one is the first again. Nothing happens where there is none, or another one by now.
    /// - Parameter until: as it was marked.
    func takeBack(
        _ proof: ShortDigest, of request: RequestID, until: Timestamp
    ) async throws(StoreFailure)
}

/// What became of a proof of possession.
public enum ProofUse: Hashable, Sendable {
    /// It came for the first time.
    case first
    /// It was used with this request before, and would still be good.
    case repeated
    /// As many as may be were used with its request lately. It was not marked, and may be tried again.
    case tooMany

    /// Of one request, as long as they are good.
    public static let maximum = 128
}

/// Tells of changes that another gateway has made, so that who waits here hears of them. Safe from any thread.
public protocol ChangeFeed: Sendable {
    /// Calls `tell` for each request that another gateway has changed, from now on, and `missed` when any may have changed that
    /// was not told of; on any thread.
    func follow(_ tell: @escaping @Sendable (RequestID) -> Void, missed: @escaping @Sendable () -> Void)

    /// After how long who waits looks again, because what is told may be lost; nil where it cannot.
    var rereadInterval: Duration? { get }
}

/// All that the gateways of one installation share. Rates are not among it, on purpose: each protects its own gateway, and
/// costs no trip to a store.
public protocol SharedStore: RequestStore, ProofStore, ChangeFeed, TimelineStore {}

extension ChangeFeed {
    /// For a store that belongs to one gateway: there is nobody else to hear of.
    public func follow(_ tell: @escaping @Sendable (RequestID) -> Void, missed: @escaping @Sendable () -> Void) {}

    /// nil: nothing can be missed.
    public var rereadInterval: Duration? { nil }
}

/// What a record counts against the quota's bytes; every store counts alike.
public enum KeptBytes {
    /// What a store spends on finding a record, and on remembering when it is due.
    private static let overhead = 96
    /// What an unfinished request is going to bring: a parked and a held response, and then its outcome. It counts from the
    /// beginning on, so that the callback of usual size finds its room, whoever has filled the rest meanwhile (rules: a flood
    /// shuts nobody out).
    static let reserve = 4 << 10
    /// The proofs that are remembered with a request that needs them.
    private static let proofs = ProofUse.maximum * 32

    /// - Parameter packed: the length of ``RequestRecord/packed``.
    public static func of(_ record: RequestRecord, packed: Int) -> Int {
        var bytes = packed + overhead
        if !record.isFinished { bytes += max(0, reserve - brought(to: record)) }
        if record.proofKey != nil, !record.isTombstone { bytes += proofs }
        return bytes
    }

    /// At least as many bytes as its callbacks have made the packed record longer.
    private static func brought(to record: RequestRecord) -> Int {
        (record.callback == nil ? 0 : 48) + (record.claim == nil ? 0 : 32) + 20 * record.strayCodes.count
            + (record.parked.map { $0.sealed.count + 16 } ?? 0) + (record.held.map { $0.sealed.count + 16 } ?? 0)
    }
}
