internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// Checks a callback, in the order that the rule "state before belief" asks for, and gives it its request.
struct CallbackIntake: Sendable {
    let worker: GatewayWorker
    let setup: Setup

    private var registry: RequestRegistry { worker.registry }

    /// Judges a callback. The next step of its request runs behind the answer.
    /// - Throws: ``IntakeError``; then nothing has changed.
    func accept(_ callback: ArrivedCallback) async throws(IntakeError) -> AcceptedCallback {
        var reference: Reference?
        var trace = callback.trace
        var pending: (record: RequestRecord, source: ArrivedCallback.Source)?
        do throws(CallbackError) {
            let (record, response) = try await registry.request(of: callback, setup)
            reference = record.reference
            trace = record.trace ?? trace
            var callback = callback.bound(to: record, registry)
            // Without its findings a sign-in to a resource is over, and only its end is told.
            if callback.route.app.resource != nil, let app = registry.app(callback.route.app, of: record) {
                callback.route = callback.route.of(app)
            }
            // Only for a pending request; otherwise a browser already holds the cookie.
            if case .pending = record.phase { pending = (record, callback.source) }
            return try await accept(response, callback, for: record)
        } catch {
            var refused = IntakeError(problem: error, reference: reference, trace: trace, lateBrowser: nil)
            if error == .unavailable, let pending {
                refused.lateBrowser = lateBrowser(of: pending.source, for: pending.record, callback)
            }
            throw refused
        }
    }

    /// nil if no browser brought the callback.
    private func lateBrowser(
        of source: ArrivedCallback.Source, for record: RequestRecord, _ callback: ArrivedCallback
    ) -> IntakeError.LateBrowser? {
        guard let secret = source.secret else { return nil }
        let isSentOn = callback.route.app.handlers.sendsToLoopback
        let port = isSentOn ? NextStep(sendingOn: record, registry.secrets(of: record)).port : nil
        return IntakeError.LateBrowser(record: record, secret: secret, port: port)
    }

    private func accept(
        _ matched: MatchedResponse, _ callback: ArrivedCallback, for record: RequestRecord
    ) async throws(CallbackError) -> AcceptedCallback {
        let app = callback.route.app
        // The same callback was checked before. A signed one may have expired since.
        if record.callback?.says(matched.fingerprint) == true { return repeated(record, callback) }
        let response = try await check(matched, app, record)
        switch callback.source {
        case .relay(let uid): try checkRelay(uid, record, app)
        // A gateway knows the states of all requests that it carries, so it must name this one.
        case .gateway(let id, _): guard id == record.id else { throw .unknownState }
        case .browser(let browser) where app.requiresStart:
            let isStartedHere = StartCookie.isHeld(in: browser.cookies, for: record.id, registry)
            // A browser keeps a Lax cookie back from a POST of another site: it gets a second chance to show it.
            if !isStartedHere, browser.isCrossSitePost { return .needsCookie(record) }
            try await checkStart(response, record, isStartedHere: isStartedHere)
        case .browser: break
        }
        return try await claim(record, response, callback)
    }

    // MARK: The checks

    /// Whether the issuer of the request is the one that answers. Only then is there a response to believe.
    private func check(
        _ matched: MatchedResponse, _ app: AppRegistration, _ record: RequestRecord
    ) async throws(CallbackError) -> CheckedResponse {
        if app.takesAnyIssuer {
            do throws(AuthorizationResponseError) {
                return try matched.checkedByTheApp()
            } catch {
                throw CallbackError(error)
            }
        }
        guard let issuer = setup.issuer(of: app) else { throw .unavailable }
        do throws(ResponseCheckError) {
            return try await worker.redeemer.check(
                matched, from: issuer, to: app.clientID, tenants: .only(app.tenants))
        } catch {
            guard case .rejected(let reason) = error else { throw .unavailable }
            let problem = CallbackError(reason)
            if problem == .responseNotTrusted {
                worker.core.events.report(
                    .responseNotTrusted(reason: "\(reason)", reference: record.reference, app: app.id))
            }
            throw problem
        }
    }

    /// With a release other than `none`, only the user that began may relay. There is no page to show a code on, and an
    /// attacker can talk a program into relaying (rules: who began is who finishes).
    private func checkRelay(
        _ uid: UInt32?, _ record: RequestRecord, _ app: AppRegistration
    ) throws(CallbackError) {
        if app.release == .none { return }
        guard let uid, uid == record.beginner.uid else { throw .foreignRelay }
    }

    /// With `require_start`, refuses the code of a callback from another browser than the one that started. Otherwise
    /// an attacker could copy the address from there to here. The callback came to the other browser first: until the
    /// answer, only that browser had it.
    private func checkStart(
        _ response: CheckedResponse, _ record: RequestRecord, isStartedHere: Bool
    ) async throws(CallbackError) {
        if isStartedHere { return }
        let refused: Result<RequestRecord?, RequestTransition.Refusal>
        do throws(StoreError) {
            refused = try await registry.refuseCode(
                of: response, for: record, answer: AppResponse.body(of: .startedElsewhere)
            ) { [events = worker.core.events] in
                events.report(.failed(SignInFailureNote(code: .releaseFailed, cause: .anotherBrowser)), of: $0)
            }
        } catch {
            throw .unavailable
        }
        switch refused {
        case .success: throw .anotherBrowser
        case .failure(let refusal): throw CallbackError(refusal)
        }
    }

    // MARK: The claim

