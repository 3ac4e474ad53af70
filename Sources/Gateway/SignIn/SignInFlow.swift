internal import SwitchyardCrypto
internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// Brings a claimed request to its outcome.
struct SignInFlow: Sendable {
    let worker: GatewayWorker
    let setup: Setup

    private var registry: RequestRegistry { worker.registry }

    /// Continues behind the answer to the browser or program that brought the response. A stopping gateway waits for
    /// it.
    /// - Parameter app: the app, for a code that must be redeemed.
    func follow(_ step: NextStep, _ record: RequestRecord, _ app: AppRegistration? = nil) {
        worker.core.work.start(on: worker.loop) {
            if case .proceed(.code(let code, let parameters, let arrival)) = step {
                await redeem(code, parameters, arrival, record, app)
            } else if let ending = step.ending {
                await finish(record, ending.kind, ending.answer, step.end(issuer: app?.issuer))
            }
        }
    }

    /// Continues a request if the store took a claim without confirming it. Until the lease is over, only this gateway
    /// may. A stopping gateway waits until the store has answered.
    func follow(
        _ step: NextStep, ifClaimedBy claim: RequestRecord.Claim, _ id: RequestID, _ app: AppRegistration?
    ) {
        worker.core.work.start(on: worker.loop) { [core = worker.core] in
            if let record = await registry.takeUp(claim, of: id, while: { !core.isStopping }) {
                follow(step, record, app)
            }
        }
    }

    /// - Parameter record: the record after a step that says that the code is about to be sent. The store has that step
    ///   before the code is sent.
    private func redeem(
        _ code: Secret, _ parameters: CallbackParameters, _ arrival: Int64?, _ record: RequestRecord,
        _ app: AppRegistration?
    ) async {
        do throws(SignInFailure) {
            let secrets = registry.secrets(of: record)
            let seal = try ResultSeal(secrets)
            guard let secrets, let verifier = secrets.verifier, let app, let issuer = setup.issuer(of: app)
            else {
                throw SignInFailure(.internal, description: "the app's issuer is not set up")
            }
            var request = RedemptionRequest(
                .code(code, redirectURI: record.redirectURI, verifier: verifier),
                expecting: TokenExpectations(
                    issuer: issuer, clientID: app.clientID, requestedScopes: Scopes(parsing: record.scope),
                    nonce: secrets.nonce, tenants: .only(app.tenants)),
                authentication: app.clientAuthentication, parameters: secrets.tokenParameters)
            request.expectations.stepUp = StepUp(in: secrets.parameters)
            request.expectations.arrival = arrival.map { $0...$0 }
            request.expectations.decryption = app.tokenHandling.decryption
            let key = secrets.privateKey
            guard (key == nil) == (secrets.bindingKey == nil) else {
                throw SignInFailure(.internal, description: "the key of the request cannot be read")
            }
            request.binding = key.map { .key($0) }
            request.wantsUserInfo = app.tokenHandling.fetchesUserInfo
            if let trace = record.trace { request.headers.append(FormField("traceparent", trace.makeTraceparent())) }
            let lease = LeaseKeeper(record, registry, worker.loop)
            defer { lease.stop() }
            let begin = Instant.now()
            let tokens = try await worker.redeemer.redeem(request)
            worker.core.events.report(.redeemed(issuer: app.issuer, after: .now() - begin), of: record)
            // Keep the tokens before the outcome is known, so that an app that asks the agent then finds them.
            await keep(tokens, of: app, at: issuer, proving: request.binding, record)
            var answer = AppResponse.completed(tokens, parameters).naming(app.grant)
            // Only the holder of the result key can read it. A bearer token would be worth as much without the key.
            if seal.isSealing, let key = secrets.bindingKey {
                answer["dpop_jwk"] = try? JSONValue.parse(key.exposedBytes)
            }
            let body = try seal.body(of: answer)
            if seal.isSealing { worker.core.events.report(.sealed, of: record) }
            await finish(record, .completed, body)
        } catch {
            if error.code == .invalidClient, let app, let grant = app.grant, let uri = app.redirectURIs.first {
                await worker.registrations(setup).refuse(
                    ClientRegistrations.key(grant.metadata.issuer, uri), grant.clientID)
                await worker.core.agent?.forgetClient(grant.clientID, at: grant.metadata.issuer)
            }
            let isTooOld = wasHeld(record) && error.code == .invalidGrant
            await fail(record, isTooOld ? error.afterRelease : error, app, because: isTooOld ? .codeTooOld : nil)
        }
    }

