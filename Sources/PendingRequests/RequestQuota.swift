/// The limits of the store's content. A tenth of the total limits is reserved for callers that authenticate (rules: a
/// flood shuts nobody out).
public struct RequestQuota: Hashable, Sendable {
    /// All unfinished requests. Each limit is 0 or more.
    public let total: Int
    /// Unfinished requests of one app.
    public let perApp: Int
    /// Unfinished requests of callers that count as one (``RequestRecord/Beginner/callerKey``).
    public let perAddress: Int
    /// Unfinished requests of callers in one network (``RequestRecord/Beginner/network``).
    public let perNetwork: Int
    /// The bytes of all records (``CountedBytes``): unfinished requests, held responses, outcomes until they are gone,
    /// and tombstones. Tombstones never block new requests, because the oldest of them make room.
    public let bytes: Int
    /// The bytes of the requests of callers that count as one, without tombstones: these have no address.
    public let bytesPerAddress: Int
    /// The bytes of the requests of callers in one network, without tombstones.
    public let bytesPerNetwork: Int

    public init(
        total: Int, perApp: Int, perAddress: Int, perNetwork: Int = .max, bytes: Int, bytesPerAddress: Int,
        bytesPerNetwork: Int = .max
    ) {
        self.total = total
        self.perApp = perApp
        self.perAddress = perAddress
        self.perNetwork = perNetwork
        self.bytes = bytes
        self.bytesPerAddress = bytesPerAddress
        self.bytesPerNetwork = bytesPerNetwork
    }

    /// The quota with an eighth more bytes, for results that are larger than the bytes that were counted for them.
    var stretched: RequestQuota {
        RequestQuota(
            total: total, perApp: perApp, perAddress: perAddress, perNetwork: perNetwork, bytes: Self.stretch(bytes),
            bytesPerAddress: Self.stretch(bytesPerAddress), bytesPerNetwork: Self.stretch(bytesPerNetwork))
    }

    private static func stretch(_ bytes: Int) -> Int { sum(bytes, bytes / 8) }

    /// The part of a total limit that a caller may fill. A tenth is reserved for callers that authenticate, so that a flood
    /// of anonymous ones cannot shut them out.
    public static func part(ofTotalLimit limit: Int, isAuthenticated: Bool) -> Int {
        isAuthenticated ? limit : limit - limit / 10
    }

    /// The part of a network's limit that a caller may fill. One that authenticates may go a tenth beyond, so that a flood
    /// of its neighbors cannot shut it out.
    public static func part(ofNetworkLimit limit: Int, isAuthenticated: Bool) -> Int {
        isAuthenticated ? sum(limit, limit / 10) : limit
    }

    private static func sum(_ one: Int, _ other: Int) -> Int {
        let (sum, overflows) = one.addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}

/// Why a request was not taken in.
public enum InsertionRefusal: Error, Hashable, Sendable {
    /// A request with the same state is remembered.
    case stateInUse
    /// The store has the maximum of unfinished requests (``RequestQuota/total``).
    case tooMany
    /// The app has its maximum (``RequestQuota/perApp``).
    case tooManyForApp
    /// The beginner has its maximum (``RequestQuota/perAddress``).
    case tooManyForAddress
    /// The beginner's network has its maximum (``RequestQuota/perNetwork``).
    case tooManyForNetwork
    /// The record does not fit into ``RequestQuota/bytes``.
    case tooManyBytes
    /// The record does not fit into ``RequestQuota/bytesPerAddress``.
    case tooManyBytesForAddress
    /// The record does not fit into ``RequestQuota/bytesPerNetwork``.
    case tooManyBytesForNetwork
}
