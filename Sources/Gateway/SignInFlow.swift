internal import Crypto
internal import Handlers
internal import JSON
internal import OAuth
internal import PendingRequests
internal import Reactor
internal import Redemption
internal import Routing

/// Why a callback was not accepted. Nothing changed because of it (rule 10).
enum CallbackProblem: String, Error, Sendable {
    case malformed
    case duplicateParameter = "duplicate_parameter"
    case missingState = "missing_state"
    case missingCode = "missing_code"
    case tooLarge = "too_large"
    case unknownState = "unknown_state"
    case wrongRedirectURI = "wrong_redirect_uri"
    case wrongIssuer = "wrong_issuer"
    case expired
    case canceled
    case replayed
    case unavailable

    init(_ error: AuthorizationResponseError) {
        self =
            switch error {
            case .malformed, .bothCodeAndError: .malformed
            case .duplicateParameter: .duplicateParameter
            case .missingState: .missingState
            case .neitherCodeNorError: .missingCode
            case .tooLarge: .tooLarge
            }
    }

    init(_ refusal: RequestTransition.Refusal) {
        self =
            switch refusal {
            case .unknown: .unknownState
            case .conflicting: .replayed
            case .canceled: .canceled
            case .expired: .expired
            case .repeated, .notNow: .unavailable
            }
    }
}

/// A callback that arrived at a redirect URI of an app, by whatever door.
struct ArrivedCallback: Sendable {
    let route: Route
    /// The parameters' bytes, undecoded.
    let query: [UInt8]
    /// Byte for byte as it came, for an app that redeems by itself.
    let url: String
    /// Of the cookie that the browser is about to get; nil when the callback was relayed.
    let browserHash: SHA256Digest?
}

/// What became of an accepted callback.
struct AcceptedCallback: Sendable {
    let record: RequestRecord
    /// The same callback had been accepted before.
    let isRepeated: Bool
}

/// Takes a callback from its redirect URI to the outcome of its request, in the order of rule 3.
struct SignInFlow: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    private var registry: RequestRegistry { core.registry }

    /// Checks a callback and gives it its request. The work that follows goes on behind the answer.
    func accept(_ callback: ArrivedCallback) async throws(CallbackProblem) -> AcceptedCallback {
        let response = try parse(callback)
        let record = try await findRequest(response, callback)
        try await checkIssuer(response, callback.route.app)
        let claim = RequestRecord.Callback(
            fingerprint: fingerprint(response), browserHash: callback.browserHash)
        switch await attempt({ () async throws(StoreFailure) in try await registry.claim(record.id, for: claim) }) {
        case .success(let claimed):
            core.log.note(.returned, claimed)
            settle(claimed, response, callback)
            return AcceptedCallback(record: claimed, isRepeated: false)
        case .failure(.repeated): return AcceptedCallback(record: record, isRepeated: true)
        case .failure(let refusal): throw CallbackProblem(refusal)
        case nil: throw .unavailable
        }
    }

    // MARK: The checks

    private func parse(_ callback: ArrivedCallback) throws(CallbackProblem) -> AuthorizationResponse {
        do {
            return try AuthorizationResponse.parse(query: callback.query, content: nil)
        } catch {
            throw CallbackProblem(error)
        }
    }

    private func findRequest(
        _ response: AuthorizationResponse, _ callback: ArrivedCallback
    ) async throws(CallbackProblem) -> RequestRecord {
        let key = RequestKey.state(SHA256Digest(of: response.state.exposedBytes))
        guard let found = await attempt({ () async throws(StoreFailure) in try await registry.find(key) }) else {
            throw .unavailable
        }
        guard let record = found else { throw .unknownState }
        // The app of a redirect URI is one app; the URI itself may differ from the registered one in a loopback port.
        guard record.app == callback.route.app.id.text,
            record.redirectURI == callback.route.redirectURI.text
                || (try? RedirectURI(record.redirectURI))?.form == callback.route.redirectURI.form
        else { throw .wrongRedirectURI }
        return record
    }

    /// RFC 9207 section 2.4: `iss` must be right when it is there, and must be there when the issuer sends it.
    private func checkIssuer(
        _ response: AuthorizationResponse, _ app: AppRegistration
    ) async throws(CallbackProblem) {
        guard let issuer = worker.setup.issuer(of: app),
            let metadata = try? await worker.redeemer.metadata(for: issuer)
        else { throw .unavailable }
        guard let named = response.issuer else {
            if metadata.authorizationResponseIssParameterSupported { throw .wrongIssuer }
            return
        }
        guard metadata.expectedIssuer(tenants: app.tenants).accepts(named) else { throw .wrongIssuer }
    }

    /// A digest of everything that the callback says, so that an identical one is known again.
    private func fingerprint(_ response: AuthorizationResponse) -> SHA256Digest {
        SHA256Digest(of: FormEncoding.encode(response.parameters.map { ($0.name, $0.value) }))
    }

    // MARK: What follows

    /// Brings a claimed request to its outcome.
    private func settle(_ record: RequestRecord, _ response: AuthorizationResponse, _ callback: ArrivedCallback) {
        core.work.begin()
        worker.loop.start {
            await conclude(record, response, callback)
            core.work.end()
        }
    }

    private func conclude(
        _ record: RequestRecord, _ response: AuthorizationResponse, _ callback: ArrivedCallback
    ) async {
        if record.completion == .response {
            return await finish(
                record, .completed, PendingHandler.answer(callback: callback.url, parameters: response.parameters))
        }
        switch response.outcome {
        case .error(let error): await fail(record, SignInFailure(error))
        case .code(let code): await redeem(code, record, callback.route.app)
        }
    }

    private func redeem(_ code: Secret, _ record: RequestRecord, _ app: AppRegistration) async {
        guard let secrets = registry.secrets(of: record), let verifier = secrets.verifier,
            let issuer = worker.setup.issuer(of: app)
        else {
            return await fail(record, SignInFailure(.internal, description: "the request's secrets cannot be opened"))
        }
        let request = RedemptionRequest(
            issuer: issuer, clientID: app.clientID, authentication: app.clientAuthentication,
            redirectURI: record.redirectURI, code: code, verifier: verifier,
            requestedScopes: Scopes(parsing: record.scope), nonce: secrets.nonce, tenants: app.tenants)
        guard
            case .success = await attempt({ () async throws(StoreFailure) in
                try await registry.startRedeeming(record.id)
            })
        else { return }
        do {
            let tokens = try await worker.redeemer.redeem(request)
            await finish(record, .completed, PendingHandler.answer(tokens))
        } catch {
            await fail(record, error)
        }
    }

    private func fail(_ record: RequestRecord, _ failure: SignInFailure) async {
        await finish(record, .failed(failure.code.rawValue), PendingHandler.answer(failure))
    }

    private func finish(_ record: RequestRecord, _ kind: RequestRecord.Outcome.Kind, _ answer: JSONObject) async {
        let body = JSONValue.object(answer).serialized
        let stored = await attempt { () async throws(StoreFailure) in
            try await registry.finish(record, kind, answer: body)
        }
        guard case .success = stored else { return }
        switch kind {
        case .failed(let code): core.log.note(.failed, record, [("code", code)])
        case .completed, .canceled, .expired: core.log.note(.completed, record)
        }
    }

    /// Runs one call to the store; a store that fails is told to the operator, once for each call.
    private func attempt<Value>(
        _ body: () async throws(StoreFailure) -> Value
    ) async -> Value? {
        do {
            return try await body()
        } catch {
            core.log.say("store failed: \(error)")
            return nil
        }
    }
}
