internal import SwitchyardConfiguration
internal import SwitchyardGatewayClient
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText

/// `/v1/requests/{id}`: waiting for a request, reading its outcome, giving it up.
struct RequestEndpoint: Sendable {
    let exchange: Exchange

    func respond(id: String) async throws -> Response {
        switch exchange.request.method {
        case .get: return try await collect(id)
        case .delete: return try await end(id)
        default: throw APIError.notAllowed("GET, DELETE")
        }
    }

    /// `POST …/release`
    func release(id: String) async throws -> Response {
        let record = try await authorized(id)
        try OutcomeResponse(exchange).checkAddress(record)
        return try await ReleaseEndpoint(exchange: exchange).release(record)
    }

    /// `POST …/authorization_url`: the address that sends a browser to the issuer. A pushed request is pushed again.
    func authorizationURL(id: String) async throws -> Response {
        let record = try await authorized(id)
        guard case .pending = record.phase, let named = exchange.setup.routes.app(record.app),
            let app = exchange.registry.app(named, of: record)
        else {
            throw APIError(.gone, "expired", "the request no longer waits for its callback")
        }
        let start = try await AuthorizationStart(exchange, app)
        guard let request = start.request(of: record), exchange.core.remotes[record.id] == nil else {
            throw APIError.invalidRequest("the gateway composes no authorization request for this sign-in")
        }
        if exchange.setup.configuration.servesBrowsers, app.requiresStart || start.isPushed {
            return .json(.ok, ["authorization_url": .string(exchange.setup.startURL(of: record.id, for: request.url))])
        }
        switch try await start.destination(of: request, record) {
        case .open(let url): return .json(.ok, ["authorization_url": .string(url)])
        case .refused(let failure), .unavailable(let failure): throw APIError(push: failure)
        case .over:
            throw APIError(
                .gone, "expired",
                "the request was pushed \(RequestRecord.Pushes.maximum) times, which is as often as it may be, and the last "
                    + "address has lapsed; begin again")
        }
    }

    /// - Parameter wants: of a call that collects the outcome.
    private func authorized(_ id: String, _ wants: CollectPreferences? = nil) async throws -> RequestRecord {
        if let seconds = exchange.limit(by: exchange.setup.collectLimiter) {
            throw APIError.tooMany("this address collects too fast", .collectRate, retryAfter: seconds)
        }
        let waits = wants.map { wants in { (record: RequestRecord) in wants.waits(for: record, in: exchange.core) } }
        let record = try await RequestAuthorization(exchange: exchange).record(id, waits: waits)
        if let app = exchange.setup.routes.app(record.app) {
            try UseAuthorization(exchange: exchange).check(app, .ownTokens)
        }
        return try await exchange.core.remotes.settled(record, on: exchange.worker)
    }

    // MARK: Collecting

    private func collect(_ id: String) async throws -> Response {
        let revision = RequestID(id).map { exchange.registry.changes.revision($0) }
        let wants = CollectPreferences(exchange.request)
        let record = try await authorized(id, wants)
        try await noteWatcher(of: record)
        let answer = OutcomeResponse(exchange)
        try answer.checkAddress(record)
        guard let revision, wants.isStream || wants.wait > .zero else { return try await answer.response(record) }
        guard let slot = exchange.core.waiting.slot(for: exchange.caller.key) else {
            throw APIError.tooMany(
                "this address waits for as many results as it may", .waitingPerAddress, retryAfter: 5)
        }
        if wants.isStream { return StatusStream(answer: answer).response(record, since: revision, slot) }
        return await LongPoll(answer, exchange, record, since: revision, wants, slot).begin(record)
    }

    /// Notes the address of a waiting caller. If the caller waits elsewhere, the callback needs a release, however near
    /// the browser is.
    private func noteWatcher(of record: RequestRecord) async throws(StoreError) {
        guard case .pending = record.phase, !record.isWatchedFromElsewhere,
            exchange.setup.routes.app(record.app)?.release == .sameNetwork,
            case let peer = exchange.peerAddress, peer == nil || peer != PeerAddress(of: record.beginner)
        else { return }
        try await exchange.registry.noteForeignWatcher(record.id)
    }

    // MARK: Ending

    /// Cancels a request that is under way; forgets the outcome of one that is over.
    private func end(_ id: String) async throws -> Response {
        let record = try await authorized(id)
        if !record.isFinished {
            let failure = SignInFailure(.userCanceled, description: "the app canceled the sign-in")
            let canceled = try await exchange.registry.cancel(
                record, answer: AppResponse.body(of: failure),
                report: { [events = exchange.events] in events.report(.canceled, of: $0) })
            if case .success = canceled {
                exchange.core.remotes[record.id]?.cancel(on: exchange.worker)
                return .noContent()
            }
        }
        // Finished meanwhile, or before.
        if try await exchange.registry.acknowledge(record.id) { exchange.events.report(.acknowledged, of: record) }
        return .noContent()
    }
}

/// How an app wants to collect.
struct CollectPreferences: Sendable {
    /// At most 60 s.
    let wait: Duration
    /// The status that the app knows already; nil for an unknown word, which is answered at once.
    let seen: SignInStatus?
    let isStream: Bool

    init(_ request: Request) {
        wait = min(request.preferredWait ?? .zero, .seconds(60))
        let query = request.queryBytes.flatMap { try? FormEncoding.decode(Array($0)) } ?? []
        seen =
            if let word = query.first(where: { $0.name == "seen" })?.value {
                SignInStatus(rawValue: word)
            } else {
                .pending
            }
        isStream = request.prefersEventStream
    }

    /// Whether the app is told nothing about a request that stands like this, but waits for a change of it.
    func waits(for record: RequestRecord, in core: GatewayCore) -> Bool {
        !isStream && wait > .zero && core.status(of: record) == seen
    }
}

extension Request {
    /// Whether the client wants events at least as much as JSON (RFC 9110 section 12.5.1). The client must name events:
    /// if it takes any type, it expects an answer that ends.
    var prefersEventStream: Bool {
        var weights: [String: Int] = [:]
        for range in fieldValues("accept").flatMap({ $0.listElements }) {
            let parts = range.utf8.split(separator: UInt8(ascii: ";")).map {
                Substring($0).trimmingSpaces().asciiLowercased
            }
            // An entry with an unreadable weight does not count.
            guard let name = parts.first,
                let weight = parts.dropFirst().first(where: { $0.hasPrefix("q=") }).map({ $0.weight }) ?? 1000
            else { continue }
            weights[name] = max(weight, weights[name] ?? 0)
        }
        let stream = weights["text/event-stream"] ?? 0
        let json = weights["application/json"] ?? weights["application/*"] ?? weights["*/*"] ?? 0
        return stream > 0 && stream >= json
    }
}
