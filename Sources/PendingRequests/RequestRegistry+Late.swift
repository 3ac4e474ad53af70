internal import SwitchyardReactor

/// Steps that the store takes after the gateway has stopped waiting for them.
extension RequestRegistry {
    /// Notes an end by time that the store did not confirm. It is reported once a look at the record shows it.
    /// - Parameter record: the record as time would have left it.
    func expectLate(_ record: RequestRecord) {
        guard let outcome = record.outcome else { return }
        lateSteps.add(.end(outcome, tell: { [tell] in tell(.ended($0)) }), of: record.id)
    }

    /// Reports or withdraws the steps of a request that the store has taken late. Call it while the store works, before
    /// later steps are reported.
    func settleLateSteps(of id: RequestID) async throws(StoreFailure) {
        guard lateSteps.contains(id) else { return }
        let record = try await find(.id(id))
        if let token = lateSteps.take(id, in: record) {
            _ = try await applyQuietly(.withdraw(token), to: id)
            lateSteps.forget(id)
        }
    }

    /// Does the same as ``settleLateSteps(of:)`` for all requests, as far as the store answers.
    public func settleLateSteps() async {
        for id in lateSteps.late {
            guard (try? await settleLateSteps(of: id)) != nil else { return }
        }
    }

    /// Takes up a claim that the store did not confirm. When this returns, earlier calls to the store have ended.
    /// - Parameters:
    ///   - claim: a claim that no other caller has.
    /// - Returns: the request, with a new lease; refused as `notNow` while it is not claimed, and when it has another
    ///   claim.
    public func takeUp(
        _ claim: RequestRecord.Claim, of id: RequestID
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let renewed = RequestRecord.Claim(claimant: claim.claimant, lease: clock() + policy.lifetimes.lease)
        return try await applyQuietly(.prolong(renewed), to: id)
    }
}
