internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// An app that waits for the outcome of a request (`Prefer: wait`, RFC 7240 section 4.3), without a task.
///
/// Why `@unchecked Sendable`: what changes is touched on the thread of the connection's loop only; other threads raise
/// the signal, which is safe from any.
final class LongPoll: LaterResponse, @unchecked Sendable {
    private let answer: RequestAnswer
    private let connection: ConnectionContext
    private let id: RequestID
    /// The status that the app knows already.
    private let seen: String
    private let deadline: Instant
    private var place: WaitingCounter.Place?
    private let signal = Signal()
    private var timer: Timer?
    /// When to look again, in case a change was missed.
    private var nextLook: Timer?

    private var core: GatewayCore { answer.core }

    /// - Parameter place: among those who wait; it is free again when the answer is there.
    init(
        _ answer: RequestAnswer, _ exchange: Exchange, _ id: RequestID, _ wants: CollectPreferences,
        _ place: WaitingCounter.Place
    ) {
        self.answer = answer
        connection = exchange.request.connection
        self.id = id
        self.place = place
        seen = wants.seen
        deadline = Instant.now() + wants.wait
    }

    /// The answer now, if there is anything new, or else a later one.
    func begin() async -> Response {
        connection.whenPeerGoes { [signal] in signal.raise() }
        timer = connection.loop.schedule(at: deadline) { [signal] in signal.raise() }
        core.registry.changes.watch(id, signal)
        return await respond()
    }

    func respond() async -> Response {
        do {
            guard let record = try await core.registry.find(.id(id)) else { throw APIError.notFound }
            if shallWait(record) {
                scheduleNextLook()
                return .later(self)
            }
            end()
            return try await answer.response(record)
        } catch {
            end()
            return (error as? APIError ?? .unavailable).response
        }
    }

    private func shallWait(_ record: RequestRecord) -> Bool {
        core.status(of: record).rawValue == seen && !core.isStopping && !connection.isPeerGone
            && Instant.now() < deadline
    }

    private func scheduleNextLook() {
        guard let interval = core.registry.rereadInterval else { return }
        nextLook?.cancel()
        nextLook = connection.loop.schedule(at: .now() + interval) { [signal] in signal.raise() }
    }

    func whenReady(_ tell: @escaping @Sendable () -> Void) {
        signal.whenRaised(tell)
    }

    private func end() {
        core.registry.changes.stop(id, signal)
        connection.whenPeerGoes(nil)
        timer?.cancel()
        nextLook?.cancel()
        place = nil
    }
}
