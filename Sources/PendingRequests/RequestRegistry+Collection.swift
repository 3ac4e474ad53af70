public import SwitchyardCrypto

/// The calls of the app that waits for a request.
extension RequestRegistry {
    /// Remembers that the outcome is waited for at another address than the beginner's.
    public func noteForeignWatcher(_ id: RequestID) async throws(StoreError) {
        _ = try await applyQuietly(.noteForeignWatcher, to: id)
    }

    /// Reads the answer for the app, and notes that it was read; nil once it is gone.
    public func read(_ record: RequestRecord) async throws(StoreError) -> (answer: [UInt8], isFirst: Bool)? {
        try await settleLateSteps(of: record.id)
        if let outcome = record.outcome, outcome.firstReadAt != nil, clock() < outcome.discardAt {
            return outcome.sealedAnswer.flatMap { open($0, "result", of: record) }.map { ($0, false) }
        }
        let read = RequestTransition.read(discardAt: clock() + policy.lifetimes.result)
        let found: RequestRecord?
        let isFirst: Bool
        switch try await applyQuietly(read, to: record.id) {
        case .success(let record): (found, isFirst) = (record, true)
        case .failure(.repeated): (found, isFirst) = (try await find(.id(record.id)), false)
        case .failure: return nil
        }
        guard let found, let answer = found.outcome?.sealedAnswer.flatMap({ open($0, "result", of: found) }) else {
            return nil
        }
        return (answer, isFirst)
    }

    /// Forgets the outcome: the app has it.
    /// - Returns: whether this was the call that did; another one may have been faster.
    public func acknowledge(_ id: RequestID) async throws(StoreError) -> Bool {
        try await settleLateSteps(of: id)
        return if case .success = try await applyQuietly(.acknowledge, to: id) { true } else { false }
    }

    /// Uses a proof of possession, which counts once.
    /// - Parameter lifetime: the time from now in which the proof could be used again.
    public func use(
        proof: SHA256Digest, with record: RequestRecord, lifetime: Duration
    ) async throws(StoreError) -> OneTimeUse {
        let now = clock()
        return try await ask(.useOnce) { () async throws(StoreError) in
            try await store.use(ShortDigest(proof), of: record.id, until: now + lifetime, at: now)
        }
    }
}
