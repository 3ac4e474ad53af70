public import SwitchyardCrypto
public import SwitchyardOAuth
internal import SwitchyardText

/// What a callback does for its request: it claims it, has its code held, has its browser come again, or is refused.
extension RequestRegistry {
    /// Gives the request to the response that came, to be redeemed at once; exactly one ever gets it. Whoever finds the
    /// request later knows that the code may be spent.
    /// - Parameters:
    ///   - response: of this request, which the checks have shown; another one's is refused as `unknown`.
    ///   - browser: a digest of the cookie of the browser that brought it; nil when it was relayed.
    ///   - claim: made by ``makeClaim()``, for a caller that has to know it.
    ///   - tell: of the claim. One that the store takes without saying so is told by whoever takes it up
    ///     (``takeUp(_:of:)``).
    public func claim(
        _ record: RequestRecord, for response: CheckedResponse, from browser: SHA256Digest?,
        release: RequestRecord.Release, by claim: RequestRecord.Claim? = nil,
        tell: (RequestRecord) -> Void = { _ in }
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard response.stateHash == record.stateHash else { return .failure(.unknown) }
        let callback = RequestRecord.Callback(fingerprint: response.fingerprint, browserHash: browser)
        return try await apply(
            .claim(callback, release, claim ?? makeClaim(), code: response.codeDigest), to: record.id, tell: tell)
    }

    /// As ``claim(_:for:from:release:by:tell:)``, but the response is the outcome too, and the request ends with it in the
    /// same step. What the store does not take has not happened: the response may come again.
    /// - Parameters:
    ///   - answer: the body that the app gets.
    ///   - tell: of the callback and of the end, as for ``cancel(_:answer:tell:)``.
    public func settle(
        _ record: RequestRecord, for response: CheckedResponse, from browser: SHA256Digest?,
        release: RequestRecord.Release, _ kind: RequestRecord.Outcome.Kind, answer: [UInt8],
        tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard response.stateHash == record.stateHash else { return .failure(.unknown) }
        let callback = RequestRecord.Callback(fingerprint: response.fingerprint, browserHash: browser)
        let outcome = outcome(record, kind, answer)
        return try await end(
            record.id, with: outcome, by: .settle(callback, release, outcome, code: response.codeDigest), tell: tell)
    }

    /// As ``claim(_:for:from:release:by:tell:)``, but what the response brought is kept until the release.
    /// - Parameter tell: of the callback and of the held code, as for ``cancel(_:answer:tell:)``.
    public func hold(
        _ record: RequestRecord, for response: CheckedResponse, from browser: SHA256Digest?, _ content: HeldResponse,
        until proof: RequestRecord.Held.Proof, tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard response.stateHash == record.stateHash else { return .failure(.unknown) }
        let callback = RequestRecord.Callback(fingerprint: response.fingerprint, browserHash: browser)
        let policy = policy
        let held = RequestRecord.Held(
            proof: proof, sealed: policy.keys.seal(content.packed, context: "held \(record.id)"),
            until: clock() + policy.lifetimes.release, attempts: policy.lifetimes.releaseAttempts)
        return try await apply(
            .hold(callback, held, code: response.codeDigest), to: record.id, telling: .hold(held.sealed, tell: tell))
    }

    /// Opens what ``hold(_:for:from:_:until:tell:)`` sealed; nil for a request that holds nothing.
    public func heldResponse(of record: RequestRecord) -> HeldResponse? {
        record.held.flatMap { open($0.sealed, "held", of: record) }.flatMap { HeldResponse(packed: $0) }
    }

    /// Keeps a response whose browser has to come again, for `lifetime`, in the place of an earlier one.
    public func park(
        _ content: [UInt8], for id: RequestID, lifetime: Duration
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let sealed = policy.keys.seal(content, context: "parked \(id)")
        return try await apply(.park(RequestRecord.Parked(sealed: sealed, until: clock() + lifetime)), to: id)
    }

    /// What ``park(_:for:lifetime:)`` kept last; nil once it is too old.
    public func parked(of record: RequestRecord) -> [UInt8]? {
        record.parked.flatMap { open($0.sealed, "parked", of: record) }
    }

    /// A callback came in another browser than the one that started: its code is never taken for this request.
    /// - Parameters:
    ///   - response: of this request; another one's is refused as `unknown`.
    ///   - answer: the body that the app gets when it was the last one that may come so.
    ///   - tell: of the end by that one, as for ``cancel(_:answer:tell:)``.
    /// - Returns: the request; nil when the response has no code that could be taken.
    public func refuseCode(
        of response: CheckedResponse, for record: RequestRecord, answer: [UInt8],
        tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord?, RequestTransition.Refusal> {
        guard response.stateHash == record.stateHash else { return .failure(.unknown) }
        guard let code = response.codeDigest else { return .success(nil) }
        let outcome = outcome(record, .failed(.releaseFailed), answer)
        let result = try await end(record.id, with: outcome, by: .refuseCode(code, outcome)) { record in
            if record.isFinished { tell(record) }
        }
        return result.map(Optional.some)
    }
}

extension CheckedResponse {
    /// What a code is known again by, whatever an issuer may overlook in it: blanks and control characters around it, the
    /// padding of base64 and which of its two alphabets it is in. Codes are random, so no two of them differ in that only.
    /// nil for an error.
    fileprivate var codeDigest: ShortDigest? {
        guard case .code(let code) = outcome else { return nil }
        return ShortDigest(SHA256Digest(of: code.exposedBytes.filter { ASCII.isAlphanumeric($0) }))
    }
}
