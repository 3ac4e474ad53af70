internal import SwitchyardCrypto
public import SwitchyardOAuth

/// The outcomes of requests, and their ends other than a redemption. Each end is reported once (``Report``).
extension RequestRegistry {
    /// The size limit of a failure's words. A failure with more of them is stored without its words, because they come
    /// from an issuer.
    private static let maximumFailure = 32 << 10

    /// The outcome of a request that ends now. An unread result lives as long as its request, and at least as long as a
    /// read one.
    /// - Parameter answer: the body that the app gets.
    public func outcome(
        _ record: RequestRecord, _ kind: RequestRecord.Outcome.Kind, _ answer: [UInt8]
    ) -> RequestRecord.Outcome {
        let (now, policy) = (clock(), policy)
        let end = now + policy.lifetimes.result
        let discardAt = kind == .canceled ? end : max(record.expiresAt, end)
        if case .failed = kind, answer.count > Self.maximumFailure {
            return RequestRecord.Outcome(kind: kind, finishedAt: now, until: discardAt)
        }
        return RequestRecord.Outcome(
            kind: kind, finishedAt: now, answer: .sealed(policy.keys.seal(answer, context: "result \(record.id)")),
            discardAt: discardAt)
    }

    /// Counts a wrong proof of a release.
    /// - Parameters:
    ///   - answer: the body that the app gets if it was the last one that may come.
    ///   - report: reports the wrong proof, and the end if it was the last one. A late report is made only if the wrong
    ///     proof ends the request.
    public func miss(
        _ record: RequestRecord, answer: [UInt8], report: @escaping Report
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.miss(outcome(record, .misproved, answer)), to: record.id, report: report)
    }

    /// Ends a request because the person at the browser did not begin it.
    public func deny(
        _ record: RequestRecord, answer: [UInt8], report: @escaping Report
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.deny(outcome(record, .denied, answer)), to: record.id, report: report)
    }

    /// Ends a request for its app, before any outcome.
    public func cancel(
        _ record: RequestRecord, answer: [UInt8], report: @escaping Report
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.cancel(outcome(record, .canceled, answer)), to: record.id, report: report)
    }

    /// Ends a request for which no callback will come, with a failure.
    /// - Parameter answer: the body that the app gets.
    public func fail(
        _ record: RequestRecord, _ code: SignInFailure.Code, answer: [UInt8], report: @escaping Report
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.cancel(outcome(record, .failed(code), answer)), to: record.id, report: report)
    }

    /// Ends a request that has expired at another gateway, as its own time would.
    public func expire(
        _ id: RequestID, report: @escaping Report
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        let outcome = RequestRecord.Outcome(kind: .expired, finishedAt: clock(), until: nil)
        return try await apply(.cancel(outcome), to: id, report: report)
    }
}
