internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import Synchronization

/// Some records, as this gateway saw them last. A record may be outdated, so each write has the condition that it is not.
/// Safe from any thread: a callback often comes to another loop than the call that began its request.
final class KnownRecords: Sendable {
    fileprivate static let maximum = 2048
    /// The bytes of a record at the most. With the number of records it bounds them to 32 MiB, each packed and unpacked.
    private static let maximumSize = 8 << 10

    fileprivate struct State {
        var entries: [RequestID: StoredRecord] = [:]
        /// The requests that wait for their callback, by the digests of their states.
        var pending: [SHA256Digest: RequestID] = [:]
        /// The ids in the order in which they came; some are forgotten already.
        var order: [RequestID] = []
        var next = 0
    }

    private let state = Mutex(State())

    subscript(id: RequestID) -> StoredRecord? { state.withLock { $0.entries[id] } }

    /// The request with this state, if it waited for its callback when it was seen last.
    func pending(_ stateHash: SHA256Digest) -> StoredRecord? {
        state.withLock { state in state.pending[stateHash].flatMap { state.entries[$0] } }
    }

    func note(_ stored: StoredRecord) {
        // A tombstone takes no more steps.
        if stored.record.isTombstone || stored.size > Self.maximumSize { return forget(stored.record.id) }
        state.withLock { $0.note(stored) }
    }

    func forget(_ id: RequestID) { state.withLock { $0.forget(id) } }

    func forgetAll() { state.withLock { $0 = State() } }
}

extension KnownRecords.State {
    fileprivate mutating func note(_ stored: StoredRecord) {
        let record = stored.record
        if case .pending = record.phase {
            pending[record.stateHash] = record.id
        } else {
            pending[record.stateHash] = nil
        }
        if entries.updateValue(stored, forKey: record.id) != nil { return }
        if order.count < KnownRecords.maximum {
            order.append(record.id)
        } else {
            forget(order[next])
            order[next] = record.id
            next = (next + 1) % KnownRecords.maximum
        }
    }

    fileprivate mutating func forget(_ id: RequestID) {
        guard let old = entries.removeValue(forKey: id) else { return }
        pending[old.record.stateHash] = nil
    }
}
