internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardTLS

extension MetricsSnapshot {
    /// With more apps than this, a callback's outcome and a sign-in's result get a series when they come for the first time.
    static let maximumFullApps = 200

    /// All of it as text. Lets others have the loop in between: with many apps there is much to write.
    func text(_ format: MetricsText.Format) async -> [UInt8] {
        var text = MetricsText(format)
        for family in MetricFamily.allCases {
            if let write = Self.byApp(family) {
                await writeApps(family, &text, write)
            } else {
                text.begin(family)
                write(family, &text)
            }
        }
        text.end()
        return text.bytes
    }

    /// The samples of a family for one app; nil for a family without apps.
    ///
    /// Configured apps begin with zero, so that the first increase is seen as one.
    private typealias AppWriter =
        @Sendable (_ id: String, _ app: App?, _ scope: Scope, _ text: inout MetricsText) -> Void

    private struct Scope {
        /// Whether it is configured, and holds requests; nil for one that is not configured.
        let holdsRequests: Bool?
        let isFull: Bool
        /// Whether it reads outcomes of its requests.
        let collects: Bool
        /// Whether browsers are sent on to it.
        let isDispatched: Bool
        /// The handlers that pass callbacks to it.
        let handlers: [DeliveryName]
        let usesTokens: Bool
    }

    private static func byApp(_ family: MetricFamily) -> AppWriter? {
        switch family {
        case .requestsBegun:
            { id, app, scope, text in
                let count = app?.begun ?? 0
                guard count > 0 || scope.holdsRequests == true else { return }
                text.sample(family, ("app", id), value: count)
            }
        case .dispatched:
            { id, app, scope, text in
                let count = app?.dispatched ?? 0
                guard count > 0 || scope.isDispatched else { return }
                text.sample(family, ("app", id), value: count)
            }
        case .handlerDeliveries:
            { id, app, scope, text in
                let count = app?.collected ?? 0
                if count > 0 || scope.collects {
                    text.sample(family, ("app", id), ("handler", "pending"), ("result", "ok"), value: count)
                }
                for kind in DeliveryName.allCases {
                    for result in DeliveryResult.allCases {
                        let count = app?.deliveries(kind, result) ?? 0
                        guard count > 0 || (scope.isFull && scope.handlers.contains(kind)) else { continue }
                        text.sample(
                            family, ("app", id), ("handler", kind.rawValue), ("result", result.rawValue), value: count)
                    }
                }
            }
        case .callbacks:
            { id, app, scope, text in
                for outcome in CallbackOutcome.allCases {
                    let count = app?.callbacks(outcome) ?? 0
                    guard count > 0 || scope.isFull else { continue }
                    text.sample(family, ("app", id), ("outcome", outcome.name), value: count)
                }
            }
        case .signIns:
            { id, app, scope, text in
                for result in SignInResult.allCases {
                    let count = app?.signIns(result) ?? 0
                    guard count > 0 || (scope.isFull && scope.holdsRequests == true) else { continue }
                    text.sample(family, ("app", id), ("result", result.name), value: count)
                }
            }
        case .refreshes: tokens(family, .refreshed)
        case .revocations: tokens(family, .revoked)
        case .tokensGiven: tokens(family, .given)
        case .build, .ready, .configurationLoaded, .configurationRefused, .configurationFilesLeftOut, .requests,
            .redemptionSeconds, .issuerRequests, .waitingApps, .connections, .tlsHandshakes,
            .httpRequests, .limited, .storeSeconds, .storeFailures, .logLinesLost, .certificateExpiry:
            nil
        }
    }

    /// Most apps have no secret, and those that have one mostly succeed: a failure has a series once it has come.
    private static func tokens(_ family: MetricFamily, _ use: TokenUse) -> AppWriter {
        { id, app, scope, text in
            for result in SignInResult.allCases {
                let count = app?.tokens(use, result) ?? 0
                guard count > 0 || (result == .completed && scope.usesTokens) else { continue }
                text.sample(family, ("app", id), ("result", result.name), value: count)
            }
        }
    }

