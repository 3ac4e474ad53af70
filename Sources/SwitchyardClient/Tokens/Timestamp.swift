internal import SwitchyardReactor

/// A point in time, in whole seconds since 1970-01-01T00:00:00Z.
///
/// With Foundation: `Date(timeIntervalSince1970: TimeInterval(timestamp.secondsSince1970))`.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Negative before 1970.
    public let secondsSince1970: Int64

    /// Any number of seconds is a point in time.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// By this machine's clock.
    public static func now() -> Timestamp {
        Timestamp(secondsSince1970: WallClock.seconds())
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// Saturates at the ends of what can be said.
    func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return Timestamp(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }
}
