/// A step in the life of a request. A value without I/O, so that each store can apply it within its own kind of
/// transaction and every store agrees on what it means.
public enum RequestTransition: Sendable {
    /// A callback came. Exactly one ever succeeds.
    case claim(RequestRecord.Callback, lease: Timestamp)
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
    /// Takes one step. A refused step changes nothing.
    public mutating func apply(_ transition: RequestTransition, at now: Timestamp) throws(RequestTransition.Refusal) {
        switch transition {
        case .claim(let callback, let lease): try claim(callback, lease: lease, at: now)
        case .startRedeeming(let lease):
            guard case .claimed = phase else { throw .notNow }
            phase = .redeeming(lease: lease)
        case .finish(let outcome):
            switch phase {
            case .claimed, .redeeming: end(outcome)
            case .pending, .finished: throw .notNow
            }
        case .cancel(let outcome):
            guard !isFinished else { throw .notNow }
            end(outcome)
        case .read(let discardAt): try read(at: now, discardAt: discardAt)
        case .acknowledge: try acknowledge()
        case .age: age(at: now)
        }
    }

    private mutating func claim(
        _ callback: Callback, lease: Timestamp, at now: Timestamp
    ) throws(RequestTransition.Refusal) {
        if let earlier = self.callback {
            throw earlier.fingerprint == callback.fingerprint ? .repeated : .conflicting
        }
        switch phase {
        case .pending:
            guard now < expiresAt else { throw .expired }
            self.callback = callback
            phase = .claimed(lease: lease)
        case .finished(let outcome): throw outcome.kind == .canceled ? .canceled : .expired
        case .claimed, .redeeming: throw .notNow
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