    private func writeApps(_ family: MetricFamily, _ text: inout MetricsText, _ write: AppWriter) async {
        text.begin(family)
        for number in 0..<names.apps.count {
            if number % 256 == 255 { await Task.yield() }
            let isPresent = number < names.apps.presentCount
            let app = app(number)
            guard isPresent || number == names.apps.others || app != nil else { continue }
            let scope = Scope(
                holdsRequests: isPresent ? names.holdsRequests(app: number) : nil,
                isFull: (isPresent && names.apps.presentCount <= Self.maximumFullApps) || number == names.apps.others,
                collects: isPresent && names.collects(app: number),
                isDispatched: isPresent && names.isDispatched(app: number),
                handlers: isPresent ? names.handlers(app: number) : [],
                usesTokens: isPresent ? names.usesTokens(app: number) : number == names.apps.others)
            write(names.apps.name(of: number), app, scope, &text)
        }
    }

    private func write(_ family: MetricFamily, _ text: inout MetricsText) {
        switch family {
        case .build: text.sample(family, ("version", version), value: 1)
        case .ready: text.sample(family, value: obstacles.isEmpty ? 1 : 0)
        case .configurationLoaded: text.sample(family, value: Int(configuration.loadedAt / 1000))
        case .configurationRefused: text.sample(family, value: configuration.refusal == nil ? 0 : 1)
        case .configurationFilesLeftOut: text.sample(family, value: configuration.leftOut.count)
        case .requests: writeRequests(family, &text)
        case .redemptionSeconds:
            for issuer in issuers { text.histogram(family, ("issuer", issuer.name), issuer.redemption) }
        case .issuerRequests:
            for issuer in issuers {
                for endpoint in IssuerExchange.Endpoint.allCases {
                    for result in IssuerExchange.Result.allCases {
                        text.sample(
                            family, ("issuer", issuer.name), ("endpoint", endpoint.rawValue),
                            ("result", result.rawValue), value: issuer.requests(endpoint, result))
                    }
                }
            }
        case .waitingApps: text.sample(family, value: waitingApps)
        case .connections:
            for listener in listeners {
                text.sample(family, ("listener", listener.address), value: listener.connections)
            }
        case .tlsHandshakes:
            for result in ServerCounts.Handshake.allCases {
                text.sample(family, ("result", result.name), value: handshakes(result))
            }
        case .httpRequests:
            for listener in listeners {
                for (code, count) in listener.answers {
                    text.sample(family, ("listener", listener.address), ("code", "\(code)"), value: count)
                }
            }
        case .limited:
            for limit in GatewayLimit.allCases {
                text.sample(family, ("limit", limit.name), value: limited(by: limit))
            }
        case .storeSeconds:
            for operation in StoreOperation.allCases {
                text.histogram(family, ("operation", operation.rawValue), storeTimes(operation))
            }
        case .storeFailures: text.sample(family, value: storeFailures)
        case .logLinesLost: text.sample(family, value: linesLost)
        case .certificateExpiry:
            // Certificates of one subject, such as an RSA and an ECDSA one: what ends first counts.
            let bySubject = Dictionary(certificates.map { ($0.subject, $0.validUntil) }, uniquingKeysWith: min)
            for (subject, until) in bySubject.sorted(by: { $0.key < $1.key }) {
                text.sample(family, ("subject", subject), value: Int(until))
            }
        case .requestsBegun, .callbacks, .signIns, .refreshes, .revocations, .tokensGiven, .dispatched,
            .handlerDeliveries:
            break
        }
    }

    /// Writes no samples while the store is out: no number would be true.
    private func writeRequests(_ family: MetricFamily, _ text: inout MetricsText) {
        guard let usage else { return }
        let phases: [(String, Int)] =
            if let phases = usage.phases {
                [
                    ("pending", phases.pending), ("claimed", phases.claimed),
                    ("release_required", phases.releaseRequired), ("redeeming", phases.redeeming),
                ]
            } else {
                [("unfinished", usage.pending)]
            }
        for (phase, count) in phases + [("finished", max(0, usage.requests - usage.pending))] {
            text.sample(family, ("phase", phase), value: count)
        }
    }
}

extension ServerCounts.Handshake {
    fileprivate var name: String {
        switch self {
        case .ok: "ok"
        case .failed: "failed"
        case .timedOut: "timed_out"
        }
    }
}
