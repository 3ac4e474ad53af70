internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import Synchronization

/// A listener for events. Called on the loop where the event happens, so it must not wait. Safe from any thread.
protocol EventSink: AnyObject, Sendable {
    /// Whether the sink wants an event for a good redirect: the most frequent one by far, and the cheapest request.
    var wantsDispatches: Bool { get }

    func receive(_ event: GatewayEvent)

    /// - Parameters:
    ///   - trace: the trace of the event, for sinks that export traces.
    ///   - time: when it happened; nil for now.
    func receive(_ event: GatewayEvent, in trace: TraceContext?, at time: Timestamp?)
}

extension EventSink {
    func receive(_ event: GatewayEvent, in trace: TraceContext?, at time: Timestamp?) { receive(event) }
}

/// Passes events on to their sinks. Safe from any thread.
final class EventReporter: Sendable {
    private let sinks: [any EventSink]
    /// Kept here, because a good redirect can afford to ask one flag and no more.
    private let areDispatchesWanted = Atomic(false)

    init(_ sinks: [any EventSink]) {
        self.sinks = sinks
        refresh()
    }

    /// Asks the sinks again. Call it when a sink's wishes have changed.
    func refresh() {
        areDispatchesWanted.store(sinks.contains(where: \.wantsDispatches), ordering: .relaxed)
    }

    /// - Parameter time: when it happened; nil for now.
    func report(_ event: GatewayEvent, in trace: TraceContext? = nil, at time: Timestamp? = nil) {
        for sink in sinks { sink.receive(event, in: trace, at: time) }
    }

    /// Reports a step of a sign-in.
    ///
    /// A step that ends the request has the end time of the record. The store may answer later, and another gateway may
    /// give the outcome to the app by then.
    /// - Parameters:
    ///   - record: the record after the step.
    ///   - trace: the trace for a record that has lost its own.
    func report(_ step: SignInStep, of record: RequestRecord, in trace: TraceContext? = nil) {
        report(
            .signIn(step, reference: record.reference, app: record.app), in: record.trace ?? trace,
            at: step.isAfterEnd ? nil : record.outcome?.finishedAt)
    }

    /// Reports the outcome of a callback.
    /// - Parameters:
    ///   - app: the app of the redirect URI; nil if the URI belongs to no app.
    ///   - reference: the reference of the request with this state, if there is one.
    ///   - error: why the request could not be read; nil for a readable one.
    /// - Returns: the reference by which it is found: the request's, or a fresh one.
    @discardableResult
    func report(
        _ outcome: CallbackOutcome, app: AppID?, _ reference: Reference? = nil, from caller: Caller,
        by channel: CallbackChannel? = nil, in trace: TraceContext? = nil, because error: HTTPError? = nil
    ) -> Reference {
        let shown = reference ?? Reference()
        report(
            .callback(
                CallbackReport(
                    outcome: outcome, app: app, reference: outcome == .prefetch ? reference : shown,
                    isOfRequest: reference != nil, caller: caller, channel: channel, isIssuerNamed: nil, error: error)),
            in: trace)
        return shown
    }

    /// Reports that a callback was matched to its request.
    /// - Parameter isIssuerNamed: whether the response names its issuer correctly.
    func reportAccepted(
        _ record: RequestRecord, isIssuerNamed: Bool, app: AppID, from caller: Caller, by channel: CallbackChannel
    ) {
        report(
            .callback(
                CallbackReport(
                    outcome: .accepted, app: app, reference: record.reference, isOfRequest: true, caller: caller,
                    channel: channel, isIssuerNamed: isIssuerNamed)),
            in: record.trace, at: record.outcome?.finishedAt)
    }

    /// Reports that a callback is being handed over to an app that keeps its own state.
    /// - Parameter isOfRequest: whether the reference is that of a request that waits for it.
    func reportTaken(
        _ reference: Reference, app: AppID, from caller: Caller, by channel: CallbackChannel, isOfRequest: Bool
    ) {
        report(
            .callback(
                CallbackReport(
                    outcome: .accepted, app: app, reference: reference, isOfRequest: isOfRequest, caller: caller,
                    channel: channel, isIssuerNamed: nil)))
    }

    /// Reports how time has ended a sign-in.
    func reportEnd(of record: RequestRecord) {
        guard !record.isDelivery else { return reportLost(record) }
        switch record.outcome?.kind {
        case .heldTooLong: report(.failed(SignInFailureNote(code: .releaseFailed, cause: .heldTooLong)), of: record)
        case .failed(let code): report(.failed(SignInFailureNote(code: code, cause: .abandoned)), of: record)
        case .expired: report(.expired, of: record)
        // Time does not cause these ends. Their cause has reported them.
        case .completed, .errorResponse, .canceled, .denied, .misproved, .passedOn, nil: break
        }
    }

    /// Reports that a callback was not handed over in time: no gateway was there to try.
    private func reportLost(_ record: RequestRecord) {
        guard case .expired? = record.outcome?.kind else { return }
        report(
            .delivered(
                DeliveryReport(
                    app: record.app, reference: record.reference, handler: .webhook, result: .timedOut, duration: .zero,
                    caller: Caller(Peer.local(uid: nil)))))
    }

    /// Reports that a browser was sent on to an app that holds no requests. Almost free while no sink wants these
    /// events.
    func reportDispatch(to app: AppRegistration) {
        guard areDispatchesWanted.load(ordering: .relaxed) else { return }
        for sink in sinks where sink.wantsDispatches { sink.receive(.dispatched(app: app.id)) }
    }
}
