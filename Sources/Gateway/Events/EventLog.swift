public import SwitchyardConfiguration
public import SwitchyardReactor
internal import Synchronization

/// The log: one line for each event that matters enough. Safe from any thread, and never waits for who reads it.
///
/// Lines are `at=… level=… event=…` and what else there is to say, or JSON with the same names. Values come from the
/// configuration or from fixed lists, or are escaped; secrets have no way in, because what is written is chosen event by
/// event.
public final class EventLog: EventSink {
    private let format: LogConfiguration.Format
    private let level: Atomic<Int>
    private let throttle = Mutex(RefusalThrottle())
    private let write: @Sendable ([UInt8]) -> Void
    private let finishWriting: @Sendable (Duration) -> Void

    /// A log that is written to a descriptor, which stays the caller's.
    public convenience init(_ configuration: LogConfiguration, descriptor: Int32) throws(SystemError) {
        let format = configuration.format
        let writer = try LineWriter(descriptor: descriptor) { lost in
            Self.count("log_lines_lost", lost).encoded(format, .warning, at: WallClock.milliseconds())
        }
        self.init(configuration, write: { writer.write($0) }, finish: { writer.finish(within: $0) })
    }

    /// - Parameter write: takes a line with its line break, from any thread.
    init(
        _ configuration: LogConfiguration, write: @escaping @Sendable ([UInt8]) -> Void,
        finish: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        format = configuration.format
        level = Atomic(configuration.level.rank)
        self.write = write
        finishWriting = finish
    }

    /// Takes another level, from the next event on. The format stays as it was at the start, so that one file has one.
    public func use(_ configuration: LogConfiguration) {
        level.store(configuration.level.rank, ordering: .relaxed)
    }

    /// Writes what still waits, as far as it goes at once. To be called at the end, from a thread that may block.
    public func finish() {
        finishWriting(.milliseconds(500))
    }

    var wantsDispatches: Bool { isWanted(.debug) }

    func receive(_ event: GatewayEvent) {
        let level = event.level
        guard isWanted(level) else { return }
        let now = WallClock.milliseconds()
        if event.isThrottled {
            guard let suppressed = throttle.withLock({ $0.pass(at: now / 1000) }) else { return }
            tellSuppressed(suppressed, at: now)
        }
        write(event.line.encoded(format, level, at: now))
    }

    /// Says how many refusals were not shown, once a flood is over. To be called about once a second.
    func tellSuppressed() {
        let now = WallClock.milliseconds()
        tellSuppressed(throttle.withLock { $0.end(at: now / 1000) }, at: now)
    }

    private func tellSuppressed(_ count: Int, at now: Int64) {
        if count > 0 { write(Self.count("refusals_not_shown", count).encoded(format, .warning, at: now)) }
    }

    private static func count(_ event: String, _ count: Int) -> LogLine {
        var line = LogLine(event)
        line.details = [("count", .number(count))]
        return line
    }

    private func isWanted(_ level: LogConfiguration.Level) -> Bool {
        level.rank >= self.level.load(ordering: .relaxed)
    }
}

/// How many of those lines are written that anybody can cause: a flood must not fill the disk.
struct RefusalThrottle {
    /// What is beyond is only counted.
    private static let perSecond = 20

    private var second: Int64 = 0
    private var passed = 0
    private var suppressed = 0

    /// - Parameter now: seconds since 1970.
    /// - Returns: how many did not pass before this one; nil when this one does not.
    mutating func pass(at now: Int64) -> Int? {
        if now != second {
            second = now
            passed = 0
        }
        guard passed < Self.perSecond else {
            suppressed += 1
            return nil
        }
        passed += 1
        defer { suppressed = 0 }
        return suppressed
    }

    /// - Returns: how many did not pass and were not told of yet; 0 while the flood goes on.
    mutating func end(at now: Int64) -> Int {
        guard now != second else { return 0 }
        defer { suppressed = 0 }
        return suppressed
    }
}

extension GatewayEvent {
    /// Whether anybody who reaches the gateway can make it happen as often as they like.
    fileprivate var isThrottled: Bool {
        switch self {
        case .signIn, .dispatched, .storeFailed, .gateway: false
        case .callback(let report): report.outcome != .accepted
        case .responseNotTrusted, .limited, .beginRefused, .callRefused: true
        }
    }
}

extension LogConfiguration.Level {
    fileprivate var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}
