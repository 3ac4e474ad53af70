internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardText
internal import Synchronization

/// The latest activity, for the operator: sign-ins in steps of ten seconds, the last refusals with their references,
/// the state of each issuer. Its size is bounded. It holds no secrets and no text from callers. Safe from any thread.
final class RecentActivity: EventSink {
    /// Ten seconds of sign-ins.
    struct Step: Sendable, Equatable {
        var begun = 0
        var completed = 0
        var failed = 0
        /// Sign-ins without an end: they expired, or were canceled.
        var abandoned = 0
        /// Callbacks that were not taken.
        var refused = 0
    }

    /// A sign-in that failed, or a callback that was refused.
    struct Refusal: Sendable {
        enum Kind: String, Sendable {
            case signIn = "sign_in"
            case callback
        }

        /// Milliseconds since 1970.
        let at: Int64
        let kind: Kind
        let reference: Reference?
        /// nil if it belongs to no app.
        let app: AppID?
        /// The failure's code, or the outcome of the callback.
        let reason: String
    }

    /// How an issuer does.
    struct IssuerHealth: Sendable {
        struct Failure: Sendable {
            /// Milliseconds since 1970.
            let at: Int64
            let endpoint: IssuerExchange.Endpoint
            let reason: String
        }

        /// Whether the issuer's last answer shows a failure, by endpoint.
        var isFailing: [IssuerExchange.Endpoint: Bool] = [:]
        var lastFailure: Failure?
    }

    /// A copy of all of it.
    struct Snapshot: Sendable {
        /// The oldest first; the last one is under way.
        let steps: [Step]
        /// When the last one ends, in seconds since 1970.
        let end: Int64
        /// The failures of the sign-ins in ``steps``, by code.
        let failures: [String: Int]
        /// The callbacks in ``steps`` that were not taken, by outcome.
        let refusals: [String: Int]
        /// The newest first.
        let last: [Refusal]
        let issuers: [String: IssuerHealth]
        /// Milliseconds since 1970.
        let began: Int64
    }

    /// How long a step is, in seconds, and how many there are: 15 minutes.
    static let (stepLength, stepCount): (Int64, Int) = (10, 90)
    private static let maximumLast = 20
    /// Reloads can bring new names, but not without end.
    private static let maximumIssuers = 1000

    private struct Slot {
        /// Since 1970, in lengths of a step.
        var number: Int64 = -1
        var step = Step()
        var failures: [String: Int] = [:]
        var refusals: [String: Int] = [:]
    }

    private struct State {
        var slots = [Slot](repeating: Slot(), count: RecentActivity.stepCount)
        // Kept apart: any caller can have callbacks refused, and must not push out the failed sign-ins.
        var signIns: [Refusal] = []
        var callbacks: [Refusal] = []
        var issuers: [String: IssuerHealth] = [:]
    }

    private let state = Mutex(State())
    private let began = WallTime.now().milliseconds
    private let clock: @Sendable () -> WallTime

    init(clock: @escaping @Sendable () -> WallTime = WallTime.now) {
        self.clock = clock
    }

    var wantsDispatches: Bool { false }

    /// The switches have no default: an event without an entry does not compile.
    func receive(_ event: GatewayEvent) {
        switch event {
        case .signIn(let step, let reference, let app): receive(step, reference, app)
        case .callback(let report): receive(report)
        case .issuerCalled(let exchange): receive(exchange)
        // Told as callbacks or as the ends of sign-ins, or by counters of their own.
        case .dispatched, .delivered, .responseNotTrusted, .limited, .token, .beginRefused, .useRefused,
            .releaseGuessed, .callRefused,
            .storeFailed, .gateway:
            break
        }
    }

    private func receive(_ step: SignInStep, _ reference: Reference, _ app: AppID) {
        switch step {
        case .begun: change { slot, _, _ in slot.step.begun += 1 }
        case .completed, .passedOn: change { slot, _, _ in slot.step.completed += 1 }
        case .canceled, .expired: change { slot, _, _ in slot.step.abandoned += 1 }
        case .denied: fail(.releaseFailed, reference, app)
        case .failed(let note): fail(note.code, reference, app)
        case .startPageSeen, .started, .held, .wrongCode, .released, .redeemed, .keeping, .sealed, .collected,
            .acknowledged:
            break
        }
    }

    private func fail(_ code: SignInFailure.Code, _ reference: Reference, _ app: AppID) {
        change { slot, state, now in
            slot.step.failed += 1
            slot.failures[code.rawValue, default: 0] += 1
            Self.add(
                Refusal(at: now, kind: .signIn, reference: reference, app: app, reason: code.rawValue),
                to: &state.signIns)
        }
    }

    private func receive(_ report: CallbackReport) {
        guard case .refused = report.outcome else { return }
        change { slot, state, now in
            slot.step.refused += 1
            slot.refusals[report.outcome.name, default: 0] += 1
            Self.add(
                Refusal(
                    at: now, kind: .callback, reference: report.reference, app: report.app,
                    reason: report.outcome.name), to: &state.callbacks)
        }
    }

    private func receive(_ exchange: IssuerExchange) {
        let now = clock().milliseconds
        state.withLock { state in
            guard state.issuers[exchange.issuer] != nil || state.issuers.count < Self.maximumIssuers else { return }
            var health = state.issuers[exchange.issuer] ?? IssuerHealth()
            health.isFailing[exchange.endpoint] = exchange.isOutage
            if let problem = exchange.problem {
                health.lastFailure = IssuerHealth.Failure(
                    at: now, endpoint: exchange.endpoint, reason: problem.knownName)
            }
            state.issuers[exchange.issuer] = health
        }
    }

    private func change(_ body: (inout Slot, inout State, _ now: Int64) -> Void) {
        let now = clock().milliseconds
        let number = now / 1000 / Self.stepLength
        state.withLock { state in
            let index = Int(number % Int64(Self.stepCount))
            var slot = state.slots[index]
            // After the clock was set back, an entry may have a future time.
            if slot.number != number { slot = Slot(number: number) }
            body(&slot, &state, now)
            state.slots[index] = slot
        }
    }

    private static func add(_ refusal: Refusal, to last: inout [Refusal]) {
        if last.count == maximumLast { last.removeFirst() }
        last.append(refusal)
    }

    var snapshot: Snapshot {
        let current = clock().seconds / Self.stepLength
        return state.withLock { state in
            let slots = (current - Int64(Self.stepCount) + 1...current).map { number in
                let slot = state.slots[Int(number % Int64(Self.stepCount))]
                return slot.number == number ? slot : Slot()
            }
            return Snapshot(
                steps: slots.map(\.step), end: (current + 1) * Self.stepLength,
                failures: slots.reduce(into: [:]) { $0.merge($1.failures, uniquingKeysWith: +) },
                refusals: slots.reduce(into: [:]) { $0.merge($1.refusals, uniquingKeysWith: +) },
                last: (state.signIns + state.callbacks).sorted { $0.at > $1.at }, issuers: state.issuers, began: began)
        }
    }
}

extension IssuerExchange.Problem {
    /// Its label where that is a word of ours or of the protocol's, never one that only the issuer knows.
    fileprivate var knownName: String {
        guard case .oauthError(let error, _) = self else { return label }
        return Self.knownErrors.contains(error.text) ? error.text : "oauth_error"
    }

    /// The errors of the token endpoint (RFC 6749 section 5.2, OpenID Connect Core section 3.1.2.6).
    private static let knownErrors: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "server_error", "temporarily_unavailable", "interaction_required",
        "login_required", "consent_required", "invalid_dpop_proof", "use_dpop_nonce", "slow_down",
    ]
}
