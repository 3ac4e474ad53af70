public import SwitchyardConfiguration
public import SwitchyardReactor
internal import SwitchyardRedemption
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
    private let outages = Mutex(OutageWatch())
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

    /// Says what a configuration that is about to be used warns of.
    public func tellWarnings(in diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics where diagnostic.severity == .warning {
            receive(.gateway(.configurationWarning("\(diagnostic)")))
        }
    }

    var wantsDispatches: Bool { isWanted(.debug) }

    func receive(_ event: GatewayEvent) {
        let level = event.level
        switch event.repetition {
        case .rare:
            guard isWanted(level) else { return }
            write(event.line, level)
        case .anybodys:
            guard isWanted(level) else { return }
            let now = WallClock.milliseconds()
            guard let suppressed = throttle.withLock({ $0.pass(at: now / 1000) }) else { return }
            tellSuppressed(suppressed)
            write(event.line, level)
        case .failure(let subject, let reason):
            guard let extent = outages.withLock({ $0.failed(subject, because: reason, at: .now()) }), isWanted(level)
            else { return }
            var line = event.line
            if extent.failures > 1 { line.add(extent) }
            write(line, level)
        case .success(let subject):
            guard let extent = outages.withLock({ $0.worked(subject, at: .now()) }) else {
                if isWanted(.debug) { write(event.line, .debug) }
                return
            }
            guard isWanted(.info) else { return }
            var line = subject.endLine
            line.add(extent)
            write(line, .info)
        }
    }

    /// Says how many refusals were not shown, once a flood is over. To be called about once a second.
    func tellSuppressed() {
        tellSuppressed(throttle.withLock { $0.end(at: WallClock.seconds()) })
    }

    private func tellSuppressed(_ count: Int) {
        if count > 0, isWanted(.warning) { write(Self.count("refusals_not_shown", count), .warning) }
    }

    private func write(_ line: LogLine, _ level: LogConfiguration.Level) {
        write(line.encoded(format, level, at: WallClock.milliseconds()))
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
    /// How often it can come, and what that means for the log.
    fileprivate enum Repetition {
        /// As often as sign-ins do at the most; each has its line.
        case rare
        /// As often as anybody who reaches the gateway likes.
        case anybodys
        /// Again and again, until the cause is gone.
        case failure(OutageSubject, reason: String)
        case success(OutageSubject)
    }

    fileprivate var repetition: Repetition {
        switch self {
        case .signIn, .dispatched, .storeFailed, .gateway: .rare
        case .callback(let report): report.outcome == .accepted ? .rare : .anybodys
        case .responseNotTrusted, .limited, .beginRefused, .callRefused: .anybodys
        case .issuerCalled(let exchange):
            exchange.isOutage
                ? .failure(exchange.subject, reason: exchange.problem?.label ?? "") : .success(exchange.subject)
        }
    }
}

extension IssuerExchange {
    fileprivate var subject: OutageSubject { OutageSubject(issuer: issuer, endpoint: endpoint) }
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
