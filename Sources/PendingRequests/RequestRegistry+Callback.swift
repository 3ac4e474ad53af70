public import SwitchyardCrypto
public import SwitchyardOAuth
internal import SwitchyardText

/// The effects of a callback on its request: it claims it, has its code held, has its browser come again, or is
/// refused.
extension RequestRegistry {
    /// Gives the request to the response that came, to be redeemed at once; exactly one response ever gets it. From
    /// then on the record says that the code may be spent.
    /// - Parameters:
    ///   - response: a response that the checks have matched to this request; another one's is refused as `unknown`.
    ///   - browser: the digest of the cookie of the browser that brought it; nil when it was relayed.
    ///   - claim: made by ``makeClaim()``, for a caller that needs to know it.
    ///   - tell: reports the claim. If the store takes it without confirming it, the gateway that takes it up reports
    ///     it (``takeUp(_:of:)``).
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

    /// As ``claim(_:for:from:release:by:tell:)``, but the response is the outcome too, and the request ends with it in
    /// the same step. If the store does not take it, the response may come again.
    /// - Parameters:
    ///   - answer: the body that the app gets.
    ///   - tell: reports the callback and the end, as for ``cancel(_:answer:tell:)``.
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

    /// As ``claim(_:for:from:release:by:tell:)``, but the response's content is kept until the release.
    /// - Parameter tell: reports the callback and the held code, as for ``cancel(_:answer:tell:)``.
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

    /// Opens the response that ``hold(_:for:from:_:until:tell:)`` sealed; nil for a request without one.
    public func heldResponse(of record: RequestRecord) -> HeldResponse? {
        record.held.flatMap { open($0.sealed, "held", of: record) }.flatMap { HeldResponse(packed: $0) }
    }

    /// Keeps a response for `lifetime`, in the place of an earlier one, until its browser comes again.
    public func park(
        _ content: [UInt8], for id: RequestID, lifetime: Duration
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let sealed = policy.keys.seal(content, context: "parked \(id)")
        return try await apply(.park(RequestRecord.Parked(sealed: sealed, until: clock() + lifetime)), to: id)
    }

    /// The response that ``park(_:for:lifetime:)`` kept last; nil once it is too old.
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
    /// The digest that recognizes a code in spite of differences that issuers may overlook. These are blanks and
    /// control characters around it, the padding of base64 and its two alphabets. Codes are random, so two of them
    /// always differ in more. nil for an error.
    fileprivate var codeDigest: ShortDigest? {
        guard case .code(let code) = outcome else { return nil }
        return ShortDigest(SHA256Digest(of: code.exposedBytes.filter { ASCII.isAlphanumeric($0) }))
    }
}
