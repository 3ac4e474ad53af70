internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting
internal import SwitchyardText

/// The entry of each event in a history.
extension GatewayEvent {
    /// The reference of the history for the event's entry; nil if it is about neither a sign-in nor a callback.
    var timelineReference: Reference? {
        switch self {
        case .signIn(_, let reference, _), .responseNotTrusted(_, let reference, _): reference
        case .callback(let report): report.reference
        case .delivered(let report): report.reference
        case .dispatched, .limited, .token, .beginRefused, .useRefused, .releaseGuessed, .callRefused, .storeFailed,
            .issuerCalled, .gateway:
            nil
        }
    }

    /// The entry in that history. Its words come from fixed lists and the configuration, or are an address as the log
    /// shows it; never from an issuer or a caller.
    func timelineNote(at time: Timestamp) -> TimelineNote? {
        switch self {
        case .signIn(let step, let reference, let app):
            return TimelineNote(of: reference, app: app.text, at: time, step.timelineEvent)
        case .callback(let report):
            guard let reference = report.reference else { return nil }
            return TimelineNote(
                of: reference, app: report.app?.text ?? "", room: report.isOfRequest ? .requests : .unasked, at: time,
                report.timelineEvent)
        case .delivered(let report):
            return TimelineNote(
                of: report.reference, app: report.app.text, room: .unasked, at: time, report.timelineEvent)
        case .responseNotTrusted(let reason, let reference, let app):
            let event = TimelineEvent(.responseNotTrusted, [(.reason, reason)])
            return TimelineNote(of: reference, app: app.text, at: time, event)
        case .dispatched, .limited, .token, .beginRefused, .useRefused, .releaseGuessed, .callRefused, .storeFailed,
            .issuerCalled,
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

/// The details that may stand beside a name.
enum TimelineDetail: String, CaseIterable, Sendable {
    case from
    /// The channel that a callback came by.
    case by
    /// Whether the callback names its issuer: `right`, or `absent`.
    case iss
    case reason
    /// The handler of the callback: socket, dbus, exec, webhook or loopback.
    case handler
    /// `true`, where another try followed.
    case again
    case proof
    case issuer
    case milliseconds
    case attemptsLeft = "attempts_left"
    /// The details of a failure.
    case code, cause, number
    case oauthError = "oauth_error"
    /// `callback`, if only the callback said it.
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
    fileprivate var timelineEvent: TimelineEvent {
        switch self {
        case .begun(let caller): TimelineEvent(.begun, particulars: [(.from, caller.text)])
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
        if let exactCause { details.append((.cause, exactCause)) }
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
        var details: [(TimelineDetail, String)] = [(.handler, handler.rawValue), (.reason, result.rawValue)]
        if isTriedAgain { details.append((.again, "true")) }
        return TimelineEvent(.deliveryFailed, details, particulars: time)
    }
}

extension CallbackReport {
    fileprivate var timelineEvent: TimelineEvent {
        let from = [(TimelineDetail.from, caller.text)]
        var details = channel.map { [(TimelineDetail.by, $0.rawValue)] } ?? []
        if let isIssuerNamed { details.append((.iss, isIssuerNamed ? "right" : "absent")) }
        switch outcome {
        case .plain(.accepted): return TimelineEvent(.accepted, details, particulars: from)
        case .plain(.repeated): return TimelineEvent(.repeated, details, particulars: from)
        case .refused, .plain(.notMine), .plain(.prefetch), .plain(.wrongMethod), .plain(.limited):
            return TimelineEvent(.refused, [(.reason, outcome.name)] + details, particulars: from)
        }
    }
}
