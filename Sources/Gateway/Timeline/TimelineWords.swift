internal import SwitchyardHandlers
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

extension TimelineName {
    /// The words for an event, without the end of the sentence.
    func words(_ event: TimelineEvent) -> String {
        let from = event[.from].map { ", from \($0)" } ?? ""
        switch self {
        case .begun: return "an app began it\(from)"
        case .startPageSeen: return "the browser was shown who asks"
        case .started: return "the browser was sent to the issuer"
        case .accepted: return "the callback came\(Self.channel(event))\(from)\(Self.issuer(event))"
        case .repeated: return "the same callback came once more\(Self.channel(event))\(from)"
        case .refused:
            let reason = event[.reason] ?? ""
            let words = CallbackOutcome.allCases.first { $0.name == reason }?.explanation.cause
            return "a callback was refused\(Self.channel(event))\(from): \(reason)\(words.map { " (\($0))" } ?? "")"
        case .responseNotTrusted: return "the signed response was not believed: \(event[.reason] ?? "")"
        case .held:
            switch event[.proof].flatMap({ RequestRecord.Held.Proof(rawValue: $0) }) {
            case .ticket: return "the code is held until the app brings its ticket"
            case .code: return "the code is held until the release code is typed into the program"
            case nil: return "the app's gateway holds the code until the app proves that it belongs to the browser"
            }
        case .delivered: return "the app took the callback, by \(event[.handler] ?? "a handler")"
        case .deliveryFailed:
            let reason = event[.reason] ?? ""
            let words = DeliveryResult(rawValue: reason)?.explanation.cause
            return "\(event[.handler] ?? "a handler") did not hand it over: \(reason)\(words.map { " (\($0))" } ?? "")"
                + (event[.again] == nil ? "" : "; it is tried again")
        case .released: return "the app proved that it belongs to the browser"
        case .wrongCode: return "the app gave a wrong release code; \(event[.attemptsLeft] ?? "0") tries left"
        case .denied: return "the person at the browser said that somebody else began it"
        case .redeemed:
            return "\(event[.issuer] ?? "the issuer") gave tokens for the code in \(event[.milliseconds] ?? "?") ms"
        case .tokensNotKept:
            let reason = event[.reason] ?? ""
            let words = KeepingProblem.Reason(rawValue: reason)?.explanation.cause
            return "the agent could not keep the tokens: \(reason)\(words.map { " (\($0))" } ?? "")"
        case .tokensKept: return "the agent has kept the tokens after all"
        case .sealed: return "the result was sealed to the app's key"
        case .completed: return "the result is ready"
        case .passedOn:
            let handler = event[.handler] ?? "a handler"
            return handler == DeliveryName.loopback.rawValue
                ? "the browser was sent on to the app on its own machine (return_port); whether one listens there is not known here"
                : "the app took the callback, by \(handler), so the request is over"
        case .failed:
            let code = event[.code] ?? ""
            let details = [event[.cause], event[.oauthError], event[.number]].compactMap { $0 }.filter { $0 != code }
            let teller = event[.toldBy] == nil ? "" : ", as the callback said"
            return "it failed: \(([code] + details).joined(separator: ", "))\(teller)"
        case .collected: return "the app read the outcome"
        case .acknowledged: return "the app has it, and it was forgotten"
        case .canceled: return "the app gave up"
        case .expired: return "no callback came in time"
        }
    }

    private static func channel(_ event: TimelineEvent) -> String {
        guard let name = event[.by] else { return "" }
        return switch CallbackChannel(rawValue: name) {
        case .relay: " by a program"
        case .gateway: " by the app's gateway"
        case .query, .formPost, .fragment, nil: " by \(name)"
        }
    }

    private static func issuer(_ event: TimelineEvent) -> String {
        switch event[.iss] {
        case "right": "; it names its issuer (iss), rightly"
        case "absent": "; it does not name its issuer (iss), which this one need not"
        default: ""
        }
    }
}
