public import SwitchyardCrypto
internal import Synchronization

/// Records of registered clients in this process's memory. Safe from any thread.
public final class RegistrationTable: RegistrationStore {
    private let rows = Mutex<[ShortDigest: SealedRegistration]>([:])

    public init() {}

    public func registration(_ key: ShortDigest, at now: Timestamp) async throws(StoreError) -> [UInt8]? {
        find(key, at: now)
    }

    public func replaceRegistration(
        _ key: ShortDigest, _ seen: [UInt8]?, by new: SealedRegistration?, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        rows.withLock { rows in
            guard Self.sealed(rows[key], at: now) == seen else { return false }
            if rows[key] == nil, new != nil, let last = Self.surplus(rows, adding: 1) { rows[last] = nil }
            rows[key] = new
            return true
        }
    }

    package func find(_ key: ShortDigest, at now: Timestamp) -> [UInt8]? {
        rows.withLock { Self.sealed($0[key], at: now) }
    }

    /// Whether there is a row, even an expired one.
    package func has(_ key: ShortDigest) -> Bool { rows.withLock { $0[key] != nil } }

    package func set(_ key: ShortDigest, _ new: SealedRegistration?) { rows.withLock { $0[key] = new } }

    /// The record that gives way to new ones; nil while there is room.
    package func surplus(adding count: Int) -> ShortDigest? { rows.withLock { Self.surplus($0, adding: count) } }

    /// Forgets expired rows.
    package func forget(at now: Timestamp) {
        rows.withLock { rows in if !rows.isEmpty { rows = rows.filter { now < $0.value.until } } }
    }

    private static func sealed(_ row: SealedRegistration?, at now: Timestamp) -> [UInt8]? {
        row.flatMap { now < $0.until ? $0.sealed : nil }
    }

    private static func surplus(_ rows: [ShortDigest: SealedRegistration], adding count: Int) -> ShortDigest? {
        guard rows.count + count > SealedRegistration.maximumCount else { return nil }
        return rows.min { $0.value.until < $1.value.until }?.key
    }
}
