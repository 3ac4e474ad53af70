public import SwitchyardReactor

/// The two clocks that redemption looks at. Replaced only by tests.
public struct TimeSource: Sendable {
    /// For caches and limits.
    let now: @Sendable () -> Instant
    /// For the times in tokens and headers: seconds since 1970.
    let wallSeconds: @Sendable () -> Int64

    public init(now: @escaping @Sendable () -> Instant, wallSeconds: @escaping @Sendable () -> Int64) {
        self.now = now
        self.wallSeconds = wallSeconds
    }

    public static let system = TimeSource(now: Instant.now, wallSeconds: WallClock.seconds)
}
