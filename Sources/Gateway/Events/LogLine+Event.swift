internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardText

extension GatewayEvent {
    /// How much it matters.
    var level: LogConfiguration.Level {
        switch self {
        case .dispatched: .debug
        case .callback(let report) where report.outcome == .limited: .warning
        case .signIn(.failed(let note), _, _) where note.isForOperators: .warning
        case .signIn(.keeping(.notKept(let problem)), _, _) where problem.reason.isFault: .warning
        case .signIn(.startPageSeen, _, _), .signIn(.redeemed, _, _), .signIn(.sealed, _, _),
            .signIn(.acknowledged, _, _):
            .debug
        // Only the first failed try and the final result are reported.
        case .delivered(let report) where report.setbacks > 1: .debug
        case .delivered(let report): report.result == .ok ? .info : .warning
        case .signIn(.denied, _, _), .responseNotTrusted, .limited, .beginRefused, .useRefused, .releaseGuessed:
            .warning
        // Programs ask all day.
        case .token(.given, nil, _, _): .debug
        case .token(_, let note?, _, _) where note.isForOperators: .warning
        case .signIn, .callback, .callRefused, .token: .info
        case .issuerCalled(let exchange): exchange.isOutage ? .error : .debug
        case .storeFailed: .error
        case .gateway(.configurationWarning), .gateway(.storeWarning), .gateway(.historyFailed),
            .gateway(.remoteSilent), .gateway(.libsecretMissing):
            .warning
        case .gateway(.reloadRefused), .gateway(.certificateRefused), .gateway(.upgradeRefused),
            .gateway(.storeNotClosed), .gateway(.keyMissing):
            .error
        case .gateway: .info
        }
    }

    /// The event's line in the log. The switches have no default: an event without a line does not compile.
    var line: LogLine {
        switch self {
        case .signIn(let step, let reference, let app):
            var line = step.line
            line.reference = "\(reference)"
            line.app = app
            return line
        case .callback(let report):
            var line = report.outcome.line
            line.reference = report.reference.map { "\($0)" }
            line.app = report.app
            line.from = report.caller.text
            if report.isRelayed { line.details = [("relayed", .flag(true))] }
            if let error = report.error { line.add(status: error.status.code, error.reason.explanation) }
            return line
        case .delivered(let report): return report.line
        case .dispatched(let app):
            var line = LogLine(.dispatched)
            line.app = app
            return line
        case .responseNotTrusted(let reason, let reference, let app):
            var line = LogLine(.responseNotTrusted)
            line.reference = "\(reference)"
            line.app = app
            line.reason = reason
            return line
        case .limited(let limit, let app, let caller):
            var line = LogLine(.limited)
            line.app = app
            line.reason = limit.name
            line.from = caller.text
            return line
        case .token(let use, let note, let app, let caller):
            var line =
                switch (use, note) {
                case (.refreshed, nil): LogLine(.refreshed)
                case (.refreshed, let note?): note.line(LogLine(.refreshFailed))
                case (.revoked, nil): LogLine(.revoked)
                case (.revoked, let note?): note.line(LogLine(.revocationFailed))
                case (.given, nil): LogLine(.tokenGiven)
                case (.given, let note?): note.line(LogLine(.tokenRefused))
                }
            line.app = app
            line.from = caller.text
            return line
        case .releaseGuessed(let app, let network):
            var line = LogLine(.releaseGuessed)
            line.app = app
            line.from = network
            line.details = [("wrong", .number(WrongProofs.maximum))]
            return line
        case .beginRefused(let app, let caller):
            var line = LogLine(.beginRefused)
            line.app = app
            line.from = caller.text
            line.details = [("reason", .text(RefusalReason.Key.beginFrom.rawValue))]
            return line
        case .useRefused(let app, let program, let caller):
            var line = LogLine(.useRefused)
            line.app = app
            line.from = caller.text
            line.details = [("program", .text(program)), ("reason", .text(RefusalReason.Key.useFrom.rawValue))]
            return line
        case .callRefused(let code, let status, let detail, let caller):
            var line = LogLine(.callRefused)
            line.reason = code
            line.from = caller.text
            line.add(status: status, detail)
            return line
        case .storeFailed(let reason, let failures):
            var line = LogLine(.storeFailed)
            line.reason = reason
            if failures > 1 { line.details = [("failures", .number(failures))] }
            return line
        case .issuerCalled(let exchange):
            var line = LogLine(exchange.isOutage ? .issuerFailing : .issuerCalled)
            line.reason = exchange.problem?.label
            line.details = [("issuer", .text(exchange.issuer)), ("endpoint", .text(exchange.endpoint.rawValue))]
            if let proxy = exchange.proxy { line.details.append(("proxy", .text(proxy))) }
            if case .wrongAnswer(let words) = exchange.problem { line.details.append(("detail", .text("\(words)"))) }
            return line
        case .gateway(let news): return news.line
        }
    }
}

