public import SwitchyardCrypto

/// A step in the life of a request. A value without I/O, so that each store can apply it within its own kind of
/// transaction and every store agrees on what it means.
public enum RequestTransition: Sendable {
    /// A callback came whose code may be redeemed. Of this and the next step, exactly one ever succeeds.
    case claim(RequestRecord.Callback, RequestRecord.Release, lease: Timestamp)
    /// A callback came whose code has to be held.
    case hold(RequestRecord.Callback, RequestRecord.Held)
    /// A callback came in another browser than the one that started. Its code is never taken; the last one that may come so
    /// ends the request with this outcome.
    case refuseCode(SHA256Digest, RequestRecord.Outcome)
    /// The app has proved that it belongs to the browser.
    case release(lease: Timestamp)
    /// The app has given a wrong proof. The last one that it may give ends the request with this outcome.
    case miss(RequestRecord.Outcome)
    /// The person at the browser says that it was somebody else who began.
    case deny(RequestRecord.Outcome)
    /// Somebody at another address than the beginner's waits for the outcome.
    case noteForeignWatcher
    /// The code is about to be sent.
    case startRedeeming(lease: Timestamp)
    /// The outcome of a claimed request.
    case finish(RequestRecord.Outcome)
    /// The app gives up.
    case cancel(RequestRecord.Outcome)
    /// The app reads the outcome; if this is the first time, it stays until `discardAt`.
    case read(discardAt: Timestamp)
    /// The app has what it wanted; the outcome is forgotten.
    case acknowledge
    /// Time has passed.
    case age

    public enum Refusal: Error, Hashable, Sendable {
        /// No request has this id or state.
        case unknown
        /// The same callback had claimed it already.
        case repeated
        /// Another callback had claimed it: a used state with another code.
        case conflicting
        /// It was canceled before any callback came.
        case canceled
        case expired
        /// The step does not fit the phase.
        case notNow
    }
}

extension RequestRecord {
    /// Takes one step, after what time has brought about meanwhile. A refused step changes nothing.
    public mutating func apply(_ transition: RequestTransition, at now: Timestamp) throws(RequestTransition.Refusal) {
        var record = self
        record.age(at: now)
        try record.step(transition, at: now)
        self = record
    }

    private mutating func step(_ transition: RequestTransition, at now: Timestamp) throws(RequestTransition.Refusal) {
        switch transition {
        case .claim(let callback, let release, let lease):
            try claim(callback, at: now)
            self.release = release
            phase = .claimed(lease: lease)
        case .hold(let callback, let held):
            try claim(callback, at: now)
            phase = .releaseRequired(held)
        case .refuseCode(let code, let outcome): try refuse(code, outcome)
        case .release(let lease):
            guard let held, now < held.until else { throw .notNow }
            release = .proved
            phase = .claimed(lease: lease)
        case .miss(let outcome): try miss(outcome, at: now)
        case .deny(let outcome): try deny(outcome, at: now)
        case .noteForeignWatcher:
            guard case .pending = phase else { throw .notNow }
            isWatchedFromElsewhere = true
        case .startRedeeming(let lease):
            guard case .claimed = phase else { throw .notNow }
            phase = .redeeming(lease: lease)
        case .finish(let outcome):
            switch phase {
            case .claimed, .redeeming: end(outcome)
            case .pending, .releaseRequired, .finished: throw .notNow
            }
        case .cancel(let outcome):
            guard !isFinished else { throw .notNow }
            end(outcome)
        case .read(let discardAt): try read(at: now, discardAt: discardAt)
        case .acknowledge: try acknowledge()
        case .age: break
        }
    }

    private mutating func claim(_ callback: Callback, at now: Timestamp) throws(RequestTransition.Refusal) {
        if let earlier = self.callback {
            throw earlier.fingerprint == callback.fingerprint ? .repeated : .conflicting
        }
        switch phase {
        case .pending:
            guard now < expiresAt else { throw .expired }
            self.callback = callback
        case .finished(let outcome): throw outcome.kind == .canceled ? .canceled : .expired
        case .claimed, .releaseRequired, .redeeming: throw .notNow
        }
    }

    /// How many codes may come in another browser before that ends the request.
    private static let maximumStrayCodes = 3

    private mutating func refuse(_ code: SHA256Digest, _ outcome: Outcome) throws(RequestTransition.Refusal) {
        if callback != nil { throw .conflicting }
        switch phase {
        case .pending: break
        case .finished(let outcome): throw outcome.kind == .canceled ? .canceled : .expired
        case .claimed, .releaseRequired, .redeeming: throw .notNow
        }
        guard !strayCodes.contains(code) else { return }
        strayCodes.append(code)
        if strayCodes.count >= Self.maximumStrayCodes { end(outcome) }
    }

    private mutating func miss(_ outcome: Outcome, at now: Timestamp) throws(RequestTransition.Refusal) {
        guard var held, now < held.until else { throw .notNow }
        held.attemptsLeft -= 1
        if held.attemptsLeft > 0 {
            phase = .releaseRequired(held)
        } else {
            end(outcome)
        }
    }

    private mutating func deny(_ outcome: Outcome, at now: Timestamp) throws(RequestTransition.Refusal) {
        switch phase {
        case .pending where now < expiresAt: end(outcome)
        case .releaseRequired: end(outcome)
        case .pending, .claimed, .redeeming, .finished: throw .notNow
        }
    }

    private mutating func read(at now: Timestamp, discardAt: Timestamp) throws(RequestTransition.Refusal) {
        guard case .finished(var outcome) = phase, outcome.sealedResult != nil else { throw .notNow }
        guard outcome.firstReadAt == nil else { return }
        outcome.firstReadAt = now
        outcome.discardAt = discardAt
        phase = .finished(outcome)
    }

    private mutating func acknowledge() throws(RequestTransition.Refusal) {
        guard case .finished(var outcome) = phase else { throw .notNow }
        outcome.isAcknowledged = true
        outcome.sealedResult = nil
        phase = .finished(outcome)
    }

    private mutating func end(_ outcome: Outcome) {
        phase = .finished(outcome)
        sealedSecrets = []
    }

    /// What time does: an unanswered request expires, abandoned work fails, a result that was read or is too old goes.
    private mutating func age(at now: Timestamp) {
        switch phase {
        case .pending where now >= expiresAt:
            end(Outcome(kind: .expired, finishedAt: now))
        case .releaseRequired(let held) where now >= held.until:
            end(Outcome(kind: .heldTooLong, finishedAt: now))
        case .claimed(let lease) where now >= lease, .redeeming(let lease) where now >= lease:
            // Whether the code was spent is not known; it is never sent again.
            end(Outcome(kind: .failed("internal"), finishedAt: now))
        case .finished(var outcome) where outcome.sealedResult != nil && now >= outcome.discardAt:
            outcome.sealedResult = nil
            phase = .finished(outcome)
        default: break
        }
    }
}
