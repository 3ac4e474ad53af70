public import SwitchyardCrypto
public import SwitchyardOAuth
internal import SwitchyardText

/// The effects of a callback on its request. The callback claims the request, its code is held, its browser must come
/// again, or it is refused.
extension RequestRegistry {
    /// The effect of a response that its request accepts.
    public enum Acceptance: Sendable {
        /// The code is redeemed at once. From then on the record says that it may be spent.
        /// - Parameter claim: made by ``makeClaim()``.
        case redeem(by: RequestRecord.Claim, RequestRecord.Release)
        /// The response is the outcome too, and the request ends with it in the same step.
        /// - Parameter answer: the body that the app gets.
        case end(RequestRecord.Outcome.Kind, answer: [UInt8], RequestRecord.Release)
        /// The store holds the response until its release.
        case hold(HeldResponse, until: RequestRecord.Held.Proof)
    }

    /// Gives the request to the response that came; exactly one response ever gets it.
    /// - Parameters:
    ///   - response: a response of this request; that of another request is refused as `unknown`.
    ///   - browser: the digest of the cookie of the browser that brought it; nil when it was relayed.
    ///   - report: reports the callback, and what came with it. If the store does not confirm that a code is being
    ///     redeemed, the caller must call ``takeUp(_:of:while:)``.
    /// - Throws: ``StoreError``; then the response may come again, unless the store has taken it.
    public func accept(
        _ response: CheckedResponse, for record: RequestRecord, from browser: SHA256Digest?, _ acceptance: Acceptance,
        report: @escaping Report = { _ in }
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard response.stateHash == record.stateHash else { return .failure(.unknown) }
        let callback = RequestRecord.Callback(fingerprint: response.fingerprint, browserHash: browser)
        let transition: RequestTransition =
            switch acceptance {
            case .redeem(let claim, let release): .claim(callback, release, claim, code: response.codeDigest)
            case .end(let kind, let answer, let release):
                .settle(callback, release, outcome(record, kind, answer), code: response.codeDigest)
            case .hold(let content, let proof):
                .hold(callback, held(content, until: proof, for: record), code: response.codeDigest)
            }
        return try await apply(transition, to: record.id, report: report)
    }

    private func held(
        _ content: HeldResponse, until proof: RequestRecord.Held.Proof, for record: RequestRecord
    ) -> RequestRecord.Held {
        let policy = policy
        return RequestRecord.Held(
            proof: proof, sealed: policy.keys.seal(content.packed, context: "held \(record.id)"),
            until: clock() + policy.lifetimes.release, attempts: policy.lifetimes.releaseAttempts)
    }

    /// Opens the held response of a request (``Acceptance/hold(_:until:)``); nil for a request without one.
    public func heldResponse(of record: RequestRecord) -> HeldResponse? {
        record.held.flatMap { open($0.sealed, "held", of: record) }.flatMap { HeldResponse(packed: $0) }
    }

    /// Keeps a response for `lifetime`, in the place of an earlier one, until its browser comes again.
    public func park(
        _ content: [UInt8], for id: RequestID, lifetime: Duration
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        let now = clock()
        let sealed = policy.keys.seal(content, context: "parked \(id)")
        return try await apply(.park(RequestRecord.Parked(sealed: sealed, until: now + lifetime)), to: id, at: now)
    }

    /// The response that ``park(_:for:lifetime:)`` stored last; nil once it is too old.
    public func parked(of record: RequestRecord) -> [UInt8]? {
        record.parked.flatMap { open($0.sealed, "parked", of: record) }
    }

    /// Refuses the code of a callback that came in another browser than the one that started.
    /// - Parameters:
    ///   - response: a response of this request; that of another request is refused as `unknown`.
    ///   - answer: the body that the app gets if this was the last such code that may come.
    ///   - report: reports the end of the request by the last such code.
    /// - Returns: the request; nil if the response has no code.
    public func refuseCode(
        of response: CheckedResponse, for record: RequestRecord, answer: [UInt8], report: @escaping Report
    ) async throws(StoreError) -> Result<RequestRecord?, RequestTransition.Refusal> {
        guard response.stateHash == record.stateHash else { return .failure(.unknown) }
        guard let code = response.codeDigest else { return .success(nil) }
        let outcome = outcome(record, .failed(.releaseFailed), answer)
        let result = try await apply(.refuseCode(code, outcome), to: record.id) { record in
            if record.isFinished { report(record) }
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
