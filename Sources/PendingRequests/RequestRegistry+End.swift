public import SwitchyardOAuth

/// How requests end otherwise than by a redemption.
///
/// Each takes a closure that tells of the end: it is called when a store that has said nothing, or has failed, turns out
/// later to have taken it. An end that is a success here is the caller's to tell.
extension RequestRegistry {
    /// Counts a wrong proof.
    /// - Parameters:
    ///   - answer: the body that the app gets when it was the last one.
    ///   - tell: of the end by the last one, if that comes late; on any thread.
    public func miss(
        _ record: RequestRecord, answer: [UInt8], ifLate tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = outcome(record, .misproved, answer)
        return try await end(record.id, with: outcome, by: .miss(outcome), ifLate: tell)
    }

    /// Ends a request because the person at the browser did not begin it.
    public func deny(
        _ record: RequestRecord, answer: [UInt8], ifLate tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = outcome(record, .denied, answer)
        return try await end(record.id, with: outcome, by: .deny(outcome), ifLate: tell)
    }

    /// Ends a request for its app, before any outcome.
    public func cancel(
        _ record: RequestRecord, answer: [UInt8], ifLate tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = outcome(record, .canceled, answer)
        return try await end(record.id, with: outcome, by: .cancel(outcome), ifLate: tell)
    }

    /// Ends a request for which no callback will come, with a failure.
    /// - Parameters:
    ///   - code: the failure's.
    ///   - answer: the body that the app gets.
    public func fail(
        _ record: RequestRecord, _ code: SignInFailure.Code, answer: [UInt8],
        ifLate tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = outcome(record, .failed(code), answer)
        return try await end(record.id, with: outcome, by: .cancel(outcome), ifLate: tell)
    }

    /// Ends a request whose time is over elsewhere, as its own time would.
    public func expire(
        _ id: RequestID, ifLate tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = RequestRecord.Outcome(kind: .expired, finishedAt: clock(), until: nil)
        return try await end(id, with: outcome, by: .cancel(outcome), ifLate: tell)
    }

    func end(
        _ id: RequestID, with outcome: RequestRecord.Outcome, by transition: RequestTransition,
        ifLate tell: @escaping LateSteps.Tell
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        do throws(StoreFailure) {
            return try await apply(transition, to: id)
        } catch {
            lateSteps.add(.end(outcome, tell: tell), of: id)
            throw error
        }
    }
}
