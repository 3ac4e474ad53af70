internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText
internal import Synchronization

/// Collects what happens in sign-ins until it is handed to their histories: on the way of a request this costs a line in a
/// list that hardly ever has to be waited for.
final class TimelineSink: EventSink {
    /// When something was told, in nanoseconds: of what two loops told in one millisecond it is known what was first.
    fileprivate typealias Told = (event: GatewayEvent, at: Int64)

    private struct Collected {
        /// Of requests, which somebody waits for.
        var events: [Told] = []
        /// Of callbacks that belong to no request, and were refused.
        var unasked: [Told] = []
        var lost = 0
    }

    /// What was told within a while.
    struct Taken {
        /// Of each loop, in the order in which it came there.
        fileprivate var events: [ArraySlice<Told>] = []
        fileprivate var unasked: [ArraySlice<Told>] = []
        /// How much more was told than is here.
        fileprivate(set) var lost = 0

        var isEmpty: Bool { events.isEmpty && unasked.isEmpty }

        /// Some of it, as notes, until nothing is left: what belongs to requests first. Whichever loops it was told on, it
        /// comes in its order: who finds a sign-in's end in its history finds what led there as well.
        /// - Parameter part: a number for each caller, as ``TimelineShare/begun(by:)`` takes it.
        mutating func next(_ count: Int, part: (CallerKey) -> Int) -> [TimelineNote] {
            events.isEmpty ? Self.next(count, of: &unasked, part) : Self.next(count, of: &events, part)
        }

        private static func next(
            _ count: Int, of lists: inout [ArraySlice<Told>], _ part: (CallerKey) -> Int
        ) -> [TimelineNote] {
            var notes: [TimelineNote] = []
            for _ in 0..<count {
                // None of them is empty.
                guard let list = lists.indices.min(by: { lists[$0].first?.at ?? 0 < lists[$1].first?.at ?? 0 }) else {
                    break
                }
                let (event, time) = lists[list].removeFirst()
                if lists[list].isEmpty { lists.remove(at: list) }
                let at = Timestamp(milliseconds: time / 1_000_000)
                if let note = event.timelineNote(at: at, part: part) { notes.append(note) }
            }
            return notes
        }
    }

    /// A mutex cannot stand in an array by itself.
    private final class List: Sendable {
        let collected = Mutex(Collected())
    }

    /// More than this many between two flushes are lost, of one loop: of events of requests, and of others.
    private static let (maximum, maximumUnasked) = (8192, 1024)

    private let quota = UnaskedQuota()
    /// One for each loop, so that loops on different cores do not meet.
    private let lists = (0..<64).map { _ in List() }

    var wantsDispatches: Bool { false }

    func receive(_ event: GatewayEvent) {
        guard event.timelineReference != nil else { return }
        let unasked = event.unasked
        if let unasked, !quota.admits(unasked, at: .now()) { return }
        // What was accepted stands with what its handlers made of it.
        let isRefusal = unasked.map { $0.outcome != .accepted } ?? false
        let now = WallClock.nanoseconds()
        lists[(EventLoop.current?.index ?? 0) % lists.count].collected.withLock { collected in
            if isRefusal, collected.unasked.count < Self.maximumUnasked {
                collected.unasked.append((event, now))
            } else if !isRefusal, collected.events.count < Self.maximum {
                collected.events.append((event, now))
            } else {
                collected.lost += 1
            }
        }
    }

    /// What was told since the last time.
    func take() -> Taken {
        var taken = Taken()
        for list in lists {
            let collected = list.collected.withLock { collected in
                defer { collected = Collected() }
                return collected
            }
            if !collected.events.isEmpty { taken.events.append(collected.events[...]) }
            if !collected.unasked.isEmpty { taken.unasked.append(collected.unasked[...]) }
            taken.lost += collected.lost
        }
        return taken
    }
}