extension IssuerExchange {
    /// Whether the issuer is out of order: one that says no, or asks for patience, works.
    var isOutage: Bool { result == .failed || result == .unreachable }
}

extension OutageSubject {
    /// The line for the end of the outage.
    var endLine: LogLine {
        var line = LogLine(.issuerWell)
        line.details = [("issuer", .text(issuer)), ("endpoint", .text(endpoint.rawValue))]
        return line
    }
}

extension LogLine {
    fileprivate mutating func add(status: Int, _ detail: String?) {
        details.append(("status", .number(status)))
        if let detail { details.append(("detail", .text(detail))) }
    }

    mutating func add(_ extent: OutageWatch.Extent) {
        details += [
            ("failures", .number(extent.failures)), ("seconds", .number(Int(extent.duration.components.seconds))),
        ]
    }
}

extension SignInStep {
    fileprivate var line: LogLine {
        switch self {
        case .begun(let caller):
            var line = LogLine(.begun)
            line.from = caller.text
            return line
        case .startPageSeen: return LogLine(.pageSeen)
        case .started: return LogLine(.started)
        case .held(let proof):
            var line = LogLine(.held)
            if let proof { line.details = [("proof", .text(proof.rawValue))] }
            return line
        case .released: return LogLine(.released)
        case .wrongCode(let left):
            var line = LogLine(.wrongCode)
            line.details = [("attempts_left", .number(left))]
            return line
        case .denied: return LogLine(.denied)
        case .redeemed(let issuer, let duration):
            var line = LogLine(.redeemed)
            line.details = [("issuer", .text(issuer)), ("milliseconds", .number(Int(duration.wholeMilliseconds)))]
            return line
        case .keeping(.kept): return LogLine(.tokensKept)
        case .keeping(.notKept(let problem)):
            var line = LogLine(.tokensNotKept)
            line.reason = problem.reason.rawValue
            line.details = [("detail", .text(problem.detail)), ("remedy", .text(problem.remedy))]
            return line
        case .sealed: return LogLine(.sealed)
        case .completed: return LogLine(.completed)
        case .passedOn(let handler):
            var line = LogLine(.passedOn)
            line.details = [("handler", .text(handler.rawValue))]
            return line
        case .failed(let note):
            return note.line(LogLine(.failed))
        case .collected: return LogLine(.collected)
        case .acknowledged: return LogLine(.acknowledged)
        case .canceled: return LogLine(.canceled)
        case .expired: return LogLine(.expired)
        }
    }
}

extension SignInFailureNote {
    fileprivate func line(_ event: LogLine) -> LogLine {
        var line = event
        line.reason = code.rawValue
        if let exactCause { line.details.append(("cause", .text(exactCause))) }
        if let issuer { line.details.append(("issuer", .text(issuer))) }
        if let ownError { line.details.append(("oauth_error", .text(ownError))) }
        if let detail { line.details.append(("detail", .text(detail))) }
        if let number { line.details.append(("number", .text(number))) }
        if isFromCallback { line.details.append(("told_by", .text("callback"))) }
        return line
    }
}

