public import SwitchyardOAuth

/// The ends of requests other than a redemption.
///
/// Each takes a closure that reports the step. The registry calls it once, on any thread: after the store has taken the
/// step, and before waiting tasks are woken. If the store takes the step without confirming it, the registry calls it
/// when it finds out.
extension RequestRegistry {
    /// Counts a wrong proof.
    /// - Parameters:
    ///   - answer: the body that the app gets when it was the last one.
    ///   - tell: reports the wrong proof, and the end if it was the last one. A late report is made only if the wrong
    ///     proof ends the request.
    public func miss(
        _ record: RequestRecord, answer: [UInt8], tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = outcome(record, .misproved, answer)
        return try await end(record.id, with: outcome, by: .miss(outcome), tell: tell)
    }

    /// Ends a request because the person at the browser did not begin it.
    public func deny(
        _ record: RequestRecord, answer: [UInt8], tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = outcome(record, .denied, answer)
        return try await end(record.id, with: outcome, by: .deny(outcome), tell: tell)
    }

    /// Ends a request for its app, before any outcome.
    public func cancel(
        _ record: RequestRecord, answer: [UInt8], tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = outcome(record, .canceled, answer)
        return try await end(record.id, with: outcome, by: .cancel(outcome), tell: tell)
    }

    /// Ends a request for which no callback will come, with a failure.
    /// - Parameters:
    ///   - code: the failure's.
    ///   - answer: the body that the app gets.
    public func fail(
        _ record: RequestRecord, _ code: SignInFailure.Code, answer: [UInt8],
        tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = outcome(record, .failed(code), answer)
        return try await end(record.id, with: outcome, by: .cancel(outcome), tell: tell)
    }

    /// Ends a request that has expired at another gateway, as its own time would.
    public func expire(
        _ id: RequestID, tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = RequestRecord.Outcome(kind: .expired, finishedAt: clock(), until: nil)
        return try await end(id, with: outcome, by: .cancel(outcome), tell: tell)
    }

    func end(
        _ id: RequestID, with outcome: RequestRecord.Outcome, by transition: RequestTransition,
        tell: @escaping LateSteps.Tell
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(transition, to: id, telling: .end(outcome, tell: tell))
    }
}
