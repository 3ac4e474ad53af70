internal import SwitchyardCrypto
internal import Synchronization

/// What the store may have taken although it did not say so: steps of requests, and requests that begin. Safe from any thread.
final class LateSteps: Sendable {
    /// Tells of a step; on any thread.
    typealias Tell = @Sendable (RequestRecord) -> Void

    enum Step: Sendable {
        /// The end of a request: it is told of.
        case end(RequestRecord.Outcome, tell: Tell)
        /// A code that is held, by its sealed bytes: it is told of.
        case hold([UInt8], tell: Tell)
        /// A request whose token nobody was given: it is withdrawn.
        case begin(ShortDigest)

        /// Whether it is told of, and nothing else.
        var isTold: Bool { if case .begin = self { false } else { true } }

        /// Whether a request is as this step has left it.
        func isTaken(in record: RequestRecord) -> Bool {
            switch self {
            case .end(let outcome, _):
                // Of an answer that is gone, kind and time say so.
                guard let taken = record.outcome else { return false }
                return taken.kind == outcome.kind && taken.finishedAt == outcome.finishedAt
                    && (taken.sealedAnswer == nil || taken.answer == outcome.answer)
            case .hold(let sealed, _): return record.held?.sealed == sealed
            case .begin(let token): return record.resultTokenHash == token
            }
        }
    }

    private struct Entry {
        var steps: [Step] = []
        /// How often the store has shown the request, and none of them was taken.
        var looks = 0
    }

    private let entries = Mutex<[RequestID: Entry]>([:])
    /// Beside the table, so that nobody has to lock it while it is empty.
    private let isEmpty = Atomic(true)
    /// Of more only the step itself is lost sight of: who asks for the request sees it.
    private static let maximum = (requests: 4096, steps: 8)
    /// A connection that was given up may still bring what was sent on it, later than another one.
    private static let maximumLooks = 3

    var ids: [RequestID] { isEmpty.load(ordering: .relaxed) ? [] : entries.withLock { Array($0.keys) } }

    func contains(_ id: RequestID) -> Bool {
        !isEmpty.load(ordering: .relaxed) && entries.withLock { $0[id] != nil }
    }

    func add(_ step: Step, of id: RequestID) {
        entries.withLock { entries in
            guard entries[id] != nil || entries.count < Self.maximum.requests else { return }
            if entries[id, default: Entry()].steps.count < Self.maximum.steps {
                entries[id, default: Entry()].steps.append(step)
            }
            isEmpty.store(false, ordering: .relaxed)
        }
    }

    /// - Parameter record: as the store has it now; nil where it has none.
    /// - Returns: what it has taken. Who is to be told nobody else gets; what is to be withdrawn everybody, until ``forget(_:)``.
    func take(_ id: RequestID, in record: RequestRecord?) -> [Step] {
        entries.withLock { entries in
            guard var entry = entries[id] else { return [] }
            let taken = record.map { record in entry.steps.filter { $0.isTaken(in: record) } } ?? []
            if let record { entry.steps.removeAll { $0.isTold && $0.isTaken(in: record) } }
            entry.looks += 1
            // Nothing comes after an end.
            let isOver = entry.steps.isEmpty || record?.isFinished == true || entry.looks >= Self.maximumLooks
            entries[id] = isOver ? nil : entry
            isEmpty.store(entries.isEmpty, ordering: .relaxed)
            return taken
        }
    }

    /// There is nothing left to do of a request.
    func forget(_ id: RequestID) {
        entries.withLock { entries in
            entries[id] = nil
            isEmpty.store(entries.isEmpty, ordering: .relaxed)
        }
    }
}
