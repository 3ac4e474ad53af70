internal import Glibc

/// A reading of this machine's clock. Times that others have signed are compared with it. Stored data lives by
/// `SteadyTime`, and deadlines within the process are `Instant`s.
public struct WallTime: Comparable, Hashable, Sendable {
    /// Whole nanoseconds since 1970-01-01T00:00:00Z: of two threads this says which was first.
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Saturates at the ends of the range, some 290 years from 1970.
    public init(milliseconds: Int64) {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        nanoseconds = overflow ? (milliseconds < 0 ? .min : .max) : product
    }

    /// The present time.
    public static func now() -> WallTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Whole milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64 { nanoseconds / 1_000_000 }

    /// Whole seconds since 1970-01-01T00:00:00Z.
    public var seconds: Int64 { nanoseconds / 1_000_000_000 }

    public static func < (left: WallTime, right: WallTime) -> Bool { left.nanoseconds < right.nanoseconds }
}
