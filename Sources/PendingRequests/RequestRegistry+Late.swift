internal import SwitchyardReactor

/// What the store takes later than it was waited for.
extension RequestRegistry {
    /// Of an end by time which the store did not say that it has taken: it is told once it is seen to be so.
    /// - Parameter record: as time would have left it.
    func expectLate(_ record: RequestRecord) {
        guard let outcome = record.outcome else { return }
        lateSteps.add(.end(outcome, tell: { [tell] in tell(.ended($0)) }), of: record.id)
    }

    /// Does what is to be done of a request should the store have taken something late. To be called while it works, before
    /// anything is told that comes after it.
    func settleLateSteps(of id: RequestID) async throws(StoreFailure) {
        guard lateSteps.contains(id) else { return }
        let record = try await find(.id(id))
        for step in lateSteps.take(id, in: record) {
            guard let record else { return }
            step.tell(record)
            if case .begin(let token) = step {
                _ = try await applyQuietly(.withdraw(token), to: id)
                lateSteps.forget(id)
            }
        }
    }

    /// As ``settleLateSteps(of:)`` for all requests, as far as the store answers.
    public func settleLateSteps() async {
        for id in lateSteps.late {
            guard (try? await settleLateSteps(of: id)) != nil else { return }
        }
    }

    /// Takes up a claim of which the store did not say that it has taken it. What was asked of the store before this
    /// has come to its end when this answers.
    /// - Parameters:
    ///   - claim: that no other caller has.
    /// - Returns: the request, whose lease begins anew; refused as `notNow` while nobody has claimed it, and when somebody
    ///   else has.
    public func takeUp(
        _ claim: RequestRecord.Claim, of id: RequestID
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let renewed = RequestRecord.Claim(claimant: claim.claimant, lease: clock() + policy.lifetimes.lease)
        return try await applyQuietly(.prolong(renewed), to: id)
    }
}
