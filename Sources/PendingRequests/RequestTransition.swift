public import SwitchyardCrypto
internal import SwitchyardOAuth

/// A step in the life of a request. A value without I/O, so that each store can apply it within its own kind of
/// transaction and every store agrees on what it means.
public enum RequestTransition: Sendable {
    /// A callback came with a code that is about to be redeemed. Exactly one of this and the next two steps ever
    /// succeeds.
    /// - Parameter code: the digest of the code, if there is one. A code that ``refuseCode(_:_:)`` has refused is never
    ///   taken, also when both come at once.
    case claim(RequestRecord.Callback, RequestRecord.Release, RequestRecord.Claim, code: ShortDigest?)
    /// A callback came that needs no call to the issuer, so its outcome is known at once. It claims the request and
    /// ends it.
    /// - Parameter code: the digest of the code; nil without one.
    case settle(RequestRecord.Callback, RequestRecord.Release, RequestRecord.Outcome, code: ShortDigest?)
    /// A callback came with a code that must be held.
    case hold(RequestRecord.Callback, RequestRecord.Held, code: ShortDigest?)
    /// A callback came without the cookies of its browser, which must come again to show them; the latest one counts.
    case park(RequestRecord.Parked)
    /// A callback came in another browser than the one that started. Its code is never taken; the last one that may
    /// come so ends the request with this outcome.
    case refuseCode(ShortDigest, RequestRecord.Outcome)
    /// The request goes to its issuer before the browser does.
    case push(RequestRecord.PushStep)
    /// The issuer has refused the request before any browser went there, which ends it.
    case refusePush(RequestRecord.Outcome)
    /// The app has proved that it belongs to the browser.
    case release(RequestRecord.Claim, for: Work)
    /// The app has given a wrong proof. The last one that it may give ends the request with this outcome.
    case miss(RequestRecord.Outcome)
    /// The person at the browser says that another person began.
    case deny(RequestRecord.Outcome)
    /// A caller at another address than the beginner's waits for the outcome.
    case noteForeignWatcher
    /// The work on a claimed request goes on.
    case prolong(RequestRecord.Claim)
    /// The outcome of a claimed request, from its claimant.
    case finish(RequestRecord.Outcome, claimant: UInt64)
    /// It ends before any outcome: the app gives up, no callback will come, or its time is over elsewhere.
    case cancel(RequestRecord.Outcome)
    /// The app reads the outcome for the first time; it stays until `discardAt`.
    case read(discardAt: Timestamp)
    /// The app has what it wanted; the outcome is forgotten.
    case acknowledge
    /// Time has passed; refused as repeated if that has changed no field.
    case age
    /// The token of a request that waits for its callback was never given out: the request goes as if it had never
    /// begun.
    case withdraw(ShortDigest)

    /// The work that follows a release.
    public enum Work: Hashable, Sendable {
        /// To send its code to the issuer.
        case redemption
        /// To give the app an answer that needs no issuer: the response, or a failure.
        case answer
    }

    /// The reason why a step was refused. The record is unchanged.
    public enum Refusal: Error, Hashable, Sendable {
        /// No request has this id or state.
        case unknown
        /// It was so already: the same callback had claimed it, its outcome was read or acknowledged, time had done its part.
        case repeated
        /// Another callback had claimed it: a used state with another code.
        case conflicting
        /// It was canceled before any callback came.
        case canceled
        /// It had ended otherwise, or its time was over, before a callback came.
        case expired
        /// Its code came in another browser than the one that started.
        case strayCode
        /// The store is full. The record is unchanged; the step may be tried again.
        case noRoom
        /// The step does not fit the phase.
        case notNow
        /// The request may no longer be released by its address, because a caller at another address waits for the outcome.
        /// The release must be decided again, with the present record.
        case outdated
    }
}

