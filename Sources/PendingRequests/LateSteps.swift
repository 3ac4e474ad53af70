internal import SwitchyardCrypto
internal import Synchronization

/// Steps of requests that are not reported yet: the store has not answered, or has failed and may still have taken
/// them. Requests that may have begun so are here, too. Safe from any thread.
///
/// A step is reported by the first caller that sees that the store has taken it. That is nearly always the caller that
/// asked for it; another one may look at the request a moment earlier.
final class LateSteps: Sendable {
    /// Reports a step; on any thread.
    typealias Tell = @Sendable (RequestRecord) -> Void

    enum Step: Sendable {
        /// The end of a request, to be reported.
        case end(RequestRecord.Outcome, tell: Tell)
        /// A held code, by its sealed bytes, to be reported.
        case hold([UInt8], tell: Tell)
        /// A request without an owner, because its token was never given out: it is withdrawn.
        case begin(ShortDigest)

        /// Whether the step only needs to be reported.
        fileprivate var isTold: Bool { if case .begin = self { false } else { true } }

        func tell(_ record: RequestRecord) {
            switch self {
            case .end(_, let tell), .hold(_, let tell): tell(record)
            case .begin: break
            }
        }

        /// Whether a request is as this step has left it.
        fileprivate func isTaken(in record: RequestRecord) -> Bool {
            switch self {
            case .end(let outcome, _):
                // If the answer is gone, kind and time identify the outcome.
                guard let taken = record.outcome else { return false }
                return taken.kind == outcome.kind && taken.finishedAt == outcome.finishedAt
                    && (taken.sealedAnswer == nil || taken.answer == outcome.answer)
            case .hold(let sealed, _): return record.held?.sealed == sealed
            case .begin(let token): return record.resultTokenHash == token
            }
        }

        fileprivate func isSame(as other: Step) -> Bool {
            switch (self, other) {
            case (.end(let outcome, _), .end(let other, _)): outcome == other
            case (.hold(let sealed, _), .hold(let other, _)): sealed == other
            case (.begin(let token), .begin(let other)): token == other
            case (.end, _), (.hold, _), (.begin, _): false
            }
        }
    }

    /// How ``ask(_:of:)`` noted a step.
    enum Noting {
        case first
        /// The store failed when it was asked for this step before, and may have taken it.
        case again
        /// The step is not noted: only the caller can tell of it.
        case noRoom
    }

    private struct Entry {
        var steps: [(step: Step, isAsked: Bool)] = []
        /// How often the store has shown the request without any of the late steps.
        var looks = 0

        /// Whether a caller waits for the store's answer to one of the steps.
        var isAsked: Bool { steps.contains { $0.isAsked } }

        func index(of step: Step) -> Int? { steps.firstIndex { $0.step.isSame(as: step) } }
    }

    private let entries = Mutex<[RequestID: Entry]>([:])
    /// Beside the table, so that callers need no lock while it is empty.
    private let isEmpty = Atomic(true)
    /// Further steps are not noted, so their reports are lost; callers that look at the request still see them.
    private static let maximum = (requests: 4096, steps: 8)
    /// A connection that was given up may still bring what was sent on it, later than another one.
    private static let maximumLooks = 3

    /// The requests with steps for which no caller waits any more.
    var late: [RequestID] {
        guard !isEmpty.load(ordering: .relaxed) else { return [] }
        return entries.withLock { entries in entries.filter { $0.value.steps.contains { !$0.isAsked } }.map(\.key) }
    }

    func contains(_ id: RequestID) -> Bool {
        !isEmpty.load(ordering: .acquiring) && entries.withLock { $0[id] != nil }
    }

    /// Notes a step before the store is asked for it. The caller must call ``answered(_:of:)`` or ``failed(_:of:)``
    /// afterwards.
    func ask(_ step: Step, of id: RequestID) -> Noting {
        entries.withLock { entries in
            if let index = entries[id]?.index(of: step) {
                entries[id]?.steps[index].isAsked = true
                return .again
            }
            return insert(step, isAsked: true, of: id, &entries) ? .first : .noRoom
        }
    }

    /// Forgets a step to which the store has said yes or no.
    ///
    /// A step that the store has taken is told of first, under the lock: a caller that no longer finds the step comes
    /// after the report.
    /// - Parameter record: the record after the step; nil if the store has refused it.
    func answered(_ step: Step, of id: RequestID, with record: RequestRecord?) {
        entries.withLock { entries in
            guard let index = entries[id]?.index(of: step) else { return }
            if let record { step.tell(record) }
            entries[id]?.steps.remove(at: index)
            if entries[id]?.steps.isEmpty == true { entries[id] = nil }
            isEmpty.store(entries.isEmpty, ordering: .releasing)
        }
    }

    /// The store has failed: it may take the step later, or have taken it.
    func failed(_ step: Step, of id: RequestID) {
        entries.withLock { entries in
            if let index = entries[id]?.index(of: step) { entries[id]?.steps[index].isAsked = false }
        }
    }

    /// Notes a step that the store may take later, or has taken.
    func add(_ step: Step, of id: RequestID) {
        entries.withLock { entries in _ = insert(step, isAsked: false, of: id, &entries) }
    }

    private func insert(
        _ step: Step, isAsked: Bool, of id: RequestID, _ entries: inout [RequestID: Entry]
    ) -> Bool {
        guard entries[id] != nil || entries.count < Self.maximum.requests,
            entries[id]?.steps.count ?? 0 < Self.maximum.steps
        else { return false }
        entries[id, default: Entry()].steps.append((step, isAsked))
        isEmpty.store(false, ordering: .relaxed)
        return true
    }

    /// Tells, once, of the steps that the store has taken; under the lock, as ``answered(_:of:with:)`` does.
    /// - Parameter record: the store's present record; nil if it has no such record.
    /// - Returns: the token of a request to withdraw; for every caller, until ``forget(_:)``.
    func take(_ id: RequestID, in record: RequestRecord?) -> ShortDigest? {
        entries.withLock { entries in
            guard var entry = entries[id] else { return nil }
            var withdrawn: ShortDigest?
            if let record {
                for (step, _) in entry.steps where step.isTaken(in: record) {
                    step.tell(record)
                    if case .begin(let token) = step { withdrawn = token }
                }
                entry.steps.removeAll { $0.step.isTold && $0.step.isTaken(in: record) }
            }
            if !entry.isAsked { entry.looks += 1 }
            // An ended request takes no further step.
            let isOver = entry.steps.isEmpty || record?.isFinished == true || entry.looks >= Self.maximumLooks
            entries[id] = isOver && !entry.isAsked ? nil : entry
            isEmpty.store(entries.isEmpty, ordering: .releasing)
            return withdrawn
        }
    }

    /// Forgets all steps of a request.
    func forget(_ id: RequestID) {
        entries.withLock { entries in
            entries[id] = nil
            isEmpty.store(entries.isEmpty, ordering: .relaxed)
        }
    }
}
