public import SwitchyardCrypto

/// Remembers digests that may be used once, for all gateways of a store. A digest stands for a proof of possession
/// (RFC 9449 section 11.1), or for a callback that is handed over without a request. Safe from any thread.
public protocol OneTimeStore: Sendable {
    /// Uses a digest. The store remembers at most ``OneTimeUse/maximum`` uses with one id at a time, so that the bytes of
    /// the request include them (``CountedBytes``).
    /// - Parameters:
    ///   - id: the request, or the callback.
    ///   - until: the end of the use: the store may forget it then.
    func use(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreError) -> OneTimeUse

    /// Undoes a use, so that the next one is the first again. A use with another end stays.
    /// - Parameter until: the end that ``use(_:of:until:at:)`` got.
    func undoUse(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp
    ) async throws(StoreError)
}

/// The result of using a digest that may be used once.
public enum OneTimeUse: Hashable, Sendable {
    /// It was used for the first time.
    case first
    /// It was used with this id before, and that use has not ended.
    case repeated
    /// The id has the maximum of uses that have not ended. The digest was not used, and may be tried again.
    case tooMany

    /// The maximum of uses with one id that have not ended.
    public static let maximum = 128
}
