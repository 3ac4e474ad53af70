internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
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
        /// Whose share of the room it takes.
        let owner: String
        let until: Instant

        var size: Int { parked.query.count + parked.content.count }
    }

    private struct State {
        var entries: [RequestID: Entry] = [:]
        var bytes = 0
        var bytesByOwner: [String: Int] = [:]

        mutating func remove(_ id: RequestID) {
            guard let entry = entries.removeValue(forKey: id) else { return }
            count(-entry.size, for: entry.owner)
        }

        mutating func count(_ size: Int, for owner: String) {
            bytes += size
            let owned = bytesByOwner[owner, default: 0] + size
            bytesByOwner[owner] = owned > 0 ? owned : nil
        }
    }

    private static let lifetime = Duration.seconds(60)
    private static let maximumBytes = 64 << 20
    /// Of the requests that one address, or one user, has begun: some hundred responses of usual size.
    private static let maximumBytesForOwner = 1 << 20
    /// As large as a response can be that comes in the address.
    private static let maximumSize = 16 << 10

    private let state = Mutex(State())

    /// Keeps a callback in the place of an earlier one of the same request.
    /// - Returns: the handle to ask for it with, or nil when there is no room.
    func park(_ parked: Parked, for record: RequestRecord, at now: Instant) -> String? {
        let owner = record.beginner.addressKey ?? ""
        let entry = Entry(
            parked: parked, handle: Random.token(byteCount: 16), owner: owner, until: now + Self.lifetime)
        return state.withLock { state in
            state.remove(record.id)
            guard entry.size <= Self.maximumSize, state.bytes + entry.size <= Self.maximumBytes,
                state.bytesByOwner[owner, default: 0] + entry.size <= Self.maximumBytesForOwner
            else { return nil }
            state.entries[record.id] = entry
            state.count(entry.size, for: owner)
            return entry.handle
        }
    }

    /// Forgets the callback of a request that has ended.
    func remove(_ id: RequestID) {
        state.withLock { $0.remove(id) }
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
