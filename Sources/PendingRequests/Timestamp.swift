internal import SwitchyardReactor
internal import SwitchyardText

/// A time of day in whole milliseconds since 1970-01-01T00:00:00Z, as several gateways can share it.
public struct Timestamp: Comparable, Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, below 0 for an earlier time: from -``farthest`` to ``farthest``.
    public let milliseconds: Int64

    /// Some 140,000 years. A store may return any number: with this bound, the difference of two times never overflows.
    public static let farthest: Int64 = 1 << 52

    /// - Parameter milliseconds: since 1970-01-01T00:00:00Z, limited to ``farthest``.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, -Self.farthest), Self.farthest)
    }

    static let zero = Timestamp(milliseconds: 0)

    /// By this machine's clock.
    public static func now() -> Timestamp {
        Timestamp(milliseconds: WallTime.now().milliseconds)
    }

    /// Whole seconds, rounded down.
    public var seconds: Int64 { milliseconds / 1000 }

    /// The time after a duration, of which parts of a millisecond are cut off. ``farthest`` is the latest time.
    public static func + (time: Timestamp, duration: Duration) -> Timestamp {
        // Twice as far leads from one end of all time to the other.
        let most = Duration.milliseconds(2 * farthest)
        return Timestamp(milliseconds: time.milliseconds + min(max(duration, .zero - most), most).wholeMilliseconds)
    }

    /// The time from the other one to this one; negative when it was before.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