extension DeliveryReport {
    fileprivate var line: LogLine {
        var line = LogLine(result == .ok ? .delivered : .deliveryFailed)
        line.reference = "\(reference)"
        line.app = app
        if result != .ok { line.reason = result.rawValue }
        line.details = [
            ("handler", .text(handler.rawValue)), ("milliseconds", .number(Int(duration.wholeMilliseconds))),
        ]
        if isTriedAgain { line.details.append(("again", .flag(true))) }
        return line
    }
}

extension CallbackOutcome {
    fileprivate var line: LogLine {
        switch self {
        case .plain(.accepted): return LogLine(.accepted)
        case .plain(.repeated): return LogLine(.repeated)
        case .refused, .plain(.notMine), .plain(.prefetch), .plain(.wrongMethod), .plain(.limited):
            var line = LogLine(.refused)
            line.reason = name
            return line
        }
    }
}

extension GatewayNews {
    fileprivate var line: LogLine {
        switch self {
        case .listening(let address, let isSecure, let services):
            var line = LogLine(.listening)
            line.details = [
                ("address", .text(address)), ("tls", .flag(isSecure)),
                ("serves", .text(services.map(\.rawValue).sorted().joined(separator: ","))),
            ]
            return line
        case .ready(let publicURL):
            var line = LogLine(.ready)
            line.details = [("public_url", .text(publicURL))]
            return line
        case .configurationWarning(let text):
            var line = LogLine(.configurationWarning)
            line.reason = text
            return line
        case .reloaded(let file, let apps, let issuers, let filesLeftOut):
            var line = LogLine(.reloaded)
            line.details = [("file", .text(file)), ("apps", .number(apps)), ("issuers", .number(issuers))]
            if filesLeftOut > 0 { line.details.append(("files_left_out", .number(filesLeftOut))) }
            return line
        case .reloadRefused(let file, let reason):
            var line = LogLine(.reloadRefused)
            line.reason = reason
            line.details = [("file", .text(file))]
            return line
        case .certificateTaken(let address):
            var line = LogLine(.certificateTaken)
            line.details = [("address", .text(address))]
            return line
        case .certificateRefused(let reason):
            var line = LogLine(.certificateRefused)
            line.reason = reason
            return line
        case .storeChosen(let store):
            var line = LogLine(.store)
            switch store {
            case .memory: line.details = [("kind", .text("memory"))]
            case .sqlite(let path): line.details = [("kind", .text("sqlite")), ("path", .text(path))]
            case .redis(let redis):
                line.details = [
                    ("kind", .text("redis")), ("servers", .text("\(redis.servers)")), ("tls", .flag(redis.isTLS)),
                    ("prefix", .text(redis.prefix)),
                ]
            }
            return line
        case .storeWarning(let text):
            var line = LogLine(.storeWarning)
            line.reason = text
            return line
        case .storeBack: return LogLine(.storeBack)
        case .keyMissing(let id):
            var line = LogLine(.keyMissing)
            line.details = [("id", .text(id))]
            return line
        case .storeNotClosed(let reason):
            var line = LogLine(.storeNotClosed)
            line.reason = reason
            return line
        case .remoteSilent(let gateway, let text):
            var line = LogLine(.gatewaySilent)
            line.reason = text
            line.details = [("gateway", .text(gateway))]
            return line
        case .historyFailed(let entries, let text):
            var line = LogLine(.historyFailed)
            line.reason = text
            line.details = [("entries", .number(entries))]
            return line
        case .libsecretMissing(let remedy):
            var line = LogLine(.libsecretMissing)
            line.details = [("remedy", .text(remedy))]
            return line
        case .upgradeBegun(let process): return line(LogLine(.upgradeBegun), process)
        case .upgraded(let process): return line(LogLine(.upgraded), process)
        case .upgradeRefused(let reason):
            var line = LogLine(.upgradeRefused)
            line.reason = reason
            return line
        case .stopping: return LogLine(.stopping)
        case .stopped(let cut):
            var line = LogLine(.stopped)
            if cut > 0 { line.details = [("cut", .number(cut))] }
            return line
        }
    }

    private func line(_ start: LogLine, _ process: Int32) -> LogLine {
        var line = start
        line.details = [("process", .number(Int(process)))]
        return line
    }
}