    private func keep(
        _ tokens: RedeemedTokens, of app: AppRegistration, at issuer: Issuer, proving binding: TokenBinding?,
        _ record: RequestRecord
    ) async {
        if let grant = app.grant, let uri = app.redirectURIs.first {
            await worker.registrations(setup).use(
                ClientRegistrations.key(grant.metadata.issuer, uri), grant.clientID)
        }
        guard let agent = worker.core.agent else { return }
        // The record itself may be over, and much in it forgotten, when there is something to tell.
        let (events, reference, trace) = (worker.core.events, record.reference, record.trace)
        let id = record.app
        let report = { @Sendable (news: KeepingNews) in
            events.report(.signIn(.keeping(news), reference: reference, app: id), in: trace)
        }
        if let grant = app.grant {
            guard !UseFrom.isClosed(agent.lists(for: app)) else { return }
            let requested = Scopes(parsing: record.scope)
            let kept = KeptGrant(
                tokens, grant, requested: requested, beginner: record.beginner.callerKey ?? "")
            return await agent.keep(kept, telling: report)
        }
        var tokens = tokens
        if tokens.idTokenClaims == nil {
            do throws(SignInFailure) {
                tokens.identity = try await worker.redeemer.identity(
                    by: tokens.response.accessToken, at: issuer, proving: binding, app.clientAuthentication)
            } catch {
                return report(.notKept(.noAccount(error, at: app.issuer)))
            }
        }
        await agent.keep(tokens, of: app, requested: Scopes(parsing: record.scope), telling: report)
    }

    private func wasHeld(_ record: RequestRecord) -> Bool {
        if case .proved = record.release { true } else { false }
    }

    private func fail(
        _ record: RequestRecord, _ failure: SignInFailure, _ app: AppRegistration?,
        because cause: SignInFailureNote.Cause?
    ) async {
        var note = SignInFailureNote(failure, issuer: app?.issuer)
        note.cause = cause
        await finish(record, .failed(failure.code), AppResponse.body(of: failure), .failed(note))
    }

    private func finish(
        _ record: RequestRecord, _ kind: RequestRecord.Outcome.Kind, _ body: [UInt8], _ step: SignInStep = .completed
    ) async {
        let outcome = registry.outcome(record, kind, body)
        // A disk that is full for a second must not lose a code, or its tokens. During the lease only this gateway may
        // take the step.
        let result = await registry.insist(until: .now() + registry.lease) { () async throws(StoreError) in
            try await registry.finish(record, with: outcome) { [events = worker.core.events] ended in
                events.report(step, of: ended, in: record.trace)
                if ended.outcome?.firstReadAt != nil { events.report(.collected, of: ended, in: record.trace) }
            }
        }
        if case .failure(.noRoom) = result { await fail(record, .tooLarge, nil, because: nil) }
    }
}

extension SignInFailure {
    /// The failure of a result that exceeds the reserved room.
    fileprivate static let tooLarge = SignInFailure(
        .internal, description: "the result is larger than what may still be kept (kept_bytes); begin again later")

    /// The failure of a redemption after a release: a code that the issuer no longer takes (`invalid_grant`) is most
    /// likely one that has grown too old.
    fileprivate var afterRelease: SignInFailure {
        var failure = self
        failure.code = .releaseFailed
        let words = description.map { ": \($0)" } ?? ""
        failure.description = "the issuer no longer takes the code, which was held until its release\(words)"
        return failure
    }
}
