internal import SwitchyardGatewayClient
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests

/// The response to `GET /v1/requests/{id}`: how a request stands.
struct OutcomeResponse: Sendable {
    let core: GatewayCore
    /// The address of the app that asks.
    let peer: PeerAddress?

    init(_ exchange: Exchange) {
        core = exchange.core
        peer = exchange.peerAddress
    }

    func response(_ record: RequestRecord) async throws -> Response {
        try checkAddress(record)
        guard let outcome = record.outcome else { return standing(record) }
        if outcome.isAcknowledged { throw APIError.notFound }
        if case .implied = outcome.answer {
            guard let failure = SignInFailure(withoutAnswer: outcome.kind) else { return Self.expired.response }
            return Response.json(.ok, AppResponse.failed(failure))
        }
        guard let reading = try await core.registry.read(record) else {
            // It may be a while since the record was seen: another call may have acknowledged it, or a Redis that failed
            // over may have lost how it ended.
            guard let current = try await core.registry.find(.id(record.id)) else { throw APIError.notFound }
            guard let outcome = current.outcome else { return standing(current) }
            if outcome.isAcknowledged { throw APIError.notFound }
            return Self.expired.response
        }
        // A response that was passed on left no result to collect.
        if reading.isFirst, outcome.kind != .passedOn { core.events.report(.collected, of: record) }
        return Response.json(.ok, bytes: reading.answer)
    }

    /// The answer for an unfinished request.
    private func standing(_ record: RequestRecord) -> Response {
        var response = Response.json(.accepted, ["status": .string(core.status(of: record).rawValue)])
        if core.isStopping {
            response.add("Retry-After", "0")
            response.closesConnection = true
        }
        return response
    }

    private static let expired = APIError(.gone, "expired", "the request expired before it was answered or collected")

    /// If begin and callback came from one address, every collecting call must come from there too.
    func checkAddress(_ record: RequestRecord) throws(APIError) {
        guard case .sameAddress = record.release, !isBeginner(of: record) else { return }
        throw APIError(
            .forbidden, "access_denied", "this sign-in can only be collected at the address that began it")
    }

    /// Whether the app asks at the address that began the request. Then it gets the outcome, however the code was released.
    func isBeginner(of record: RequestRecord) -> Bool {
        peer != nil && peer == PeerAddress(of: record.beginner)
    }
}

extension SignInStatus {
    /// The status as apps see it: claimed and redeeming read as pending.
    init(_ record: RequestRecord) {
        self =
            switch (record.outcome?.kind, record.held) {
            case (nil, nil): .pending
            case (nil, _?): .releaseRequired
            case (.completed, _), (.errorResponse, _), (.passedOn, _): .completed
            case (.failed, _), (.canceled, _), (.denied, _), (.misproved, _), (.heldTooLong, _): .failed
            case (.expired, _): .expired
            }
    }
}

extension SignInFailure {
    /// The failure for the app when time ended the request; nil for a request that just expired.
    init?(withoutAnswer kind: RequestRecord.Outcome.Kind) {
        switch kind {
        case .heldTooLong:
            self.init(.releaseFailed, description: "the code was held for as long as it may be, and nobody released it")
        case .failed(.internal):
            self.init(
                .internal, description: "the gateway did not finish in time, and the code may be spent; begin again")
        case .failed(let code):
            self.init(code, description: "the issuer's words were too long to be kept")
        case .expired, .completed, .errorResponse, .canceled, .denied, .misproved, .passedOn: return nil
        }
    }
}