extension RequestTransition {
    /// The quota that must have room for the bytes that the step adds; nil for a step that is always taken. A step
    /// whose caller can come again must fit. An outcome of usual size is always taken, because its code is spent and
    /// its room was counted when the request began. A larger outcome may exceed the quota by an eighth at most.
    public func room(within quota: RequestQuota) -> RequestQuota? {
        switch self {
        case .claim, .settle, .hold, .park: quota
        case .finish(let outcome, _): (outcome.sealedAnswer?.count ?? 0) > CountedBytes.reserve ? quota.stretched : nil
        case .refuseCode, .push, .refusePush, .release, .miss, .deny, .noteForeignWatcher, .prolong, .cancel, .read,
            .acknowledge, .age, .withdraw:
            nil
        }
    }

    /// Whether the store forgets the request with this step.
    public var removes: Bool { if case .withdraw = self { true } else { false } }
}

extension RequestTransition {
    /// Whether waiting tasks see a difference though the request is unfinished: a code is held, or no longer.
    var isNews: Bool {
        switch self {
        case .hold, .release: true
        case .claim, .settle, .park, .refuseCode, .push, .refusePush, .miss, .deny, .noteForeignWatcher, .prolong,
            .finish, .cancel, .read, .acknowledge, .age, .withdraw:
            false
        }
    }
}

extension RequestRecord {
    /// Whether waiting tasks see a difference to the old record: the request ended, or its code is held or no longer held.
    /// For a store that notifies other gateways.
    public func isNews(after old: RequestRecord) -> Bool {
        old.isFinished != isFinished || (old.held == nil) != (held == nil)
    }

    /// Takes one step, after the effects of the time that has passed. A refused step changes nothing.
    public mutating func apply(_ transition: RequestTransition, at now: Timestamp) throws(RequestTransition.Refusal) {
        var record = self
        record.age(at: now)
        if case .age = transition, record == self { throw .repeated }
        try record.step(transition, at: now)
        if record.isTombstone { record.forgetWhatIsOfNoUse() }
        self = consume record
    }

    private mutating func step(_ transition: RequestTransition, at now: Timestamp) throws(RequestTransition.Refusal) {
        switch transition {
        case .claim(let callback, let release, let claim, let code):
            try self.claim(callback, release, code, at: now)
            phase = .redeeming(claim)
        case .settle(let callback, let release, let outcome, let code):
            try claim(callback, release, code, at: now)
            end(outcome)
        case .hold(let callback, let held, let code):
            try claim(callback, nil, code, at: now)
            phase = .releaseRequired(held)
        case .park(let parked):
            try mustWaitForCallback()
            self.parked = parked
        case .refuseCode(let code, let outcome): try refuse(code, outcome)
        case .push(let step): try push(step)
        case .refusePush(let outcome):
            guard case .pending = phase else { throw .notNow }
            end(outcome)
        case .release(let claim, let work):
            guard let held, now < held.until else { throw .notNow }
            release = .proved
            phase =
                switch work {
                case .redemption: .redeeming(claim)
                case .answer: .claimed(claim)
                }
        case .miss(let outcome): try miss(outcome, at: now)
        case .deny(let outcome): try deny(outcome, at: now)
        case .noteForeignWatcher:
            guard case .pending = phase else { throw .notNow }
            isWatchedFromElsewhere = true
        case .prolong(let claim): try prolong(claim)
        case .finish(let outcome, let claimant):
            guard claim?.claimant == claimant else { throw .notNow }
            end(outcome)
        case .cancel(let outcome):
            guard !isFinished else { throw .notNow }
            end(outcome)
        case .read(let discardAt): try read(at: now, discardAt: discardAt)
        case .acknowledge: try acknowledge()
        case .age: break
        case .withdraw(let token):
            guard case .pending = phase, resultTokenHash == token else { throw .notNow }
        }
    }

