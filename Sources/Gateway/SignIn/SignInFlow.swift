internal import Crypto
internal import Handlers
internal import JOSE
internal import JSON
internal import OAuth
internal import PendingRequests
internal import Reactor
internal import Redemption
internal import Routing

/// Brings a claimed request to its outcome.
struct SignInFlow: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    private var registry: RequestRegistry { core.registry }

    /// Goes on behind the answer to whoever brought the response, and is waited for when the gateway stops.
    func follow(_ step: NextStep, _ record: RequestRecord, _ app: AppRegistration) {
        core.work.begin()
        worker.loop.start {
            switch step {
            case .proceed(.code(let code)): await redeem(code, record, app)
            case .proceed(.answer(let body)): await complete(record, body)
            case .fail(let failure): await fail(record, failure)
            }
            core.work.end()
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
            case .success = await core.attempt({ () async throws(StoreFailure) in
                try await registry.startRedeeming(record.id)
            })
        else { return }
        do {
            let tokens = try await worker.redeemer.redeem(request)
            await complete(record, JSONValue.object(PendingHandler.answer(tokens)).serialized)
        } catch {
            await fail(record, wasHeld(record) ? error.afterRelease : error)
        }
    }

    private func wasHeld(_ record: RequestRecord) -> Bool {
        if case .proved = record.release { true } else { false }
    }

    /// Seals a result to the app's key, where there is one, before it is kept anywhere.
    private func complete(_ record: RequestRecord, _ body: [UInt8]) async {
        guard let secrets = registry.secrets(of: record) else {
            return await fail(record, SignInFailure(.internal, description: "the request's secrets cannot be opened"))
        }
        guard let jwk = secrets.resultKey else { return await finish(record, .completed, body) }
        guard let sealed = PublicKey(jwk: jwk)?.seal(body) else {
            return await fail(record, SignInFailure(.internal, description: "the result cannot be sealed"))
        }
        await finish(record, .completed, JSONValue.object(PendingHandler.answer(sealed: sealed)).serialized)
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
        case .failed(let code): core.log.note(.failed, record, [("code", code)])
        default: core.log.note(.completed, record)
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
        failure.description =
            "the issuer no longer takes the code, which was held until its release"
            + (description.map { ": \($0)" } ?? "")
        return failure
    }
}
