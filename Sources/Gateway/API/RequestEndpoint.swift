internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText

/// `/v1/requests/{id}`: waiting for a request, reading its outcome, giving it up.
struct RequestEndpoint: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    func respond(to request: Request, id: String) async throws -> Response {
        switch request.method {
        case .get: return try await collect(request, id)
        case .delete: return try await end(request, id)
        default: return APIService.notAllowed("GET, DELETE")
        }
    }

    // MARK: Collecting

    private func collect(_ request: Request, _ id: String) async throws -> Response {
        let caller = try throttle(request)
        let record = try await authorized(request, id)
        await noteWatcher(request, caller, record)
        try checkPlace(request, record)
        let wants = CollectPreferences(request)
        guard wants.isStream || wants.wait > .zero else { return try await answer(record, to: request) }
        guard let place = worker.setup.waiting.place(for: caller.key) else {
            throw APIError.tooMany("this address waits for as many results as it may", retryAfter: 5)
        }
        if wants.isStream { return stream(record, place, request) }
        return await LongPoll(self, request.connection, record.id, wants, place).begin(request)
    }

    /// The plain answer for a request as it stands (design 3.3).
    func answer(_ record: RequestRecord, to request: Request) async throws -> Response {
        try checkPlace(request, record)
        guard let outcome = record.outcome else {
            var response = Response.json(.accepted, ["status": .string(PublicStatus(record).rawValue)])
            if core.isStopping {
                response.add("Retry-After", "0")
                response.closesConnection = true
            }
            return response
        }
        if outcome.isAcknowledged { throw APIError.notFound }
        if !outcome.hasAnswer {
            guard let failure = SignInFailure(withoutAnswer: outcome.kind) else { return Self.expired.response }
            return Response.json(.ok, PendingHandler.answer(failure))
        }
        guard let body = try await core.registry.read(record) else { return Self.expired.response }
        if !outcome.isCollected { core.events.tell(.collected, of: record) }
        return Response.json(.ok, bytes: body)
    }

    private static let expired = APIError(.gone, "expired", "the request expired before it was answered or collected")

    // MARK: Streaming

    private func stream(_ record: RequestRecord, _ place: WaitingCounter.Place, _ request: Request) -> Response {
        Response(
            .ok, fields: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .stream { writer in
                await follow(record, writer, request)
                withExtendedLifetime(place) {}
            })
    }

    /// One event at once and one for each change, a comment every 15 s, and the end after the outcome.
    private func follow(_ record: RequestRecord, _ writer: any BodyWriter, _ request: Request) async {
        let signal = Signal()
        writer.connection.whenPeerGoes { signal.raise() }
        defer { writer.connection.whenPeerGoes(nil) }
        var told: PublicStatus?
        var record = record
        while true {
            let status = PublicStatus(record)
            if status != told {
                guard await writer.write(await event(record, request)) else { return }
                told = status
            }
            guard !record.isFinished, !core.isStopping, !writer.connection.isPeerGone else { return }
            let latest = try? await core.wait(
                for: record.id, until: Instant.now() + .seconds(15), signal: signal,
                while: { PublicStatus($0) == told }, isGivenUp: { writer.connection.isPeerGone })
            guard let latest else { return }
            record = latest
            if PublicStatus(record) == told, !(await writer.write(Array(": still here\n\n".utf8))) { return }
        }
    }

    private func event(_ record: RequestRecord, _ request: Request) async -> [UInt8] {
        let response: Response
        do {
            response = try await answer(record, to: request)
        } catch {
            response = (error as? APIError ?? .unavailable).response
        }
        guard case .bytes(let body) = response.body else { return [] }
        return Array("event: status\ndata: ".utf8) + body + Array("\n\n".utf8)
    }

    // MARK: Ending

    /// Cancels a request that is under way; forgets the outcome of one that is over.
    private func end(_ request: Request, _ id: String) async throws -> Response {
        _ = try throttle(request)
        let record = try await authorized(request, id)
        if !record.isFinished {
            let failure = SignInFailure(.userCanceled, description: "the app canceled the sign-in")
            let body = JSONValue.object(PendingHandler.answer(failure)).serialized
            if case .success(let canceled) = try await core.registry.cancel(record, answer: body) {
                core.events.tell(.canceled, of: canceled)
                core.parked.remove(record.id)
                return .noContent()
            }
        }
        // Finished meanwhile, or before.
        try await core.registry.acknowledge(record.id)
        return .noContent()
    }

    /// `POST …/release`
    func release(_ request: Request, id: String) async throws -> Response {
        _ = try throttle(request)
        let record = try await authorized(request, id)
        try checkPlace(request, record)
        return try await ReleaseEndpoint(core: core, worker: worker).release(request, record)
    }

    // MARK: Who may

    /// Where begin and callback came from one address, every collect has to come from there too (rule 8).
    private func checkPlace(_ request: Request, _ record: RequestRecord) throws(APIError) {
        guard case .sameAddress = record.release else { return }
        let caller = Caller(request, trusting: worker.setup.configuration.trustedProxies)
        guard let place = PeerPlace(of: caller, request), place == PeerPlace(of: record.beginner) else {
            throw APIError(
                .forbidden, "access_denied", "this sign-in can only be collected at the address that began it")
        }
    }

    /// Somebody who waits elsewhere makes the callback need a release, however near the browser is (rule 8).
    private func noteWatcher(_ request: Request, _ caller: Caller, _ record: RequestRecord) async {
        guard case .pending = record.phase, !record.isWatchedFromElsewhere,
            worker.setup.routes.app(record.app)?.release == .sameNetwork,
            case let place = PeerPlace(of: caller, request), place == nil || place != PeerPlace(of: record.beginner)
        else { return }
        await core.attempt { () async throws(StoreFailure) in
            try await core.registry.noteForeignWatcher(record.id)
        }
    }

    private func throttle(_ request: Request) throws(APIError) -> Caller {
        let caller = Caller(request, trusting: worker.setup.configuration.trustedProxies)
        if let seconds = worker.setup.collectLimiter.take(caller.key, at: worker.loop.now) {
            throw .tooMany("this address collects too fast", retryAfter: seconds)
        }
        return caller
    }

    private func authorized(_ request: Request, _ id: String) async throws -> RequestRecord {
        try await RequestAuthorization(core: core, worker: worker).record(for: request, id)
    }
}