    private mutating func claim(
        _ callback: Callback, _ release: Release?, _ code: ShortDigest?, at now: Timestamp
    ) throws(RequestTransition.Refusal) {
        if let earlier = self.callback, earlier.fingerprint == callback.fingerprint { throw .repeated }
        try mustWaitForCallback()
        guard now < expiresAt else { throw .expired }
        if let code, strayCodes.contains(code) { throw .strayCode }
        if release == .sameAddress, isWatchedFromElsewhere { throw .outdated }
        self.callback = callback
        self.release = release
    }

    /// Throws the reason why the request no longer takes a callback.
    private func mustWaitForCallback() throws(RequestTransition.Refusal) {
        if callback != nil { throw .conflicting }
        switch phase {
        case .pending: break
        case .finished(let outcome): throw outcome.kind == .canceled ? .canceled : .expired
        case .claimed, .releaseRequired, .redeeming: throw .notNow
        }
    }

    /// How many codes may come in another browser before that ends the request.
    private static let maximumStrayCodes = 3

    private mutating func refuse(_ code: ShortDigest, _ outcome: Outcome) throws(RequestTransition.Refusal) {
        try mustWaitForCallback()
        guard !strayCodes.contains(code) else { return }
        strayCodes.append(code)
        if strayCodes.count >= Self.maximumStrayCodes { end(outcome) }
    }

    private mutating func prolong(_ claim: Claim) throws(RequestTransition.Refusal) {
        guard self.claim?.claimant == claim.claimant else { throw .notNow }
        if case .claimed = phase { phase = .claimed(claim) } else { phase = .redeeming(claim) }
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
        guard case .finished(var outcome) = phase, case .sealed = outcome.answer else { throw .notNow }
        guard outcome.firstReadAt == nil else { throw .repeated }
        outcome.firstReadAt = now
        outcome.discardAt = discardAt
        phase = .finished(outcome)
    }

    private mutating func acknowledge() throws(RequestTransition.Refusal) {
        guard case .finished(var outcome) = phase else { throw .notNow }
        guard !outcome.isAcknowledged else { throw .repeated }
        outcome.isAcknowledged = true
        outcome.discard()
        phase = .finished(outcome)
        // There are no more answers about it.
        resultTokenHash = nil
        proofKey = nil
        parked = nil
    }

    private mutating func end(_ outcome: Outcome) {
        phase = .finished(outcome)
        sealedSecrets = []
        strayCodes = []
        pushes = nil
        // A browser that asks for its parked response again gets the page of the sign-in. A request that ended without
        // a callback needs no such page.
        if callback == nil { parked = nil }
    }

    mutating func expire(at now: Timestamp) { end(Outcome(kind: .expired, finishedAt: now, until: nil)) }

    private mutating func forgetWhatIsOfNoUse() {
        target = .digest(target.digest)
        registration = nil
        completion = .tokens
        scope = ""
        beginner = .forgotten
        isWatchedFromElsewhere = false
        release = nil
        trace = nil
    }

    /// Applies time: an unanswered request expires, abandoned work fails, a result that was read or is too old goes.
    private mutating func age(at now: Timestamp) {
        if let parked, now >= parked.until { self.parked = nil }
        if isDelivery, ageDelivery(at: now) { return }
        switch phase {
        case .pending where now >= expiresAt: expire(at: now)
        case .releaseRequired(let held) where now >= held.until:
            end(Outcome(kind: .heldTooLong, finishedAt: now, until: lastCollection(at: now)))
        case .claimed(let claim) where now >= claim.lease, .redeeming(let claim) where now >= claim.lease:
            // Whether the code was spent is not known; it is never sent again.
            end(Outcome(kind: .failed(.internal), finishedAt: now, until: lastCollection(at: now)))
        case .finished(var outcome) where outcome.isCollectable && now >= outcome.discardAt:
            outcome.discard()
            phase = .finished(outcome)
        default: break
        }
    }

    /// Until when the app may come for an outcome that ends the request now: as long as the request could have lived,
    /// and for a minute at least.
    private func lastCollection(at now: Timestamp) -> Timestamp { max(expiresAt, now + .seconds(60)) }
}
