public import SwitchyardConfiguration
internal import SwitchyardPendingRequests
public import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardText
internal import Synchronization

/// The log: one line for each event that matters enough. Safe from any thread, and never waits for a reader.
///
/// Lines are `at=… level=… event=…` and further fields, or JSON with the same names. Values come from the configuration
/// or from fixed lists, or are escaped. Each event names the fields that it writes, so secrets have no way in.
public final class EventLog: EventSink {
    private let encode: Encoder
    private let level: Atomic<Int>
    /// How many steps of sign-ins are written in a second, of each kind.
    private let stepsPerSecond = Atomic(1000)
    /// How many refusals of one reason are written in a second; of one address it is one.
    private static let refusalsPerSecond = 20
    private let throttle = Mutex(LineThrottle())
    private let outages = Mutex(OutageWatch())
    private let write: @Sendable ([UInt8]) -> Void
    private let finishWriting: @Sendable (Duration) -> Void
    private let countLost: @Sendable () -> Int

    /// A log that is written to a descriptor, which stays the caller's.
    public convenience init(_ configuration: LogConfiguration, descriptor: Int32) throws(SystemError) {
        let encode = Self.lines(configuration.format)
        let writer = try LineWriter(descriptor: descriptor) { encode(Self.count(.logLinesLost, $0), .warning) }
        self.init(configuration, writer, encode)
    }

    /// A log that writes entries of the journal, with fields of their own, instead of lines.
    /// - Parameter journal: takes an entry: its fields, with NUL bytes between them. It may wait.
    public convenience init(
        _ configuration: LogConfiguration, journal: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
    ) throws(SystemError) {
        let format = configuration.format
        let encode: Encoder = { $0.journalEntry(format, $1, at: $0.milliseconds) }
        let writer = try LineWriter(
            one: { journal($0.dropLast()) }, tellLost: { encode(Self.count(.logLinesLost, $0), .warning) })
        self.init(configuration, writer, encode)
    }

    private typealias Encoder = @Sendable (LogLine, LogConfiguration.Level) -> [UInt8]

    private static func lines(_ format: LogConfiguration.Format) -> Encoder {
        { $0.encoded(format, $1, at: $0.milliseconds) }
    }

    private convenience init(_ configuration: LogConfiguration, _ writer: LineWriter, _ encode: @escaping Encoder) {
        self.init(
            configuration, encode: encode, write: { writer.write($0) }, finish: { writer.finish(within: $0) },
            lost: { writer.linesLost })
    }

    /// - Parameter write: takes a line with its line break, from any thread.
    convenience init(_ configuration: LogConfiguration, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.init(configuration, encode: Self.lines(configuration.format), write: write, finish: { _ in }, lost: { 0 })
    }

    private init(
        _ configuration: LogConfiguration, encode: @escaping Encoder, write: @escaping @Sendable ([UInt8]) -> Void,
        finish: @escaping @Sendable (Duration) -> Void, lost: @escaping @Sendable () -> Int
    ) {
        self.encode = encode
        level = Atomic(configuration.level.rank)
        self.write = write
        finishWriting = finish
        countLost = lost
    }

    /// Takes another level, from the next event on. The format stays as it was at the start, so that one file has one.
    public func adopt(_ configuration: LogConfiguration) {
        level.store(configuration.level.rank, ordering: .relaxed)
    }

    /// Sets the limit of lines for each kind of step. A few addresses that use their whole rate stay below it.
    /// - Parameter beginRate: how many sign-ins an address may begin in a second.
    func adopt(beginRate: Double) {
        stepsPerSecond.store(Int(min(max(beginRate * 5, 1000), 1e9)), ordering: .relaxed)
    }

    /// How many lines could not be written since the start.
    var linesLost: Int { countLost() }

    /// Writes the waiting lines, as far as that is possible at once. To be called at the end, from a thread that may
    /// block.
    public func finish() {
        finishWriting(.milliseconds(500))
    }

    /// Writes the warnings of a configuration that is about to be used.
    public func tellWarnings(in diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics where diagnostic.severity == .warning {
            receive(.gateway(.configurationWarning("\(diagnostic)")))
        }
    }

    /// Writes that the keyring of the desktop cannot be used without libsecret.
    public func tellLibsecretMissing(remedy: String) {
        receive(.gateway(.libsecretMissing(remedy: remedy)))
    }

    var wantsDispatches: Bool { isWanted(.debug) }

    func receive(_ event: GatewayEvent) { receive(event, in: nil, at: nil) }

