internal import Crypto
internal import PendingRequests
internal import Reactor
internal import Routing
internal import Synchronization

/// Callbacks by POST whose browser has to come again, to show a cookie that it keeps back from a POST of another site.
/// In memory only, for a minute, one for each request. Safe from any thread.
final class ParkedCallbacks: Sendable {
    struct Parked: Sendable {
        let route: Route
        let query: [UInt8]
        let content: [UInt8]
    }

    private struct Entry {
        let parked: Parked
        let handle: String
        let until: Instant

        var size: Int { parked.query.count + parked.content.count }
    }

    private struct State {
        var entries: [RequestID: Entry] = [:]
        var bytes = 0

        mutating func remove(_ id: RequestID) {
            guard let entry = entries.removeValue(forKey: id) else { return }
            bytes -= entry.size
        }
    }

    private static let lifetime = Duration.seconds(60)
    private static let maximumBytes = 64 << 20

    private let state = Mutex(State())

    /// Keeps a callback in the place of an earlier one of the same request.
    /// - Returns: the handle to ask for it with, or nil when there is no room.
    func park(_ parked: Parked, for id: RequestID, at now: Instant) -> String? {
        let entry = Entry(parked: parked, handle: Random.token(byteCount: 16), until: now + Self.lifetime)
        return state.withLock { state in
            state.remove(id)
            guard state.bytes + entry.size <= Self.maximumBytes else { return nil }
            state.entries[id] = entry
            state.bytes += entry.size
            return entry.handle
        }
    }

    /// The callback of a handle. It stays until it is too old: a browser that asks twice gets the same answer
    /// twice.
    func find(_ handle: some StringProtocol, for id: RequestID, at now: Instant) -> Parked? {
        let entry = state.withLock { $0.entries[id] }
        guard let entry, now < entry.until,
            constantTimeEqual(Array(entry.handle.utf8), Array(handle.utf8))
        else { return nil }
        return entry.parked
    }

    /// Forgets what is too old; to be called about once a second.
    func age(at now: Instant) {
        state.withLock { state in
            for (id, entry) in state.entries where now >= entry.until { state.remove(id) }
        }
    }
}
