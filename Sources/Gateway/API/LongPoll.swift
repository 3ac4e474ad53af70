internal import SwitchyardGatewayClient
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// An app that waits for the outcome of a request (`Prefer: wait`, RFC 7240 section 4.3), without a task.
///
/// Why `@unchecked Sendable`: what changes is touched on the thread of the connection's loop only; other threads raise
/// the signal, which is safe from any.
final class LongPoll: LaterResponse, @unchecked Sendable {
    private let answer: OutcomeResponse
    private let connection: ConnectionContext
    /// The status that the app knows already; nil if it is none.
    private let seen: SignInStatus?
    private let deadline: Instant
    private var slot: WaitingCounter.Slot?
    private let watch: RequestWatch
    private var timer: Timer?
    /// When to look again, in case a change was missed.
    private var nextLook: Timer?

    private var core: GatewayCore { answer.core }

    /// Call ``begin(_:)`` next.
    /// - Parameters:
    ///   - revision: taken before the request was looked at.
    ///   - slot: the caller's slot among the waiting apps; it is free again when the answer is there.
    init(
        _ answer: OutcomeResponse, _ exchange: Exchange, _ record: RequestRecord, since revision: ChangeHub.Revision,
        _ wants: CollectPreferences, _ slot: WaitingCounter.Slot
    ) {
        self.answer = answer
        connection = exchange.request.connection
        self.slot = slot
        watch = exchange.registry.changes.watch(
            record.id, since: revision, isCollecting: answer.isBeginner(of: record))
        seen = wants.seen
        deadline = Instant.now() + wants.wait
    }

    /// The answer now, if there is anything new, or else a later one.
    func begin(_ record: RequestRecord) async -> Response {
        connection.whenPeerGoes { [watch] in watch.signal.raise() }
        timer = connection.loop.schedule(at: deadline) { [watch] in watch.signal.raise() }
        return await respond(record)
    }

    func respond() async -> Response {
        let found: RequestRecord?
        do throws(StoreError) {
            found = try await core.registry.find(watch)
        } catch {
            // The app keeps waiting while the store is out.
            if mayWait, error.missingKey == nil { return waitOn() }
            end()
            return APIError(of: error).response
        }
        guard let found else {
            end()
            return APIError.notFound.response
        }
        return await respond(found)
    }

    private func respond(_ record: RequestRecord) async -> Response {
        if core.status(of: record) == seen, mayWait { return waitOn() }
        end()
        do {
            return try await answer.response(record)
        } catch {
            return APIError(of: error).response
        }
    }

    private var mayWait: Bool { !core.isStopping && !connection.isPeerGone && Instant.now() < deadline }

    private func waitOn() -> Response {
        // Other gateways report their changes, but a report may be lost.
        if let interval = core.registry.rereadInterval {
            nextLook?.cancel()
            nextLook = connection.loop.schedule(at: .now() + interval) { [watch] in watch.signal.raise() }
        }
        return .later(self)
    }

    func whenReady(_ tell: @escaping @Sendable () -> Void) {
        watch.signal.whenRaised(tell)
    }

    private func end() {
        core.registry.changes.stop(watch)
        connection.whenPeerGoes(nil)
        timer?.cancel()
        nextLook?.cancel()
        slot = nil
    }
}
