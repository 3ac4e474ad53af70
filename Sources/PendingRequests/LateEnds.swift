internal import Synchronization

/// Ends of requests of which the store did not say that it has taken them, and which it may have taken all the same. Safe from
/// any thread.
final class LateEnds: Sendable {
    /// Tells of an end; on any thread.
    typealias Tell = @Sendable (RequestRecord) -> Void

    struct End: Sendable {
        let outcome: RequestRecord.Outcome
        let tell: Tell

        /// Whether this is how a request has ended. Of an answer that is gone, kind and time say so.
        func isEnd(of record: RequestRecord) -> Bool {
            guard let taken = record.outcome else { return false }
            return taken.kind == outcome.kind && taken.finishedAt == outcome.finishedAt
                && (taken.sealedAnswer == nil || taken.answer == outcome.answer)
        }
    }

    private let ends = Mutex<[RequestID: End]>([:])
    /// Beside the table, so that nobody has to lock it while it is empty.
    private let isEmpty = Atomic(true)
    /// Of more only the end itself is lost sight of: who asks for the request gets its answer.
    private static let maximum = 4096

    var ids: [RequestID] { isEmpty.load(ordering: .relaxed) ? [] : ends.withLock { Array($0.keys) } }

    func contains(_ id: RequestID) -> Bool {
        !isEmpty.load(ordering: .relaxed) && ends.withLock { $0[id] != nil }
    }

    func add(_ end: End, of id: RequestID) {
        ends.withLock { ends in
            guard ends.count < Self.maximum else { return }
            ends[id] = end
            isEmpty.store(false, ordering: .relaxed)
        }
    }

    /// - Returns: what was known of the request, which nobody else gets.
    func take(_ id: RequestID) -> End? {
        ends.withLock { ends in
            let end = ends.removeValue(forKey: id)
            isEmpty.store(ends.isEmpty, ordering: .relaxed)
            return end
        }
    }
}
