public import SwitchyardCrypto

/// Remembers what counts once, for all gateways of a store: proofs of possession (RFC 9449 section 11.1), and callbacks that were
/// handed over without a request. Safe from any thread.
public protocol ProofStore: Sendable {
    /// Marks a proof as used with a request. No more than ``ProofUse/maximum`` of one request are remembered at a time, so
    /// that what they take is counted with it (``CountedBytes``).
    /// - Parameter until: when it is no longer good, and may be forgotten.
    func use(
        _ proof: ShortDigest, of request: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreError) -> ProofUse

    /// Undoes a use, so that the next one is the first again. A use with another end stays.
    /// - Parameter until: the end with which it was used.
    func undoUse(
        _ proof: ShortDigest, of request: RequestID, until: Timestamp
    ) async throws(StoreError)
}

/// The result of using a proof of possession.
public enum ProofUse: Hashable, Sendable {
    /// It came for the first time.
    case first
    /// It was used with this request before, and would still be good.
    case repeated
    /// The request has the maximum of recent proofs. The proof was not marked, and may be tried again.
    case tooMany

    /// The maximum of valid proofs of one request.
    public static let maximum = 128
}
