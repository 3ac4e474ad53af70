internal import SwitchyardGatewayClient
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// `GET /v1/requests/{id}` as an event stream: one event at once and one for each change, a comment every 15 s, and
/// the end after the outcome.
struct StatusStream: Sendable {
    let answer: OutcomeResponse

    /// The longest time without a line, so that proxies keep the connection.
    private static let commentInterval = Duration.seconds(15)

    /// - Parameters:
    ///   - revision: taken before the record was looked at.
    ///   - slot: the caller's slot among the waiting apps; it is free again when the stream ends.
    func response(_ record: RequestRecord, since revision: ChangeHub.Revision, _ slot: WaitingCounter.Slot) -> Response
    {
        Response(
            .ok, fields: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .stream { writer in
                let watch = answer.core.registry.changes.watch(record.id, since: revision)
                await follow(watch, from: record, writer)
                answer.core.registry.changes.stop(watch)
                withExtendedLifetime(slot) {}
            })
    }

    private func follow(_ watch: RequestWatch, from record: RequestRecord, _ writer: any BodyWriter) async {
        let core = answer.core
        writer.connection.whenPeerGoes { watch.signal.raise() }
        defer { writer.connection.whenPeerGoes(nil) }
        var told: SignInStatus?
        var record = record
        var nextComment = Instant.now() + Self.commentInterval
        while true {
            let status = core.status(of: record)
            if status != told {
                guard await writer.write(await event(record)) else { return }
                told = status
                nextComment = .now() + Self.commentInterval
            } else if Instant.now() >= nextComment {
                guard await writer.write(Array(": still here\n\n".utf8)) else { return }
                nextComment = .now() + Self.commentInterval
            }
            guard !record.isFinished, !core.isStopping, !writer.connection.isPeerGone else { return }
            do throws(StoreError) {
                guard
                    let latest = try await core.wait(
                        on: watch, from: record, until: nextComment,
                        while: { core.status(of: $0) == told }, isGivenUp: { writer.connection.isPeerGone })
                else { return }
                record = latest
            } catch {
                guard error.missingKey == nil else {
                    _ = await writer.write(Self.event(APIError(of: error).response))
                    return
                }
                // The app keeps waiting while the store is out.
                await EventLoop.sleep(until: min(nextComment, .now() + .seconds(1)))
            }
        }
    }

    private func event(_ record: RequestRecord) async -> [UInt8] {
        do {
            return Self.event(try await answer.response(record))
        } catch {
            return Self.event(APIError(of: error).response)
        }
    }

    private static func event(_ response: Response) -> [UInt8] {
        guard case .bytes(let body) = response.body else { return [] }
        return Array("event: status\ndata: ".utf8) + body + Array("\n\n".utf8)
    }
}
