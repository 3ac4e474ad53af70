internal import Glibc
internal import SwitchyardCLinux
public import SwitchyardText

/// A point on the monotonic clock, in nanoseconds. It never goes back and is unrelated to the time of day.
public struct Instant: Comparable, Hashable, Sendable {
    public let nanoseconds: UInt64

    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The current time of the clock.
    public static func now() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// The present on a clock that also runs while the machine sleeps. Not to be mixed with ``now()``.
    public static func sinceBoot() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Instant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// A point that never comes.
    public static let never = Instant(nanoseconds: .max)

    /// Saturates at ``never``, and at zero below.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        let delta = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !delta.overflow else { return seconds < 0 ? Instant(nanoseconds: 0) : never }
        let (nanoseconds, isTooLong) = delta.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !isTooLong else { return seconds < 0 ? Instant(nanoseconds: 0) : never }
        if nanoseconds < 0 {
            let magnitude = nanoseconds.magnitude
            return Instant(nanoseconds: instant.nanoseconds > magnitude ? instant.nanoseconds - magnitude : 0)
        }
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(UInt64(nanoseconds))
        return overflow ? never : Instant(nanoseconds: sum)
    }

    /// Saturates at ``never``.
    public static func + (instant: Instant, span: Nanoseconds) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.count)
        return overflow ? never : Instant(nanoseconds: sum)
    }

    /// The time between two; negative when the second is the later one.
    public static func - (later: Instant, earlier: Instant) -> Duration {
        later >= earlier
            ? .nanoseconds(Int64(clamping: later.nanoseconds - earlier.nanoseconds))
            : .nanoseconds(-Int64(clamping: earlier.nanoseconds - later.nanoseconds))
    }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

/// A span of time in the unit of ``Instant``, for what is added so often that taking a `Duration` apart would show.
public struct Nanoseconds: Sendable {
    let count: UInt64

    /// A negative duration becomes 0.
    public init(_ duration: Duration) {
        count = (Instant(nanoseconds: 0) + duration).nanoseconds
    }
}

extension WallTime {
    /// Whether something keeps this machine's clock right, such as NTP, as far as the kernel was told;
    /// nil when it does not say.
    public static var isKeptRight: Bool? {
        switch sy_clock_is_kept() {
        case 0: false
        case 1: true
        default: nil
        }
    }
}