/// How many callbacks without a request get a history. Each would be one of its own, and a write to the store, for whatever
/// anybody sends (rules: limits everywhere). The log has them all, in its own measure. Safe from any thread.
private final class UnaskedQuota: Sendable {
    /// A network may make up for a while in which it sent nothing, so that whoever tries things out finds each of them.
    private let byCaller = RateLimiter(rate: 5, capacity: 50)
    /// Each outcome has its own, so that a flood of one kind leaves room for the others. A flood from everywhere gets a sample of
    /// itself kept, so slowly that what was kept can be asked for before it is pushed out.
    private let byOutcome = Dictionary(
        uniqueKeysWithValues: CallbackOutcome.allCases.map { ($0, RateLimiter(rate: 5, capacity: 100)) })

    func admits(_ report: CallbackReport, at now: Instant) -> Bool {
        byCaller.take(report.caller.key.network, at: now) == nil
            && byOutcome[report.outcome]?.take(.user(0), at: now) == nil
    }
}

extension GatewayEvent {
    /// What is told of a callback that belongs to no request; nil for anything else.
    fileprivate var unasked: CallbackReport? {
        guard case .callback(let report) = self, !report.isOfRequest else { return nil }
        return report
    }

    /// The reference in whose history the event has its entry; nil where it is about no sign-in and no callback.
    var timelineReference: Reference? {
        switch self {
        case .signIn(_, let reference, _), .responseNotTrusted(_, let reference, _): reference
        case .callback(let report): report.reference
        case .delivered(let report): report.reference
        case .dispatched, .limited, .token, .beginRefused, .useRefused, .callRefused, .storeFailed,
            .issuerCalled, .gateway:
            nil
        }
    }

    /// The entry in that history. What is in it is from fixed lists and from the configuration, or an address as the log shows
    /// it; nothing of it are words of an issuer or of a caller.
    func timelineNote(at time: Timestamp, part: (CallerKey) -> Int) -> TimelineNote? {
        switch self {
        case .signIn(let step, let reference, let app):
            return TimelineNote(of: reference, app: app, share: step.share(part), at: time, step.timelineEvent)
        case .callback(let report):
            guard let reference = report.reference else { return nil }
            return TimelineNote(
                of: reference, app: report.app ?? "", share: report.share(part), at: time, report.timelineEvent)
        case .delivered(let report):
            return TimelineNote(
                of: report.reference, app: report.app, share: .unasked(by: part(report.caller.key.network)),
                at: time, report.timelineEvent)
        case .responseNotTrusted(let reason, let reference, let app):
            let event = TimelineEvent(.responseNotTrusted, [(.reason, reason)])
            return TimelineNote(of: reference, app: app, at: time, event)
        case .dispatched, .limited, .token, .beginRefused, .useRefused, .callRefused, .storeFailed, .issuerCalled,
            .gateway:
            return nil
        }
    }
}

/// The names of the events in histories: those that the log has for them.
enum TimelineName: String, CaseIterable, Sendable {
    case begun
    case startPageSeen = "page_seen"
    case started
    case accepted
    case repeated
    case refused
    case responseNotTrusted = "response_not_trusted"
    case held
    /// An app that keeps its own state has the callback.
    case delivered
    case deliveryFailed = "delivery_failed"
    case released
    case wrongCode = "wrong_code"
    case denied
    case redeemed
    case tokensNotKept = "tokens_not_kept"
    case tokensKept = "tokens_kept"
    case sealed
    case completed
    /// The app has the callback without asking the gateway.
    case passedOn = "passed_on"
    case failed
    case collected
    case acknowledged
    case canceled
    case expired
}

/// What may stand beside a name.
enum TimelineDetail: String, CaseIterable, Sendable {
    case from
    /// By what a callback came.
    case by
    /// Whether the callback names its issuer: `right`, or `absent`.
    case iss
    case reason
    /// Of the callback: socket, dbus, exec, webhook or loopback.
    case handler
    case proof
    case issuer
    case milliseconds
    case attemptsLeft = "attempts_left"
    /// Of a failure.
    case code, cause, number
    case oauthError = "oauth_error"
    /// `callback`, where nobody but that has said it.
    case toldBy = "told_by"

    var isNumber: Bool { self == .milliseconds || self == .attemptsLeft }
}

extension TimelineEvent {
    fileprivate init(
        _ name: TimelineName, _ distinctions: [(TimelineDetail, String)] = [],
        particulars: [(TimelineDetail, String)] = []
    ) {
        self.init(
            name.rawValue, distinctions.map { ($0.0.rawValue, $0.1) },
            particulars: particulars.map { ($0.0.rawValue, $0.1) })
    }

