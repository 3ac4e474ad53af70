internal import SwitchyardReactor

/// The wait of one caller while another one refreshes the same tokens. Each look takes the lock of the storage, so the looks
/// become rarer.
package struct RefreshWait: Sendable {
    /// The error's words when the wait is over.
    package static let tooLong = "another process has been refreshing the tokens for too long; try again in a moment"
    /// In seconds, when a caller may try again.
    package static let retryAfter = 5

    private static let longestPause = Duration.seconds(1)

    private let length: Duration
    private var pause = Duration.milliseconds(50)
    private var end: Instant?

    /// - Parameter seconds: the length of this caller's own lease. Every earlier lease of that length is over by then.
    package init(seconds: Int64) {
        length = .seconds(seconds)
    }

    /// Waits for the next look. Only from a task of an event loop.
    /// - Returns: false after the last look.
    package mutating func wait() async -> Bool {
        guard let next = next(at: .now()) else { return false }
        await EventLoop.sleep(until: next)
        return true
    }

    /// The time of the next look; nil after the last one. The first call begins the wait.
    mutating func next(at now: Instant) -> Instant? {
        let end = end ?? now + length
        self.end = end
        guard now < end else { return nil }
        defer { pause = min(pause * 2, Self.longestPause) }
        return min(now + pause, end)
    }
}
