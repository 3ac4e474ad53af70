internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardReactor

/// The requests of an application that wait for a callback, by state. No I/O and no clock of its own.
struct ResponseTable {
    /// A request that waits.
    struct Waiting: Sendable {
        /// Fulfilled with its callback.
        let response = Promise<CheckedResponse>()
        /// Fulfilled by the request itself, when it has ended.
        let isSignedIn: Promise<Bool>
    }

    private enum Phase {
        /// Its issuer is being looked up; a callback waits until then.
        case settingUp(ready: Promise<Void>)
        case waiting(IssuerIdentification)
    }

    private struct Entry {
        let form: RedirectURI.Form
        var phase: Phase
        let request: Waiting
    }

    /// The past of a state that is no longer waited for.
    private enum Past { case consumed, expired }

    enum Verdict {
        /// The request continues with it, and waits no longer.
        case claimed(Waiting, CheckedResponse)
        /// Ask again once this is fulfilled.
        case held(until: Promise<Void>)
        case refused(ResponseOutcome)
    }

    private let ownForm: RedirectURI.Form?
    private let names: ParameterNames
    private var entries: [SHA256Digest: Entry] = [:]
    private var past: [SHA256Digest: (what: Past, form: RedirectURI.Form, until: Instant)] = [:]

    /// How long a state is remembered after its request has ended, and how many are.
    private static let memory = Duration.seconds(600)
    private static let maximumPast = 1000

    /// - Parameters:
    ///   - ownForm: of the application's redirect URI.
    ///   - names: the issuer's own names of parameters.
    init(ownForm: RedirectURI.Form?, names: ParameterNames = ParameterNames()) {
        self.ownForm = ownForm
        self.names = names
    }

    mutating func begin(_ state: Secret, form: RedirectURI.Form, _ request: Waiting) {
        entries[Self.digest(state)] = Entry(form: form, phase: .settingUp(ready: Promise()), request: request)
    }

    /// Accepts the request's callback from now on.
    /// - Parameter issuer: how the callback must name its issuer.
    mutating func expect(_ issuer: IssuerIdentification, for state: Secret) {
        let digest = Self.digest(state)
        guard case .settingUp(let ready) = entries[digest]?.phase else { return }
        entries[digest]?.phase = .waiting(issuer)
        ready.fulfil(())
    }

    /// The request ended without a callback.
    mutating func end(_ state: Secret, at now: Instant) {
        let digest = Self.digest(state)
        guard let entry = entries.removeValue(forKey: digest) else { return }
        if case .settingUp(let ready) = entry.phase { ready.fulfil(()) }
        remember(digest, .expired, entry.form, at: now)
    }

    /// Judges a callback: the redirect URI, then the state, then that request's own redirect URI and issuer.
    mutating func judge(_ callback: CallbackAddress, at now: Instant) -> Verdict {
        guard isOwn(callback.form, at: now) else { return .refused(.notMine) }
        let response: UncheckedResponse
        do throws(AuthorizationResponseError) {
            response = try UncheckedResponse(query: callback.query, content: nil, names: names, at: callback.form)
        } catch {
            guard error == .missingState else { return .refused(.malformed(error.description)) }
            return .refused(waits(at: callback.form) ? .stateMismatch : .noPendingRequest)
        }
        let digest = response.stateHash
        guard let entry = entries[digest] else { return .refused(absence(of: digest, callback.form, at: now)) }
        guard let matched = try? response.matched(redirectURI: entry.form, state: digest) else {
            return .refused(.stateMismatch)
        }
        switch entry.phase {
        case .settingUp(let ready): return .held(until: ready)
        case .waiting(let issuer):
            do throws(AuthorizationResponseError) {
                let checked = try matched.checked(by: issuer)
                entries[digest] = nil
                remember(digest, .consumed, entry.form, at: now)
                return .claimed(entry.request, checked)
            } catch {
                return .refused(.malformed(error.description))
            }
        }
    }

    /// A request may have had a redirect URI of its own, which counts as ours while its state is remembered.
    private func isOwn(_ form: RedirectURI.Form, at now: Instant) -> Bool {
        form == ownForm || waits(at: form) || past.values.contains { $0.form == form && now < $0.until }
    }

    private func waits(at form: RedirectURI.Form) -> Bool {
        entries.values.contains { $0.form == form }
    }

    private func absence(of digest: SHA256Digest, _ form: RedirectURI.Form, at now: Instant) -> ResponseOutcome {
        if let past = past[digest], past.form == form, now < past.until {
            return past.what == .consumed ? .alreadyConsumed : .expired
        }
        return waits(at: form) ? .stateMismatch : .noPendingRequest
    }

    private mutating func remember(_ digest: SHA256Digest, _ what: Past, _ form: RedirectURI.Form, at now: Instant) {
        if past.count >= Self.maximumPast {
            past = past.filter { now < $0.value.until }
            // If there are still too many, the one with the earliest expiry is dropped.
            if past.count >= Self.maximumPast, let oldest = past.min(by: { $0.value.until < $1.value.until }) {
                past[oldest.key] = nil
            }
        }
        past[digest] = (what, form, now + Self.memory)
    }

    private static func digest(_ state: Secret) -> SHA256Digest { SHA256Digest(of: state.exposedBytes) }
}
