internal import SwitchyardCrypto
internal import SwitchyardReactor
internal import Synchronization

/// The encryption keys that records of the store name and this gateway does not have: most likely they were taken out of the
/// configuration too early. Safe from any thread.
final class MissingKeys: Sendable {
    private struct Miss {
        var last: Instant
        var nextTelling: Instant
    }

    private let misses = Mutex<[String: Miss]>([:])

    /// A writer in the store may invent names of keys.
    private static let maximum = 16
    /// The shortest time between reports of one key.
    private static let interval = Duration.seconds(10)
    /// How long a key counts as missed. Most requests are over by then.
    private static let memory = Duration.seconds(600)

    /// Notes that a record could not be opened for want of a key.
    /// - Returns: whether to report it now.
    func note(_ id: String, at now: Instant) -> Bool {
        misses.withLock { misses in
            misses = misses.filter { now - $0.value.last < Self.memory }
            guard !id.isEmpty else { return false }
            if misses[id] == nil, misses.count >= Self.maximum,
                let oldest = misses.min(by: { $0.value.last < $1.value.last })
            {
                misses[oldest.key] = nil
            }
            let next = misses[id]?.nextTelling ?? now
            misses[id] = Miss(last: now, nextTelling: now >= next ? now + Self.interval : next)
            return now >= next
        }
    }

    /// The keys that were missed lately and that the ring still does not have.
    func ids(notIn keys: KeyRing, at now: Instant) -> [String] {
        misses.withLock { $0 }.filter { now - $0.value.last < Self.memory && !keys.hasKey($0.key) }.keys.sorted()
    }
}

extension RequestRegistry {
    /// Why sealed bytes cannot be read here; nil if they can, or if there are no sealed bytes.
    ///
    /// A key that this gateway does not have is reported to the operator, and again every ten seconds while it is
    /// missing.
    func missingKey(of sealed: [UInt8]?) -> String? {
        guard let sealed, let id = policy.keys.missingKey(of: sealed) else { return nil }
        noteMissing(key: id)
        return id
    }

    func noteMissing(key id: String) {
        if missingKeys.note(id, at: .now()) { report(.keyMissing(id: id)) }
    }

    /// The encryption keys that records named lately and that are not configured.
    public var keysMissed: [String] { missingKeys.ids(notIn: policy.keys, at: .now()) }
}
