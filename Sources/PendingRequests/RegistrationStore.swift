public import SwitchyardCrypto

/// A sealed record of a client that registered itself, as a store has it.
public struct SealedRegistration: Hashable, Sendable {
    public let sealed: [UInt8]
    /// The time after which the store may forget it.
    public let until: Timestamp

    public init(sealed: [UInt8], until: Timestamp) {
        self.sealed = sealed
        self.until = until
    }

    /// The largest record that is read or written, in bytes.
    public static let maximumBytes = 32 * 1024
    /// The largest number of records. At one more, the record that would be forgotten first gives way.
    public static let maximumCount = 10_000
}

/// Keeps the records of registered clients, for all gateways of a store. Safe from any thread.
///
/// A record is replaced only if it is still the one that was read, so of several gateways one wins.
public protocol RegistrationStore: Sendable {
    /// The sealed record under a key; nil for an unknown key.
    func registration(_ key: ShortDigest, at now: Timestamp) async throws(StoreError) -> [UInt8]?

    /// Replaces a record.
    /// - Parameters:
    ///   - seen: the sealed record as it was read; nil if there was none.
    ///   - new: nil removes the record.
    /// - Returns: whether it was replaced; false if another gateway was quicker, which changes nothing.
    /// - Throws: ``StoreError``; then it may have been replaced.
    func replaceRegistration(
        _ key: ShortDigest, _ seen: [UInt8]?, by new: SealedRegistration?, at now: Timestamp
    ) async throws(StoreError) -> Bool
}

extension RequestRegistry {
    /// The record that a store has for a key.
    public struct StoredRegistration: Sendable {
        fileprivate let sealed: [UInt8]?
        /// nil without a record, and for a damaged one.
        public let content: [UInt8]?
        /// Whether it is sealed with an earlier key, which will be taken out of the configuration some day.
        public fileprivate(set) var isOfEarlierKey = false
        /// Whether the record was written with other keys. Such a record counts as missing: a key that was taken out of
        /// the configuration must not end sign-ins for good.
        public var isDamaged: Bool { sealed != nil && content == nil }
    }

    /// Reads the record of a registered client.
    /// - Parameter other: a store in place of the registry's own.
    public func registration(
        _ key: ShortDigest, in other: (any RegistrationStore)? = nil
    ) async throws(StoreError) -> StoredRegistration {
        let sealed = try await ask(.registration) { () async throws(StoreError) in
            try await (other ?? store).registration(key, at: now)
        }
        guard let sealed, sealed.count <= SealedRegistration.maximumBytes else {
            return StoredRegistration(sealed: sealed, content: nil)
        }
        let keys = policy.keys
        var stored = StoredRegistration(sealed: sealed, content: try? keys.open(sealed, context: Self.context(key)))
        stored.isOfEarlierKey = !keys.isOfNewest(sealed)
        return stored
    }

    /// Replaces the record of a registered client.
    /// - Parameter content: nil removes it.
    /// - Returns: the record as it stands now; nil if another caller was quicker.
    public func replace(
        _ seen: StoredRegistration, _ key: ShortDigest, by content: [UInt8]?, until: Timestamp,
        in other: (any RegistrationStore)? = nil
    ) async throws(StoreError) -> StoredRegistration? {
        // A second sealing of the same content has other bytes.
        let new = content.map {
            SealedRegistration(sealed: policy.keys.seal($0, context: Self.context(key)), until: until)
        }
        guard new.map({ $0.sealed.count <= SealedRegistration.maximumBytes }) ?? true else {
            throw StoreError("a registered client has more than \(SealedRegistration.maximumBytes) bytes")
        }
        let isDone = try await ask(.registration) { () async throws(StoreError) in
            try await (other ?? store).replaceRegistration(key, seen.sealed, by: new, at: now)
        }
        return isDone ? StoredRegistration(sealed: new?.sealed, content: content) : nil
    }

    private static func context(_ key: ShortDigest) -> String { "registration \(Base64URL.encode(key.bytes))" }
}
