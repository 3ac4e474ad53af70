public import SwitchyardReactor
internal import Synchronization

/// Finds out whether every loop still goes round. Belongs to one thread; the loops answer from theirs.
public final class LoopPulse {
    private final class Answer: Sendable {
        let isThere = Atomic(true)
    }

    private let loops: [(loop: EventLoop, answer: Answer)]

    public init(_ loops: [EventLoop]) {
        self.loops = loops.map { ($0, Answer()) }
    }

    /// Whether each loop has answered since the last time; if so, all are asked again.
    public func isBeating() -> Bool {
        guard loops.allSatisfy({ $0.answer.isThere.load(ordering: .acquiring) }) else { return false }
        for (loop, answer) in loops {
            answer.isThere.store(false, ordering: .releasing)
            loop.execute { answer.isThere.store(true, ordering: .releasing) }
        }
        return true
    }
}

/// Tells the service manager that the program is well, for as long as every one of its loops goes round; if one hangs,
/// the manager ends the program and starts it anew. Belongs to its loop's thread.
public final class Watchdog {
    private let pulse: LoopPulse
    private let loop: EventLoop
    private let interval: Duration
    private let tell: () -> Void
    private var timer: Timer?

    /// - Parameters:
    ///   - interval: the time within which the service manager expects a sign of life.
    ///   - loop: the loop of this thread. It is watched too: when it hangs, no sign is sent.
    public init(
        _ loops: [EventLoop], every interval: Duration, on loop: EventLoop,
        _ tell: @escaping () -> Void = { ServiceManager.tell(.alive) }
    ) {
        pulse = LoopPulse(loops)
        self.loop = loop
        self.interval = interval
        self.tell = tell
    }

    /// Tells the service manager now, and from now on, that the loops run. Only from the loop's thread.
    public func start() {
        if pulse.isBeating() { tell() }
        // Often enough for a loop that is busy for a moment.
        timer = loop.schedule(at: Instant.now() + interval / 6) { [self] in start() }
    }

    /// Tells it no more. Only from the loop's thread.
    public func stop() { timer?.cancel() }
}
