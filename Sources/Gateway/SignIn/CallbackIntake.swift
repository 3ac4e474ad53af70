internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHandlers
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// Checks a callback in the order of rule 3, and gives it its request.
struct CallbackIntake: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    private var registry: RequestRegistry { core.registry }

    /// Judges a callback. What follows for its request goes on behind the answer.
    /// - Throws: ``RefusedCallback``; then nothing has changed.
    func accept(_ callback: ArrivedCallback) async throws(RefusedCallback) -> AcceptedCallback {
        var reference: Reference?
        do throws(CallbackProblem) {
            let unchecked = try UncheckedResponse(callback)
            let record = try await findRequest(unchecked.state, callback)
            reference = record.reference
            return try await accept(unchecked, callback.bound(to: record, registry), for: record)
        } catch {
            throw RefusedCallback(problem: error, reference: reference)
        }
    }

    private func accept(
        _ unchecked: UncheckedResponse, _ callback: ArrivedCallback, for record: RequestRecord
    ) async throws(CallbackProblem) -> AcceptedCallback {
        let app = callback.route.app
        // It was checked when it came first. A signed one may have expired meanwhile, and is the same all the same.
        if record.callback?.fingerprint == unchecked.fingerprint { return Self.repeated(record, callback) }
        let response = try await check(unchecked, app)
        if case .relay(let uid) = callback.bearer { try checkRelay(uid, record, app) }
        if case .browser(let browser) = callback.bearer, app.requiresStart,
            !StartCookie.isHeld(by: browser.request, for: record.id, registry)
        {
            // A browser keeps a Lax cookie back from a POST of another site: it gets a second chance to show it.
            if browser.isCrossSitePost { return .needsCookie(record) }
            throw .anotherBrowser
        }
        return try await claim(record, response, unchecked, callback)
    }

    // MARK: The checks

    private func findRequest(
        _ state: Secret, _ callback: ArrivedCallback
    ) async throws(CallbackProblem) -> RequestRecord {
        let key = RequestKey.state(SHA256Digest(of: state.exposedBytes))
        guard let found = await core.attempt({ () async throws(StoreFailure) in try await registry.find(key) }) else {
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

    /// Whether the issuer of the request is the one that answers. Only then is there a response to believe.
    private func check(
        _ unchecked: UncheckedResponse, _ app: AppRegistration
    ) async throws(CallbackProblem) -> AuthorizationResponse {
        guard let issuer = worker.setup.issuer(of: app) else { throw .unavailable }
        switch unchecked {
        case .plain(let response):
            try await checkIssuer(response.issuer, issuer, app)
            return response
        case .signed(let signed):
            do throws(SignedResponseRefusal) {
                return try await worker.redeemer.verify(
                    signed, from: issuer, to: app.clientID, tenants: .only(app.tenants))
            } catch {
                switch error {
                case .wrongIssuer: throw .wrongIssuer
                case .unavailable: throw .unavailable
                case .notTrusted(let reason):
                    core.events.tell(.responseNotTrusted(reason: reason, app: app.id.text))
                    throw .responseNotTrusted
                }
            }
        }
    }

    /// RFC 9207 section 2.4: `iss` must be right when it is there, and must be there when the issuer sends it.
    private func checkIssuer(
        _ named: String?, _ issuer: Issuer, _ app: AppRegistration
    ) async throws(CallbackProblem) {
        guard let metadata = try? await worker.redeemer.metadata(for: issuer) else { throw .unavailable }
        guard let named else {
            if metadata.authorizationResponseIssParameterSupported { throw .wrongIssuer }
            return
        }
        guard metadata.expectedIssuer(tenants: .only(app.tenants)).accepts(named) else { throw .wrongIssuer }
    }

    /// With a release other than `none`, the user that began is the one who may relay: there is no page to show a code
    /// on, and a program can give in what it was talked into (rule 8).
    private func checkRelay(
        _ uid: UInt32?, _ record: RequestRecord, _ app: AppRegistration
    ) throws(CallbackProblem) {
        if app.release == .none { return }
        guard let uid, uid == record.beginner.uid else { throw .foreignRelay }
    }

    // MARK: The claim

    private func claim(
        _ record: RequestRecord, _ response: AuthorizationResponse, _ unchecked: UncheckedResponse,
        _ callback: ArrivedCallback
    ) async throws(CallbackProblem) -> AcceptedCallback {
        let app = callback.route.app
        var step = NextStep(response, as: unchecked.parameters, for: record, url: callback.url) {
            registry.secrets(of: record)
        }
        if record.registration != worker.setup.registration(of: app) { step = .fail(.registrationChanged) }
        let rule = ReleaseRule(policy: app.release, networks: worker.setup.configuration.networks)
        let mark = RequestRecord.Callback(
            fingerprint: unchecked.fingerprint, browserHash: callback.bearer.browserHash)
        let claimed = await core.attempt { () async throws(StoreFailure) in
            switch (step, rule.verdict(on: response.outcome, for: record, from: callback.bearer)) {
            case (.proceed(let content), .hold(let proof, let secret)):
                let held = HeldResponse(content, proof: ReleaseProof.digest(of: secret, proof))
                return try await registry.hold(record.id, for: mark, held, until: proof)
            case (_, .pass(let release)): return try await registry.claim(record.id, for: mark, release: release)
            case (.fail, .hold), (.handOver, .hold):
                return try await registry.claim(record.id, for: mark, release: .notNeeded)
            }
        }
        switch claimed {
        case .success(let claimed):
            if claimed.held == nil { SignInFlow(core: core, worker: worker).follow(step, claimed, app) }
            return .claimed(claimed, secret: callback.bearer.secret)
        case .failure(.repeated):
            // The other one was quicker: what it left counts.
            let current = await core.attempt { () async throws(StoreFailure) in try await registry.find(.id(record.id))
            }
            return Self.repeated((current ?? nil) ?? record, callback)
        case .failure(let refusal): throw CallbackProblem(refusal)
        case nil: throw .unavailable
        }
    }

    private static func repeated(_ record: RequestRecord, _ callback: ArrivedCallback) -> AcceptedCallback {
        let isSameBrowser =
            record.callback?.browserHash != nil
            && record.callback?.browserHash == callback.bearer.browserHash
        return .repeated(record, secret: isSameBrowser ? callback.bearer.secret : nil)
    }
}
