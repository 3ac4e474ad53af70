internal import SwitchyardReactor
internal import Synchronization

/// Warns of records in Redis that no gateway with these keys has written. Safe from any thread.
final class UnusableRecords: Sendable {
    /// The shortest time between equal reports.
    private static let interval = Duration.seconds(600)

    private let warn: @Sendable (String) -> Void
    private let next = Mutex<[UnusableRecordError: Instant]>([:])

    init(_ warn: @escaping @Sendable (String) -> Void) {
        self.warn = warn
    }

    func note(_ reason: UnusableRecordError, at now: Instant = .now()) {
        let isDue = next.withLock { next in
            guard now >= next[reason] ?? now else { return false }
            next[reason] = now + Self.interval
            return true
        }
        guard isDue, let words = Self.words(reason) else { return }
        warn(words)
    }

    /// The warning for a reason; nil for a reason that the store throws instead.
    private static func words(_ reason: UnusableRecordError) -> String? {
        switch reason {
        case .notAuthentic:
            "holds a request that no gateway with these encryption_keys has written, or that was changed since; it counts "
                + "as unknown; let only gateways write there (a Redis user of their own)"
        case .notSigned:
            "holds a request without a signature, as an earlier version of the gateway wrote it; it counts as "
                + "unknown, and its sign-in has to begin again"
        case .unknownKey, .newerVersion: nil
        }
    }
}