    func receive(_ event: GatewayEvent, in trace: TraceContext?, at time: Timestamp?) {
        let level = event.level
        switch event.repetition {
        case .rare:
            guard isWanted(level) else { return }
            write(event.line, level)
        case .anybodys, .step:
            guard isWanted(level) else { return }
            let now = WallTime.now().seconds
            var line = event.line
            line.trace = trace?.idText
            line.time = time
            // Refusals differ by their reason, all other events by their name.
            let isRefusal = RefusalReason.events.contains(line.event)
            let kind = isRefusal ? line.reason ?? "" : line.event.rawValue
            var (perSecond, caller) = (stepsPerSecond.load(ordering: .relaxed), CallerKey?.none)
            if case .anybodys(let from) = event.repetition {
                (perSecond, caller) = (Self.refusalsPerSecond, isRefusal ? from?.key : nil)
            }
            guard let suppressed = throttle.withLock({ $0.pass(kind, of: caller, perSecond: perSecond, at: now) })
            else { return }
            tellSuppressed(kind, suppressed)
            write(line, level)
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

    /// Writes how many lines were suppressed, once a flood is over. Call it about once a second.
    func tellSuppressed() {
        for kind in throttle.withLock({ $0.end(at: WallTime.now().seconds) }) { tellSuppressed(kind.name, kind.count) }
    }

    private func tellSuppressed(_ kind: String, _ count: Int) {
        guard count > 0, isWanted(.warning) else { return }
        var line = Self.count(.linesNotShown, count)
        line.reason = kind
        write(line, .warning)
    }

    private func write(_ line: LogLine, _ level: LogConfiguration.Level) {
        write(encode(line, level))
    }

    private static func count(_ event: LogEventName, _ count: Int) -> LogLine {
        var line = LogLine(event)
        line.details = [("count", .number(count))]
        return line
    }

    private func isWanted(_ level: LogConfiguration.Level) -> Bool {
        level.rank >= self.level.load(ordering: .relaxed)
    }
}

/// Limits the lines that any caller can cause: a flood must not fill the disk, nor hide other events. So each kind of
/// event has its own number.
struct LineThrottle {
    private struct Kind {
        var second: Int64
        var passed = 0
        var suppressed = 0
        /// The callers with a line of this second; never more than passed.
        var callers: Set<CallerKey> = []
    }

    /// Kinds are from a fixed list, so there are never many.
    private var kinds: [String: Kind] = [:]

    /// - Parameters:
    ///   - caller: may write one line of the kind in a second, so that it does not hide the events of others; nil if
    ///     the event has no caller.
    ///   - perSecond: the maximum of lines; further ones are only counted.
    ///   - now: seconds since 1970.
    /// - Returns: the number of suppressed lines of the kind before this one; nil when this one is suppressed.
    mutating func pass(_ name: String, of caller: CallerKey? = nil, perSecond: Int, at now: Int64) -> Int? {
        var kind = kinds[name] ?? Kind(second: now)
        defer { kinds[name] = kind }
        if now != kind.second {
            kind.second = now
            kind.passed = 0
            kind.callers = []
        }
        guard kind.passed < perSecond, caller.map({ kind.callers.insert($0).inserted }) != false else {
            kind.suppressed += 1
            return nil
        }
        kind.passed += 1
        defer { kind.suppressed = 0 }
        return kind.suppressed
    }

    /// - Returns: the kinds with suppressed lines that were not reported yet, once their flood is over.
    mutating func end(at now: Int64) -> [(name: String, count: Int)] {
        var ended: [(String, Int)] = []
        for (name, kind) in kinds where kind.second != now {
            kinds[name] = nil
            if kind.suppressed > 0 { ended.append((name, kind.suppressed)) }
        }
        return ended.sorted { $0.0 < $1.0 }
    }
}

extension GatewayEvent {
    /// The rate of an event, and its limit in the log.
    fileprivate enum Repetition {
        /// So seldom that each has its line.
        case rare
        /// As often as any caller of the gateway likes: this caller, if it is known.
        case anybodys(Caller?)
        /// A step of a sign-in. Any caller can begin sign-ins and let them end, but many may be meant.
        case step
        /// Again and again, until the cause is gone.
        case failure(OutageSubject, reason: String)
        case success(OutageSubject)
    }

    fileprivate var repetition: Repetition {
        switch self {
        case .dispatched, .storeFailed, .gateway, .releaseGuessed: .rare
        case .token(.given, .some, _, let caller): .anybodys(caller)
        case .signIn, .token, .delivered: .step
        case .callback(let report): report.outcome == .accepted ? .step : .anybodys(report.caller)
        case .responseNotTrusted: .anybodys(nil)
        case .limited(_, _, let caller), .beginRefused(_, let caller), .useRefused(_, _, let caller),
            .callRefused(_, _, _, let caller):
            .anybodys(caller)
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
