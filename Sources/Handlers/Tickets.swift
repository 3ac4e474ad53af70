internal import SwitchyardCrypto
internal import SwitchyardReactor
internal import Synchronization

/// Callbacks that programs fetch by a ticket. A list of processes shows the ticket, so it works once, for a short
/// while, and for the user of this gateway only. Safe from any thread.
public final class Tickets: Sendable {
    private struct Entry {
        let delivery: Delivery
        let taken: Signal
        var isTaken = false
        /// Whether the ticket is invalid; its program may still be running.
        var isOver = false
    }

    /// By a digest of the ticket, so that a look-up takes the same time for any of them.
    private let entries = Mutex<[SHA256Digest: Entry]>([:])

    /// The limits for one app, and altogether. Tickets that were not fetched count while their programs run.
    static let (maximumPerApp, maximum) = (16, 256)

    public init() {}

    /// A ticket for a callback; nil when too many are out.
    /// - Parameter taken: raised once it was used.
    func issue(_ delivery: Delivery, taken: Signal) -> String? {
        // The prefix keeps programs from taking a token that begins with "-" for an option.
        let ticket = "sy-\(Random.token(byteCount: 16))"
        return entries.withLock { entries in
            guard entries.count < Self.maximum,
                entries.values.count(where: { $0.delivery.app == delivery.app }) < Self.maximumPerApp
            else { return nil }
            entries[SHA256Digest(of: ticket)] = Entry(delivery: delivery, taken: taken)
            return ticket
        }
    }

    /// The callback for a ticket, once; nil for one that is unknown, was used, or has expired.
    public func use(_ ticket: String) -> Delivery? {
        let found = entries.withLock { entries -> Entry? in
            guard let entry = entries[SHA256Digest(of: ticket)], !entry.isTaken, !entry.isOver else { return nil }
            entries[SHA256Digest(of: ticket)]?.isTaken = true
            return entry
        }
        found?.taken.raise()
        return found?.delivery
    }

    /// Ends a ticket. One that was not used keeps its place until ``giveUpPlace(of:)``.
    /// - Returns: whether it was used.
    func end(_ ticket: String) -> Bool {
        let digest = SHA256Digest(of: ticket)
        return entries.withLock { entries in
            guard let entry = entries[digest] else { return false }
            entries[digest]?.isOver = true
            if entry.isTaken { entries[digest] = nil }
            return entry.isTaken
        }
    }

    /// The program of a ticket that was not used is gone.
    func giveUpPlace(of ticket: String) {
        entries.withLock { $0[SHA256Digest(of: ticket)] = nil }
    }
}
