internal import SwitchyardReactor
internal import SwitchyardText

/// A time of day in whole milliseconds since 1970-01-01T00:00:00Z, as several gateways can share it.
public struct Timestamp: Comparable, Hashable, Sendable {
    /// Since 1970-01-01T00:00:00Z; below 0 for what was before.
    public let milliseconds: Int64

    /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    static let zero = Timestamp(milliseconds: 0)

    /// By this machine's clock.
    public static func now() -> Timestamp {
        Timestamp(milliseconds: WallClock.milliseconds())
    }

    /// Whole seconds, rounded down.
    public var seconds: Int64 { milliseconds / 1000 }

    /// In whole milliseconds; what of the duration is less is cut off.
    public static func + (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds + duration.wholeMilliseconds)
    }

    /// How long after the other one it is; below nothing when it was before.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