    private func claim(
        _ record: RequestRecord, _ response: CheckedResponse, _ callback: ArrivedCallback
    ) async throws(CallbackError) -> AcceptedCallback {
        let app = callback.route.app
        let (acceptance, step) = acceptance(of: response, callback, for: record)
        let revision = registry.changes.revision(record.id)
        let flow = SignInFlow(worker: worker, setup: setup)
        let claimed: Result<RequestRecord, RequestTransition.Refusal>
        do throws(StoreError) {
            claimed = try await registry.accept(
                response, for: record, from: callback.source.browserHash, acceptance
            ) { [events = worker.core.events] taken in
                let claimed = taken.traced(by: callback)
                events.reportAccepted(
                    claimed, isIssuerNamed: response.isIssuerNamed, app: app.id, from: callback.caller,
                    by: callback.channel)
                if let held = claimed.held { events.report(.held(held.proof), of: claimed) }
                if claimed.isFinished, let end = step?.end(issuer: app.issuer) { events.report(end, of: claimed) }
            }
        } catch {
            if case .redeem(let claim, _) = acceptance, let step {
                flow.follow(step, ifClaimedBy: claim, record.id, app)
            }
            throw .unavailable
        }
        switch claimed {
        case .success(let taken):
            let claimed = taken.traced(by: callback)
            if case .redeeming = claimed.phase, let step { flow.follow(step, claimed, app) }
            let error = if case .error(let error) = response.outcome { error } else { AuthorizationError?.none }
            return .claimed(
                ClaimedRequest(
                    record: claimed, revision: revision, secret: callback.source.secret, error: error, port: step?.port)
            )
        case .failure(.repeated):
            // The other callback was first, so its result counts.
            return repeated(try await latest(of: record), callback)
        case .failure(.outdated):
            // The present record is watched from elsewhere, so this time the code is held.
            return try await claim(try await latest(of: record), response, callback)
        case .failure(let refusal): throw CallbackError(refusal)
        }
    }

    private func latest(of record: RequestRecord) async throws(CallbackError) -> RequestRecord {
        do throws(StoreError) {
            return try await registry.find(.id(record.id)) ?? record
        } catch {
            throw .unavailable
        }
    }

    /// How the response is accepted, and the step to take at once; nil if its code waits until the app has proved that
    /// it belongs to the browser.
    private func acceptance(
        of response: CheckedResponse, _ callback: ArrivedCallback, for record: RequestRecord
    ) -> (RequestRegistry.Acceptance, NextStep?) {
        let app = callback.route.app
        guard record.registration == setup.registration(of: app) else {
            return goOn(.fail(.registrationChanged), .notNeeded)
        }
        // The browser takes the response away, so the beginner gets no part of it and a release is not needed.
        if app.handlers.sendsToLoopback {
            return goOn(NextStep(sendingOn: record, registry.secrets(of: record)), .notNeeded)
        }
        let rule = HoldRule(policy: app.release, networks: setup.configuration.networks)
        let verdict = rule.verdict(for: record, from: callback.source)
        let isReleased = if case .pass = verdict { true } else { false }
        let step = NextStep(
            response, for: record, url: callback.url, arrival: callback.arrival, isReleased: isReleased
        ) { registry.secrets(of: record) }
        switch (verdict, step) {
        case (.pass(let release), _): return goOn(step, release)
        case (.hold(let proof, let secret), .proceed(let content)):
            return (.hold(HeldResponse(content, proof: ReleaseSecret.digest(of: secret, proof)), until: proof), nil)
        // There is no code that could be the wrong one's.
        case (.hold, _): return goOn(step, .notNeeded)
        }
    }

    private func goOn(
        _ step: NextStep, _ release: RequestRecord.Release
    ) -> (RequestRegistry.Acceptance, NextStep?) {
        guard let (kind, answer) = step.ending else { return (.redeem(by: registry.makeClaim(), release), step) }
        return (.end(kind, answer: answer, release), step)
    }

    /// Ends the request of a callback that a handler has handed over, if one is pending.
    func end(_ callback: ArrivedCallback, takenBy handler: DeliveryName) async {
        do {
            let (record, matched) = try await registry.request(of: callback, setup)
            guard case .pending = record.phase else { return }
            // A program that may not relay for a request must not end it.
            switch callback.source {
            case .relay(let uid): try checkRelay(uid, record, callback.route.app)
            case .gateway(let id, _): guard id == record.id else { return }
            case .browser: break
            }
            _ = try await registry.accept(
                try await check(matched, callback.route.app, record), for: record, from: nil,
                .end(.passedOn, answer: AppResponse.passedOn(by: handler), .notNeeded)
            ) { [events = worker.core.events] in events.report(.passedOn(by: handler), of: $0) }
        } catch {
            // The request stays pending until the app gives it up or its time is over.
        }
    }

    private func repeated(_ record: RequestRecord, _ callback: ArrivedCallback) -> AcceptedCallback {
        guard record.callback?.isOfBrowser(callback.source.browserHash) == true, let secret = callback.source.secret
        else { return .repeated(record, secret: nil, port: nil) }
        var port: UInt16?
        if case .passedOn? = record.outcome?.kind, callback.route.app.handlers.sendsToLoopback {
            port = callback.source.refused(for: record, registry)?.port
        }
        return .repeated(record, secret: secret, port: port)
    }
}

extension RequestRecord {
    /// The request, with the callback's trace if it has no trace of its own.
    fileprivate func traced(by callback: ArrivedCallback) -> RequestRecord {
        var record = self
        record.trace = trace ?? callback.trace
        return record
    }
}
