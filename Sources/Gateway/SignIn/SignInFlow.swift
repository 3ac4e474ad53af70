internal import SwitchyardCrypto
internal import SwitchyardHandlers
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// Brings a claimed request to its outcome.
struct SignInFlow: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    private var registry: RequestRegistry { core.registry }

    /// Goes on behind the answer to whoever brought the response, and is waited for when the gateway stops.
    /// - Parameter app: for a code that has to be redeemed.
    func follow(_ step: NextStep, _ record: RequestRecord, _ app: AppRegistration? = nil) {
        core.work.begin()
        worker.loop.start {
            switch step {
            case .proceed(.code(let code)): await redeem(code, record, app)
            case .proceed(.answer(let body)): await finish(record, .completed, body)
            case .handOver(let body, let error): await finish(record, .handedOver(error: error), body)
            case .fail(let failure): await fail(record, failure)
            }
            core.work.end()
        }
    }

    private func redeem(_ code: Secret, _ record: RequestRecord, _ app: AppRegistration?) async {
        do throws(SignInFailure) {
            let secrets = registry.secrets(of: record)
            let seal = try ResultSeal(secrets)
            guard let secrets, let verifier = secrets.verifier, let app, let issuer = worker.setup.issuer(of: app)
            else {
                throw SignInFailure(.internal, description: "the app's issuer is not set up")
            }
            let request = RedemptionRequest(
                issuer: issuer, clientID: app.clientID, authentication: app.clientAuthentication,
                redirectURI: record.redirectURI, code: code, verifier: verifier,
                requestedScopes: Scopes(parsing: record.scope), nonce: secrets.nonce, tenants: .only(app.tenants))
            guard await startRedeeming(record) else { return }
            let tokens = try await worker.redeemer.redeem(request)
            await finish(record, .completed, try seal.body(of: PendingHandler.answer(tokens)))
        } catch {
            await fail(record, wasHeld(record) ? error.afterRelease : error)
        }
    }

    /// Stored before the code is sent: whoever finds the request later knows that the code may be spent.
    private func startRedeeming(_ record: RequestRecord) async -> Bool {
        let started = await core.attempt { () async throws(StoreFailure) in
            try await registry.startRedeeming(record.id)
        }
        if case .success = started { return true }
        return false
    }

    private func wasHeld(_ record: RequestRecord) -> Bool {
        if case .proved = record.release { true } else { false }
    }

    private func fail(_ record: RequestRecord, _ failure: SignInFailure) async {
        let body = JSONValue.object(PendingHandler.answer(failure)).serialized
        await finish(record, .failed(failure.code.rawValue), body)
    }

    private func finish(_ record: RequestRecord, _ kind: RequestRecord.Outcome.Kind, _ body: [UInt8]) async {
        let stored = await core.attempt { () async throws(StoreFailure) in
            try await registry.finish(record, kind, answer: body)
        }
        guard case .success = stored else { return }
        switch kind {
        case .failed(let code): core.events.tell(.failed(SignInFailureNote(code: code)), of: record)
        default: core.events.tell(.completed, of: record)
        }
    }
}

extension SignInFailure {
    /// The failure of a redemption whose code was held before: a code that the issuer no longer takes is most likely
    /// one that has grown too old.
    fileprivate var afterRelease: SignInFailure {
        guard code == .invalidGrant else { return self }
        var failure = self
        failure.code = .releaseFailed
        let words = description.map { ": \($0)" } ?? ""
        failure.description = "the issuer no longer takes the code, which was held until its release\(words)"
        return failure
    }
}
