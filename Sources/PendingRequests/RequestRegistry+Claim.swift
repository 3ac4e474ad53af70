internal import SwitchyardCrypto
internal import SwitchyardReactor

/// The work on a request that a callback has claimed, until its outcome is stored.
extension RequestRegistry {
    /// How long a claim holds without being prolonged.
    public var lease: Duration { policy.lifetimes.lease }

    /// A fresh claim. The gateway recognizes its own claim by it, even if the store does not confirm that it has taken
    /// it.
    public func makeClaim() -> RequestRecord.Claim { claim(by: Random.number()) }

    private func claim(by claimant: UInt64) -> RequestRecord.Claim {
        RequestRecord.Claim(claimant: claimant, lease: clock() + policy.lifetimes.lease)
    }

    /// Releases the held response: the app has proved that it belongs to the browser.
    /// - Parameters:
    ///   - claim: made by ``makeClaim()``.
    ///   - work: the caller's next work. The record then shows whether the code may be spent.
    ///   - report: reports the release. If the store does not confirm it, the caller must call ``takeUp(_:of:while:)``.
    public func release(
        _ id: RequestID, by claim: RequestRecord.Claim, for work: RequestTransition.Work,
        report: @escaping Report = { _ in }
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await settleLateSteps(of: id)
        return try await apply(.release(claim, for: work), to: id, report: report)
    }

    /// Renews the lease of a claimed request, because its work goes on.
    /// - Parameter record: the record that the claim returned.
    public func prolong(
        _ record: RequestRecord
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard let claimant = record.claim?.claimant else { return .failure(.notNow) }
        return try await applyQuietly(.prolong(claim(by: claimant)), to: record.id)
    }

    /// Ends a claimed request. The result is stored before this returns.
    ///
    /// If an app waits for it at this gateway, the result counts as read with this step: the app gets it at once, and the store
    /// is spared a step. Each try decides that anew, because the app may have gone while the store was out.
    /// - Parameters:
    ///   - record: the record that the claim returned.
    ///   - outcome: from ``outcome(_:_:_:)``. It may be given again after a ``StoreError``, and is reported once.
    @discardableResult
    public func finish(
        _ record: RequestRecord, with outcome: RequestRecord.Outcome, report: @escaping Report
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard let claim = record.claim else { return .failure(.notNow) }
        var outcome = outcome
        if outcome.sealedAnswer != nil, changes.isCollecting(record.id) {
            let now = clock()
            outcome.firstReadAt = now
            outcome.discardAt = now + policy.lifetimes.result
        }
        return try await apply(.finish(outcome, claimant: claim.claimant), to: record.id, report: report)
    }

    // MARK: Claims that the store did not confirm

    /// Waits until the store is seen to have taken a claim that it did not confirm. Until the lease is over, only this
    /// gateway may go on with the request. The claim is reported before this returns.
    /// - Parameters:
    ///   - claim: given to ``accept(_:for:from:_:report:)`` or ``release(_:by:for:report:)``, which has thrown.
    ///   - isAwaited: whether the store is worth waiting for; asked after each of its answers.
    /// - Returns: the request, with a new lease; nil if the store has not taken the claim, or it cannot be found out.
    public func takeUp(
        _ claim: RequestRecord.Claim, of id: RequestID, while isAwaited: @Sendable () -> Bool
    ) async -> RequestRecord? {
        let end = Instant.now() + lease
        let watch = changes.watch(id, since: changes.revision(id))
        defer {
            changes.stop(watch)
            lateSteps.giveUp(.claim(claim.claimant), of: id)
        }
        while Instant.now() < end {
            _ = await watch.signal.wait(until: .now() + .seconds(1))
            // Asked before the store: an answer that comes after the last call has ended is the last word.
            let isLast = !isAwaited()
            switch try? await takeUp(claim, of: id) {
            case .success(let record): return record
            case .failure(.notNow):
                // It may still come, as long as a caller waits for it.
                guard !isLast, await mayGetClaim(id) else { return nil }
            case .failure: return nil
            // The store is still out.
            case nil: break
            }
        }
        return nil
    }

    /// When this returns, earlier calls to the store have ended.
    /// - Returns: the request, with a new lease; refused as `notNow` while it is not claimed, and when it has another
    ///   claim.
    func takeUp(
        _ claim: RequestRecord.Claim, of id: RequestID
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        let result = try await applyQuietly(.prolong(self.claim(by: claim.claimant)), to: id)
        if case .success(let record) = result {
            lateSteps.answered(.claim(claim.claimant), of: id, with: record)
        }
        return result
    }

    /// Whether a claim may still come to the request. If the store is out, it may.
    private func mayGetClaim(_ id: RequestID) async -> Bool {
        let found: RequestRecord?
        do throws(StoreError) {
            found = try await find(.id(id))
        } catch {
            return error.missingKey == nil
        }
        return switch found?.phase {
        case .pending, .releaseRequired: true
        case .claimed, .redeeming, .finished, nil: false
        }
    }
}
