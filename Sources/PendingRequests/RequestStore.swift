public import SwitchyardCrypto

/// How a step finds its request.
public enum RequestKey: Hashable, Sendable {
    case id(RequestID)
    case state(SHA256Digest)
}

/// One step for one request.
public struct RequestChange: Sendable {
    public let key: RequestKey
    public let transition: RequestTransition

    public init(_ key: RequestKey, _ transition: RequestTransition) {
        self.key = key
        self.transition = transition
    }
}

/// How many unfinished requests there may be. Callers that authenticate keep a tenth of each for themselves.
public struct RequestQuota: Sendable {
    public let total: Int
    public let perApp: Int
    public let perAddress: Int

    public init(total: Int, perApp: Int, perAddress: Int) {
        self.total = total
        self.perApp = perApp
        self.perAddress = perAddress
    }
}

/// Why a request was not taken in.
public enum InsertionRefusal: Error, Hashable, Sendable {
    /// A request with the same state is remembered.
    case stateInUse
    case tooMany
    case tooManyForApp
    case tooManyForAddress
}

/// The store cannot be reached or has failed. Nothing is known of the changes that were under way.
public struct StoreFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// Keeps pending token requests. Everything is asynchronous and comes in batches, so that a store on disk can commit a
/// group at once and one across the network can pipeline; nothing here assumes memory.
///
/// Every change to one request is atomic: of two claims, one is refused. Safe from any thread.
public protocol RequestStore: Sendable {
    /// Takes in new requests.
    func insert(
        _ records: [RequestRecord], quota: RequestQuota
    ) async throws(StoreFailure) -> [Result<Void, InsertionRefusal>]

    /// Looks requests up; nil for an unknown one.
    func find(_ keys: [RequestKey]) async throws(StoreFailure) -> [RequestRecord?]

    /// Applies steps, and gives the record as it is after each.
    func apply(
        _ changes: [RequestChange], at now: Timestamp
    ) async throws(StoreFailure) -> [Result<RequestRecord, RequestTransition.Refusal>]

    /// Lets time pass: applies ``RequestTransition/age`` where something is due, and forgets what is
    /// no longer needed. To be called about once a second.
    /// - Returns: those that time has finished.
    func age(at now: Timestamp) async throws(StoreFailure) -> [RequestRecord]

    /// How many unfinished requests there are.
    func pendingCount() async throws(StoreFailure) -> Int
}
