internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// `POST /v1/callbacks`: a callback that reached this machine as a string. The answer is whether it was taken, as
/// `handleMSALResponse` tells an app, and if not, why.
struct RelayEndpoint: Sendable {
    let exchange: Exchange

    func relay() async throws -> Response {
        let caller = exchange.caller
        if let seconds = exchange.limit(by: exchange.setup.callbackLimiter) {
            exchange.events.report(.limited, app: nil, from: caller, by: .relay)
            throw APIError.tooMany("this address relays callbacks too fast", nil, retryAfter: seconds)
        }
        let content = try JSONContent(of: exchange.request, known: ["url", "source_application", "activation_token"])
        guard let url = content.string("url") else { throw APIError.invalidRequest("\"url\" has to be a string") }
        // The program that gave the callback to the relaying one. Only its form is checked: a name without proof
        // decides nothing.
        _ = try content.text("source_application", maximum: 256)
        let token = try content.text("activation_token", maximum: 512)
        guard let address = try? CallbackAddress(relayed: url) else {
            return refuse(.malformed, nil, as: .refused(.malformed))
        }
        // A browser brings an https one; a program that has one took it on its way.
        if case .https = address.form { return refuse(.notMine, nil, as: .notMine) }
        guard let route = exchange.setup.routes.route(address.form) else { return refuse(.notMine, nil, as: .notMine) }
        // No browser is here that could be sent on.
        let handlers = route.app.handlers
        guard handlers.completesRequests || !handlers.deliveries.isEmpty else {
            return refuse(.noPendingRequest, route, as: .notMine)
        }
        guard permits(route.app.relayFrom) else {
            return refuse(.notMine, route, as: .refused(.foreignRelay))
        }
        return try await bring(
            ArrivedCallback(
                at: route, query: address.query, url: url, from: .relay(uid: caller.uid), caller,
                activationToken: token))
    }

    /// Gives it to the app's own handlers first, where it has some, and then to its request.
    private func bring(_ callback: ArrivedCallback) async throws -> Response {
        let (route, handlers) = (callback.route, callback.route.app.handlers)
        var order: HandOver?
        if !handlers.deliveries.isEmpty {
            let last = handlers.completesRequests ? handlers.last : nil
            let handOver = await HandOver(callback, to: HandlerList(handlers.deliveries, last: last), exchange)
            if let response = try await self.handOver(handOver) { return response }
            order = handOver
        }
        do throws(IntakeError) {
            let intake = CallbackIntake(worker: exchange.worker, setup: exchange.setup)
            let accepted = try await intake.accept(callback)
            guard case .claimed = accepted else { return refuse(.alreadyConsumed, route, as: .repeated) }
            return Response.json(.ok, ["handled": true, "app": .string(route.app.id.text)])
        } catch {
            await order?.reopen()
            guard error.problem != .unavailable else {
                exchange.events.report(
                    .refused(.unavailable), app: route.app.id, error.reference, from: callback.caller, by: .relay)
                throw APIError.unavailableCallback
            }
            return refuse(error.problem.relayRefusal, route, as: .refused(error.problem), error.reference)
        }
    }

    /// The time a relaying program waits until an app has its callback. Running apps answer in ten seconds; an app that
    /// must start takes longer. After this time the gateway continues with a webhook by itself.
    private static let relayWait = Duration.seconds(45)

    /// nil if no handler took it, and the last entry of the list applies.
    private func handOver(_ handOver: HandOver) async throws -> Response? {
        let app = handOver.callback.route.app
        do throws(CallbackError) {
            switch try await handOver.begin() {
            case .repeated: return refuse(.alreadyConsumed, handOver.callback.route, as: .repeated)
            case .leftToLast: return nil
            case .begun(let done):
                _ = await done.wait(until: .now() + Self.relayWait)
                switch handOver.outcome {
                case .leftToLast: return nil
                // The log already has a line for each handler.
                case .notTaken:
                    return Self.refusal(.noPendingRequest, unreached: exchange.prefersContent ? app.id : nil)
                case .taken, .underWay, nil:
                    return Response.json(.ok, ["handled": true, "app": .string(app.id.text)])
                }
            }
        } catch {
            guard error != .unavailable else { throw APIError.unavailableCallback }
            return refuse(error.relayRefusal, handOver.callback.route, as: .refused(error))
        }
    }

    /// Whether `relay_from` lets the caller relay; it narrows what the release policy allows.
    private func permits(_ relayFrom: RelayFrom?) -> Bool {
        guard let relayFrom else { return true }
        return exchange.caller.uid.map { relayFrom.permits(uid: $0) }
            ?? exchange.knownAddress.map { relayFrom.permits($0) } ?? false
    }

    /// - Parameter outcome: what it was, which may be more than the caller may know.
    private func refuse(
        _ reason: RelayRefusal, _ route: Route?, as outcome: CallbackOutcome, _ reference: Reference? = nil
    ) -> Response {
        exchange.events.report(outcome, app: route?.app.id, reference, from: exchange.caller, by: .relay)
        return Self.refusal(reason)
    }

    /// - Parameter unreached: the app, if all of its handlers were tried.
    private static func refusal(_ reason: RelayRefusal, unreached: AppID? = nil) -> Response {
        var body: JSONObject = ["handled": false, "reason": .string(reason.rawValue)]
        body["app"] = unreached.map { .string($0.text) }
        return Response.json(reason.status, body)
    }
}

extension APIError {
    /// A relayed callback that may be brought again.
    fileprivate static let unavailableCallback = APIError(
        .serviceUnavailable, "temporarily_unavailable", "the callback cannot be taken now", retryAfter: 5
    ).noted(.callback)
}