    subscript(detail: TimelineDetail) -> String? { self[detail.rawValue] }
}

extension SignInStep {
    fileprivate func share(_ part: (CallerKey) -> Int) -> TimelineShare {
        switch self {
        case .begun(let caller, let isVouchedFor): .begun(by: part(caller.key.network), isVouchedFor: isVouchedFor)
        case .redeemed: .redeemed
        case .startPageSeen, .started, .held, .released, .wrongCode, .denied, .keeping, .sealed, .completed, .passedOn,
            .failed, .collected, .acknowledged, .canceled, .expired:
            .known
        }
    }

    fileprivate var timelineEvent: TimelineEvent {
        switch self {
        case .begun(let caller, _): TimelineEvent(.begun, particulars: [(.from, caller.text)])
        case .startPageSeen: TimelineEvent(.startPageSeen)
        case .started: TimelineEvent(.started)
        case .held(let proof): TimelineEvent(.held, proof.map { [(.proof, $0.rawValue)] } ?? [])
        case .released: TimelineEvent(.released)
        case .wrongCode(let left): TimelineEvent(.wrongCode, [(.attemptsLeft, "\(left)")])
        case .denied: TimelineEvent(.denied)
        case .redeemed(let issuer, let duration):
            TimelineEvent(
                .redeemed, [(.issuer, issuer)], particulars: [(.milliseconds, "\(duration.wholeMilliseconds)")])
        // Not its detail: that names a place on the disk.
        case .keeping(.notKept(let problem)): TimelineEvent(.tokensNotKept, [(.reason, problem.reason.rawValue)])
        case .keeping(.kept): TimelineEvent(.tokensKept)
        case .sealed: TimelineEvent(.sealed)
        case .completed: TimelineEvent(.completed)
        case .passedOn(let handler): TimelineEvent(.passedOn, [(.handler, handler.rawValue)])
        case .failed(let note): TimelineEvent(.failed, note.timelineDetails)
        case .collected: TimelineEvent(.collected)
        case .acknowledged: TimelineEvent(.acknowledged)
        case .canceled: TimelineEvent(.canceled)
        case .expired: TimelineEvent(.expired)
        }
    }
}

extension SignInFailureNote {
    /// Not its `detail`: that may repeat what an issuer sent.
    fileprivate var timelineDetails: [(TimelineDetail, String)] {
        var details: [(TimelineDetail, String)] = [(.code, code.rawValue)]
        if let cause { details.append((.cause, cause.rawValue)) }
        if let oauthError { details.append((.oauthError, oauthError.rawValue)) }
        if let number { details.append((.number, number)) }
        if let issuer { details.append((.issuer, issuer)) }
        if isFromCallback { details.append((.toldBy, "callback")) }
        return details
    }
}

extension DeliveryReport {
    fileprivate var timelineEvent: TimelineEvent {
        let time = [(TimelineDetail.milliseconds, "\(duration.wholeMilliseconds)")]
        guard result != .ok else {
            return TimelineEvent(.delivered, [(.handler, handler.rawValue)], particulars: time)
        }
        return TimelineEvent(
            .deliveryFailed, [(.handler, handler.rawValue), (.reason, result.rawValue)], particulars: time)
    }
}

extension CallbackReport {
    fileprivate func share(_ part: (CallerKey) -> Int) -> TimelineShare {
        guard isOfRequest else { return .unasked(by: part(caller.key.network)) }
        return outcome == .accepted ? .returned : .known
    }

    fileprivate var timelineEvent: TimelineEvent {
        let from = [(TimelineDetail.from, caller.text)]
        var details = door.map { [(TimelineDetail.by, $0.rawValue)] } ?? []
        if let isIssuerNamed { details.append((.iss, isIssuerNamed ? "right" : "absent")) }
        switch outcome {
        case .accepted: return TimelineEvent(.accepted, details, particulars: from)
        case .repeated: return TimelineEvent(.repeated, details, particulars: from)
        case .refused, .notMine, .prefetch, .wrongMethod, .limited:
            return TimelineEvent(.refused, [(.reason, outcome.name)] + details, particulars: from)
        }
    }
}
