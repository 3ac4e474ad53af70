public import SwitchyardCrypto
public import SwitchyardRouting

/// How a step finds its request.
public enum RequestKey: Hashable, Sendable {
    /// The id that the apps' API uses.
    case id(RequestID)
    /// The digest of the state that a callback brought. It is unique among all remembered requests.
    case state(SHA256Digest)
}

/// The store cannot be reached or has failed. The changes that were under way may or may not have happened.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The reason, in words for the operator.
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

/// The effects of time on the requests of a store.
public struct Aging: Sendable {
    /// The requests that time has finished, each reported once.
    public var finished: [RequestRecord]
    /// Requests that time may have finished, as they would be then: the store did not confirm it.
    public var doubtful: [RequestRecord]
    /// The error that ended the work halfway; nil if everything was done.
    public var failure: StoreError?

    /// Callbacks on their way to apps' servers that no gateway tries (``RequestRecord/isLeft``): the caller is shown each, and
    /// other gateways only if it does not claim it in time.
    public var left: [RequestRecord] = []

    public init(finished: [RequestRecord] = [], doubtful: [RequestRecord] = [], failure: StoreError? = nil) {
        self.finished = finished
        self.doubtful = doubtful
        self.failure = failure
    }
}

/// Keeps pending token requests.
///
/// Operations come one by one, each from a task that waits for its own answer. A store groups simultaneous operations
/// by itself, into one transaction or one round trip, because only it knows when the last one ended. A store may keep
/// requests outside this process's memory.
///
/// Every change to one request is atomic: of two claims, one is refused. ``RequestRecord/apply(_:at:)`` alone defines a
/// step. A store runs it under a lock, in a database's transaction, or in a compare-and-set on the record's bytes. Safe
/// from any thread.
public protocol RequestStore: Sendable {
    /// Takes in a new request.
    /// - Parameters:
    ///   - record: a record without any step.
    ///   - quota: the limits at the moment of the insertion. Requests that came in under larger limits stay.
    /// - Returns: a refusal, which changes nothing, or success: then the request lives as long as this store.
    /// - Throws: ``StoreError``; then it may have been taken in.
    func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreError) -> Result<Void, InsertionRefusal>

    /// Looks a request up, as it was after its last step; nil for an unknown one. The caller applies the effects of
    /// time since then.
    func find(_ key: RequestKey) async throws(StoreError) -> RequestRecord?

    /// A request as this process saw it last; by its state only while it waits for its callback. Nil if the store does not
    /// remember it. Another gateway may have changed it meanwhile, so the caller may only use it to work out a step,
    /// because a step looks at the present record, or to wait for a change.
    func recall(_ key: RequestKey) -> RequestRecord?

    /// Takes a step, and returns the record after it. A step may ask for room (``RequestTransition/room(within:)``) and
    /// add to the bytes that the record counts. It is refused if the total for such a beginner, or for the beginner's
    /// address or network, has too little room.
    /// - Parameter now: the time by which requests live.
    /// - Returns: the record, or a refusal, which changes nothing.
    /// - Throws: ``StoreError``; then the step may have been taken.
    func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal>

    /// Lets time pass: applies ``RequestTransition/age`` to due requests, and forgets those that are no longer needed.
    /// To be called about once a second, also while the store is out: it fails until the store takes changes again.
    func age(at now: Timestamp) async -> Aging

    /// The present content of all gateways of the store; approximate while others change it.
    func usage() async throws(StoreError) -> StoreUsage

    /// Whether a request of the app may be unfinished. A store that gateways share answers for all apps together.
    func mayBePending(_ app: AppID) async throws(StoreError) -> Bool

    /// The requests of an earlier process that still wait for their callback, for a gateway that continues them. It
    /// looks at all requests, so it is for stores of one person. Empty for a store that ends with its process, and for
    /// one that gateways share: there the owner of a request is unknown.
    func inherited() async throws(StoreError) -> [RequestRecord]

    /// Returns once the store is open. Only then the store's own key is known. The next process could not open data
    /// that were sealed earlier.
    func waitUntilOpen() async throws(StoreError)

    /// Authenticates records with other keys from now on. A store that only its gateway can write into needs no keys.
    func adopt(_ keys: KeyRing)
}

extension RequestStore {
    /// nil, because ``find(_:)`` costs no more.
    public func recall(_ key: RequestKey) -> RequestRecord? { nil }

    public func adopt(_ keys: KeyRing) {}
    public func mayBePending(_ app: AppID) async throws(StoreError) -> Bool { try await usage().pending > 0 }
    public func inherited() async throws(StoreError) -> [RequestRecord] { [] }

    public func waitUntilOpen() async throws(StoreError) {}
}

/// All that the gateways of one installation share. Rates are not among it, on purpose: each protects its own gateway, and
/// costs no trip to a store.
public protocol SharedStore: RequestStore, OneTimeStore, ChangeFeed, TimelineStore, WrongProofStore,
    RegistrationStore
{}
