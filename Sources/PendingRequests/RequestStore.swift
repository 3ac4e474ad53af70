public import SwitchyardCrypto

/// How a step finds its request.
public enum RequestKey: Hashable, Sendable {
    /// By what the apps' API calls it.
    case id(RequestID)
    /// By the digest of the state that a callback brought. No two requests that are remembered have the same.
    case state(SHA256Digest)
}

/// The store cannot be reached or has failed. Nothing is known of the changes that were under way.
public struct StoreFailure: Error, Sendable, CustomStringConvertible {
    /// Why, in words for the operator.
    public let description: String
    /// The encryption key that a record names and this gateway does not have; nil for every other failure. The store
    /// itself works then.
    public let missingKey: String?

    /// - Parameter description: goes to the log, so no secret may be in it.
    public init(_ description: String, missingKey: String? = nil) {
        self.description = description
        self.missingKey = missingKey
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

    /// Callbacks on their way to apps' servers that no gateway tries (``RequestRecord/isLeft``): the caller is shown each, and
    /// other gateways only if it does not claim it in time.
    public var left: [RequestRecord] = []

    public init(finished: [RequestRecord] = [], doubtful: [RequestRecord] = [], failure: StoreFailure? = nil) {
        self.finished = finished
        self.doubtful = doubtful
        self.failure = failure
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

    /// Authenticates records with other keys from now on. A store that only its gateway can write into has none.
    func adopt(_ keys: KeyRing)
}

extension RequestStore {
    public func adopt(_ keys: KeyRing) {}
    public func inherited() async throws(StoreFailure) -> [RequestRecord] { [] }

    public func waitUntilOpen() async throws(StoreFailure) {}
}

/// All that the gateways of one installation share. Rates are not among it, on purpose: each protects its own gateway, and
/// costs no trip to a store.
public protocol SharedStore: RequestStore, ProofStore, ChangeFeed, TimelineStore, WrongProofStore {}
