internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import Synchronization

/// `GET /v1/status`: once, or again and again as server-sent events, an event `status` at once and then every two seconds.
/// However many look, the gateway is asked once a second at the most. Safe from any thread.
final class StatusFeed: Sendable {
    private struct State {
        var latest: [UInt8] = []
        var madeAt = Instant(nanoseconds: 0)
        var isMaking = false
        /// The reloads that the status knows of.
        var revision = 0
    }

    private let state = Mutex(State())
    private let streams = Atomic(0)
    let recent = RecentActivity()

    private static let maximumStreams = 16
    /// Further streams for root and the gateway's own user, which other users cannot take.
    private static let operatorStreams = 4
    private static let interval = Duration.seconds(2)
    private static let freshness = Duration.milliseconds(900)

    /// - Parameter worker: of the connection's loop.
    func respond(to request: Request, on worker: GatewayWorker) async -> Response {
        guard request.prefersEventStream else {
            return .json(.ok, bytes: await status(worker))
        }
        var maximum = Self.maximumStreams
        if case .local(let uid) = request.connection.peer, AdminReload.isOperator(uid) {
            maximum += Self.operatorStreams
        }
        guard streams.add(1, ordering: .relaxed).newValue <= maximum else {
            streams.subtract(1, ordering: .relaxed)
            return APIError(
                .serviceUnavailable, "slow_down", "\(maximum) look at it already", retryAfter: 10
            ).response
        }
        let slot = StreamSlot(self)
        return Response(
            .ok, fields: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .stream { writer in
                await self.follow(writer, worker)
                withExtendedLifetime(slot) {}
            })
    }

    /// The slot of one open stream. It is free again when the stream ends.
    private final class StreamSlot: Sendable {
        private let feed: StatusFeed

        init(_ feed: StatusFeed) { self.feed = feed }

        deinit { feed.streams.subtract(1, ordering: .relaxed) }
    }

    private func follow(_ writer: any BodyWriter, _ worker: GatewayWorker) async {
        let gone = Signal()
        writer.connection.whenPeerGoes { gone.raise() }
        defer { writer.connection.whenPeerGoes(nil) }
        while !worker.core.isStopping, !writer.connection.isPeerGone {
            let event = Array("event: status\ndata: ".utf8) + (await status(worker)) + Array("\n\n".utf8)
            guard await writer.write(event) else { return }
            _ = await gone.wait(until: .now() + Self.interval)
        }
    }

    /// The status of this second, made once for all streams.
    private func status(_ worker: GatewayWorker) async -> [UInt8] {
        let revision = worker.core.configuration.snapshot.revision
        let known = state.withLock { state -> [UInt8]? in
            // An operator looks right after a reload, so that shows at once.
            let isFresh = Instant.now() < state.madeAt + Self.freshness && state.revision == revision
            guard !state.latest.isEmpty, isFresh || (state.isMaking && state.revision == revision) else {
                state.isMaking = true
                return nil
            }
            return state.latest
        }
        if let known { return known }
        let report = StatusReport(
            configuration: worker.setup.configuration, metrics: await worker.core.snapshot(), recent: recent.snapshot,
            clockSteps: worker.core.time.steps)
        let bytes = JSONValue.object(report.json).serialized
        state.withLock { $0 = State(latest: bytes, madeAt: .now(), revision: revision) }
        return bytes
    }
}
