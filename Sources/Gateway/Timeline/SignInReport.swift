internal import SwitchyardHandlers
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardText

/// An operator's report of one sign-in, or of one refusal: its history, its state, and the one cause and remedy of a
/// failure.
struct SignInReport: Sendable {
    enum Status: String, Sendable {
        case pending, held, completed, failed, expired
    }

    let reference: Reference
    let timeline: Timeline
    /// The issuer's name; nil where it is not known.
    let issuer: String?

    /// - Parameter issuer: of the app, as the configuration is now.
    init(_ reference: Reference, _ timeline: Timeline, issuer: (_ app: String) -> String?) {
        self.reference = reference
        self.timeline = timeline
        let named = timeline.entries.lazy.compactMap { $0.event[.issuer] }.first
        self.issuer = named ?? issuer(timeline.app)
    }

    var json: JSONObject {
        var object: JSONObject = ["reference": .string("\(reference)"), "app": .string(timeline.app)]
        object["issuer"] = .string(issuer ?? "")
        object["status"] = .string(end.status.rawValue)
        let entries = timeline.chronological
        let start = entries.first?.first ?? Timestamp(milliseconds: 0)
        object["events"] = .array(entries.map { .object(Self.json($0, since: start)) })
        let explanation = end.explanation
        object["cause"] = end.cause.map { .string($0) }
        object["code"] = end.code.map { .string($0) }
        object["number"] = end.number.map { .string($0) }
        object["oauth_error"] = end.oauthError.map { .string($0) }
        object["explanation"] = explanation.map { .string($0.cause) }
        object["remedy"] = explanation.map { .string($0.remedy) }
        return object
    }

    private static func json(_ entry: Timeline.Entry, since start: Timestamp) -> JSONObject {
        var object: JSONObject = [
            "at": .string(ISODate.format(entry.first.milliseconds)), "event": .string(entry.event.name),
        ]
        for (name, value) in entry.event.details {
            let number = TimelineDetail(rawValue: name)?.isNumber == true ? Int64(value) : nil
            object[name] = number.map { .integer($0) } ?? .string(value)
        }
        object["after_milliseconds"] = .integer(entry.first.milliseconds - start.milliseconds)
        object["text"] = TimelineName(rawValue: entry.event.name).map { .string($0.words(entry.event)) }
        if entry.count > 1 {
            object["count"] = .integer(Int64(entry.count))
            object["last"] = .string(ISODate.format(entry.last.milliseconds))
        }
        return object
    }

    // MARK: How it stands

    /// How a sign-in stands, and why.
    private struct End {
        var status: Status
        /// The most exact name of why it failed.
        var cause: String?
        /// The code of the failure in the app's answer.
        var code: String?
        var number: String?
        var oauthError: String?
        var explanation: Explanation?
    }

    private var end: End {
        var end = End(status: .pending)
        var refusal: CallbackOutcome?
        var unkept: KeepingProblem.Reason?
        for entry in timeline.chronological {
            // A newer gateway may have written names that this one does not know.
            guard let name = TimelineName(rawValue: entry.event.name) else { continue }
            switch name {
            case .begun, .startPageSeen, .started, .accepted, .repeated, .responseNotTrusted, .wrongCode, .redeemed,
                .sealed, .collected, .acknowledged:
                break
            case .tokensNotKept: unkept = entry.event[.reason].flatMap { KeepingProblem.Reason(rawValue: $0) }
            case .tokensKept: unkept = nil
            case .held: if end.status == .pending { end.status = .held }
            case .released: if end.status == .held { end.status = .pending }
            case .refused:
                let reason = entry.event[.reason]
                refusal = CallbackOutcome.allCases.first { $0.name == reason }
            case .completed, .delivered, .passedOn: end = End(status: .completed)
            case .deliveryFailed where entry.event[.again] != nil: break
            case .deliveryFailed:
                // The last handler of a list that was tried.
                let result = entry.event[.reason].flatMap { DeliveryResult(rawValue: $0) }
                end = End(status: .failed, cause: result?.rawValue, explanation: result?.explanation)
            case .failed: end = Self.end(entry.event)
            case .denied: end = Self.end(.releaseFailed, .denied)
            case .canceled: end = Self.end(.userCanceled, nil)
            case .expired:
                end = Self.end(.expired, nil)
                end.status = .expired
            }
        }
        // A callback without a request is over with its refusal.
        if timeline.isUnasked, let refusal {
            return End(status: .failed, cause: refusal.name, explanation: refusal.explanation)
        }
        // The sign-in succeeded, but the person may have to sign in again.
        if end.status == .completed, let unkept, unkept.isFault {
            (end.cause, end.explanation) = (unkept.rawValue, unkept.explanation)
        }
        return end
    }

    private static func end(_ code: SignInFailure.Code, _ cause: SignInFailureNote.Cause?) -> End {
        End(
            status: .failed, cause: cause?.rawValue ?? code.rawValue, code: code.rawValue,
            explanation: cause?.explanation ?? code.explanation)
    }

    private static func end(_ failed: TimelineEvent) -> End {
        let code = failed[.code].flatMap { SignInFailure.Code(rawValue: $0) } ?? .internal
        var end = Self.end(code, failed[.cause].flatMap { SignInFailureNote.Cause(rawValue: $0) })
        (end.number, end.oauthError) = (failed[.number], failed[.oauthError])
        if let cause = failed[.cause] {
            guard let obstacle = SignInObstacle(label: cause) else { return end }
            (end.cause, end.explanation) = (cause, obstacle.explanation)
            return end
        }
        // The more exact name explains more.
        if let error = end.oauthError.flatMap({ KnownIssuerError($0) }), error.rawValue != code.rawValue {
            end.explanation = error.explanation
        }
        if let error = end.number.flatMap({ MicrosoftErrorNumber($0) }) { end.explanation = error.explanation }
        if failed[.toldBy] != nil { end.explanation = end.explanation?.asToldByCallback }
        return end
    }
}