extension SignInFailure {
    /// What the app is told about an outcome that time brought about; nil where the request just expired.
    init?(withoutAnswer kind: RequestRecord.Outcome.Kind) {
        switch kind {
        case .heldTooLong:
            self.init(.releaseFailed, description: "the code was held for as long as it may be, and nobody released it")
        case .failed:
            self.init(
                .internal, description: "the gateway did not finish in time, and the code may be spent; begin again")
        case .expired, .completed, .handedOver, .canceled, .denied, .misproved: return nil
        }
    }
}

/// How an app wants to collect.
struct CollectPreferences: Sendable {
    /// At most 60 s.
    let wait: Duration
    /// The status that the app knows already.
    let seen: String
    let isStream: Bool

    init(_ request: Request) {
        let preferences = request.fieldValues("prefer").flatMap { $0.split(separator: ",") }
        let wait = preferences.lazy.compactMap(Self.wait).first ?? 0
        self.wait = .seconds(min(wait, 60))
        let query = request.queryBytes.flatMap { try? FormEncoding.decode(Array($0)) } ?? []
        seen = query.first { $0.name == "seen" }?.value ?? PublicStatus.pending.rawValue
        isStream = request.fieldValues("accept").flatMap { $0.split(separator: ",") }.contains(
            where: Self.acceptsStream)
    }

    private static func acceptsStream(_ range: Substring) -> Bool {
        let parts = range.split(separator: ";").map { $0.trimmingSpaces().asciiLowercased }
        // A weight of zero means "not this one" (RFC 9110 section 12.4.2).
        return parts.first == "text/event-stream" && !parts.contains("q=0")
    }

    /// The seconds of `wait=N` (RFC 7240 section 4.3); a number that is too large for words is large all the same.
    private static func wait(_ preference: Substring) -> Int? {
        let parts = preference.split(separator: ";").first?.split(separator: "=", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].trimmingSpaces().asciiLowercased == "wait" else { return nil }
        let digits = parts[1].trimmingSpaces().filter { $0 != "\"" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(digits) ?? .max
    }
}
