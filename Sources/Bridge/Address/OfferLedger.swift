/// How much a far machine may put before the person: an address once, and few in a minute (rules: limits everywhere).
public struct OfferLedger: Sendable {
    /// The decision about an address that came.
    public enum Decision: Equatable, Sendable {
        case offer
        /// It has been offered already.
        case known
        /// Too many came. Said once a minute, so that the words are no flood themselves.
        case tooMany(isSaid: Bool)
    }

    public static let mostInAMinute = 5
    /// More are not remembered: then an old one may come again.
    private static let remembered = 256

    private var seen: [String] = []
    /// When the last ones were offered, in seconds.
    private var times: [Int64] = []
    private var lastSaid: Int64?

    public init() {}

    /// - Parameter now: seconds of a clock that never goes back.
    public mutating func decide(_ address: String, now: Int64) -> Decision {
        guard !seen.contains(address) else { return .known }
        let decision = decide(now: now)
        guard decision == .offer else { return decision }
        seen.append(address)
        if seen.count > Self.remembered { seen.removeFirst() }
        return .offer
    }

    /// Decides about an address that may repeat: a tool's own page has the same address at each of its sign-ins.
    /// - Parameter now: seconds of a clock that never goes back.
    public mutating func decide(now: Int64) -> Decision {
        times.removeAll { now - $0 >= 60 }
        guard times.count < Self.mostInAMinute else {
            let isSaid = lastSaid.map { now - $0 < 60 } ?? false
            if !isSaid { lastSaid = now }
            return .tooMany(isSaid: isSaid)
        }
        times.append(now)
        return .offer
    }
}
