internal import SwitchyardReactor

/// How long a gateway that gives no good answer is asked again, and how often: it may be busy, or restarting.
///
/// Without I/O and without a clock of its own.
struct RetryPlan {
    /// Until then it is asked in any case: the request may still be there.
    private let end: Instant
    private var lastAnswer: Instant
    private var setbacks = 0

    /// How long it may be silent after the end. A held code lives longer than a request that waits for its callback, by
    /// how much only the gateway knows: so it is asked as long as it answers from time to time.
    private let silence: Duration
    private static let shortest = Duration.milliseconds(500)
    private static let longest = Duration.seconds(10)

    init(until end: Instant, at now: Instant, silence: Duration = .seconds(60)) {
        self.silence = silence
        self.end = end
        lastAnswer = now
    }

    /// Whether the last call was the first that failed after a good one.
    var isFirstSetback: Bool { setbacks == 1 }

    mutating func answered(at now: Instant) {
        lastAnswer = now
        setbacks = 0
    }

    /// How long to pause before the next call; nil when it is time to give up.
    /// - Parameter retryAfter: what the answer asked for, in seconds; never hurried.
    mutating func pause(retryAfter: Int?, at now: Instant) -> Duration? {
        setbacks += 1
        let limit = max(end, lastAnswer + silence)
        guard now < limit else { return nil }
        let growing = min(Self.shortest * (1 << min(setbacks - 1, 10)), Self.longest)
        let asked = Duration.seconds(min(max(retryAfter ?? 0, 0), 86_400))
        return min(max(growing, asked), limit - now)
    }
}
