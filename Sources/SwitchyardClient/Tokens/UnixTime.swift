internal import SwitchyardReactor
internal import SwitchyardText

/// A point in time, in whole seconds since 1970-01-01T00:00:00Z.
///
/// With Foundation: `Date(timeIntervalSince1970: time.timeIntervalSince1970)`. This library does without
/// Foundation itself.
public struct UnixTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Negative before 1970.
    public let secondsSince1970: Int64

    /// Any number of seconds is a point in time.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// By this machine's clock.
    public static func now() -> UnixTime {
        UnixTime(secondsSince1970: WallTime.now().seconds)
    }

    /// The same as Foundation's `TimeInterval` has it: what `Date(timeIntervalSince1970:)` takes.
    public var timeIntervalSince1970: Double { Double(secondsSince1970) }

    public static func < (left: UnixTime, right: UnixTime) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// How long it is from one to the other; negative when `later` comes first.
    public static func - (later: UnixTime, earlier: UnixTime) -> Duration {
        .seconds(later.secondsSince1970) - .seconds(earlier.secondsSince1970)
    }

    public var description: String { "\(secondsSince1970)" }

    /// Saturates at the ends of the range.
    func advanced(bySeconds seconds: Int64) -> UnixTime {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return UnixTime(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }
}

/// The current time. Only tests replace it.
struct ClientClock: Sendable {
    let now: @Sendable () -> UnixTime

    static let system = ClientClock(now: UnixTime.now)
}
