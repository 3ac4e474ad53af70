internal import SwitchyardCrypto
internal import Synchronization

/// Steps of requests that are not reported yet: the store has not answered, or has failed and may still have taken
/// them. Requests that may have begun so are here, too. Safe from any thread.
///
/// A step is reported by the first caller that sees that the store has taken it. That is nearly always the caller that
/// asked for it; another one may look at the request a moment earlier.
final class LateSteps: Sendable {
    typealias Report = RequestRegistry.Report

    /// The trace of a step in the record, by which a later look recognizes that the store has taken it.
    enum Effect: Hashable, Sendable {
        /// An end, by its unread outcome: the tries of one end may differ in whether the app reads it at once.
        case end(RequestRecord.Outcome)
        /// A held code, by its sealed bytes.
        case hold([UInt8])
        /// A claim, by the number of its claimant. The claimant waits until it knows
        /// (``RequestRegistry/takeUp(_:of:while:)``).
        case claim(UInt64)
        /// A request without an owner, because its token was never given out: it is withdrawn.
        case begin(ShortDigest)

        /// nil for a step that is reported only if the store confirms it.
        init?(of transition: RequestTransition) {
            switch transition {
            case .settle(_, _, let outcome, _), .refuseCode(_, let outcome), .refusePush(let outcome),
                .miss(let outcome), .deny(let outcome), .finish(let outcome, _), .cancel(let outcome):
                self = .end(outcome.unread)
            case .hold(_, let held, _): self = .hold(held.sealed)
            case .claim(_, _, let claim, _), .release(let claim, _): self = .claim(claim.claimant)
            case .park, .push, .noteForeignWatcher, .prolong, .read, .acknowledge, .age, .withdraw: return nil
            }
        }

        /// Whether a request is as this step has left it.
        fileprivate func isSeen(in record: RequestRecord) -> Bool {
            switch self {
            case .end(let outcome):
                // If the answer is gone, kind and time identify the outcome.
                guard let taken = record.outcome else { return false }
                return taken.kind == outcome.kind && taken.finishedAt == outcome.finishedAt
                    && (taken.sealedAnswer == nil || taken.answer == outcome.answer)
            case .hold(let sealed): return record.held?.sealed == sealed
            case .claim(let claimant): return record.claim?.claimant == claimant
            case .begin(let token): return record.resultTokenHash == token
            }
        }
    }

    /// How ``ask(_:of:_:)`` noted a step.
    enum Noting {
        case first
        /// The store failed when it was asked for this step before, and may have taken it.
        case again
        /// The step is not noted: only the caller can report it.
        case noRoom
    }

    private struct Step {
        let effect: Effect
        let report: Report
        /// Whether a caller waits for the store's answer.
        var isAsked: Bool
    }

    private struct Entry {
        var steps: [Step] = []
        /// How often the store has shown the request without any of the late steps.
        var looks = 0

        /// Whether a caller waits for the store's answer to one of the steps.
        var isAsked: Bool { steps.contains { $0.isAsked } }

        func index(of effect: Effect) -> Int? { steps.firstIndex { $0.effect == effect } }
    }

    private let entries = Mutex<[RequestID: Entry]>([:])
    /// Whether there are no entries. It is beside the table, so that callers need no lock then.
    private let isEmpty = Atomic(true)
    /// The limits of the table. Further steps are not noted, so their reports are lost. Callers that look at the request
    /// still see them.
    private static let maximum = (requests: 4096, steps: 8)
    /// The number of looks after which a step that does not show is given up. Several, because an abandoned connection may
    /// deliver its commands later than another connection.
    private static let maximumLooks = 3

    /// The requests with steps for which no caller waits any more.
    var late: [RequestID] {
        guard !isEmpty.load(ordering: .relaxed) else { return [] }
        return entries.withLock { entries in entries.filter { $0.value.steps.contains { !$0.isAsked } }.map(\.key) }
    }

    func contains(_ id: RequestID) -> Bool {
        !isEmpty.load(ordering: .acquiring) && entries.withLock { $0[id] != nil }
    }

    /// Notes a step before the store is asked for it. The caller must call ``answered(_:of:with:)`` or
    /// ``failed(_:of:)`` afterwards.
    func ask(_ effect: Effect, of id: RequestID, _ report: @escaping Report) -> Noting {
        entries.withLock { entries in
            if let index = entries[id]?.index(of: effect) {
                entries[id]?.steps[index].isAsked = true
                return .again
            }
            return insert(Step(effect: effect, report: report, isAsked: true), of: id, &entries) ? .first : .noRoom
        }
    }

    /// Forgets a step to which the store has said yes or no.
    ///
    /// A step that the store has taken is reported first, under the lock: a caller that no longer finds the step comes
    /// after the report.
    /// - Parameter record: the record after the step; nil if the store has refused it.
    func answered(_ effect: Effect, of id: RequestID, with record: RequestRecord?) {
        entries.withLock { entries in
            guard let index = entries[id]?.index(of: effect) else { return }
            if let record { entries[id]?.steps[index].report(record) }
            entries[id]?.steps.remove(at: index)
            if entries[id]?.steps.isEmpty == true { entries[id] = nil }
            isEmpty.store(entries.isEmpty, ordering: .releasing)
        }
    }

    /// Notes that the store has failed: it may take the step later, or have taken it. A claimant goes on waiting.
    func failed(_ effect: Effect, of id: RequestID) {
        if case .claim = effect { return }
        giveUp(effect, of: id)
    }

    /// Notes that no caller waits for the step any more.
    func giveUp(_ effect: Effect, of id: RequestID) {
        entries.withLock { entries in
            if let index = entries[id]?.index(of: effect) { entries[id]?.steps[index].isAsked = false }
        }
    }

    /// Notes a step that the store may take later, or has taken.
    func add(_ effect: Effect, of id: RequestID, _ report: @escaping Report = { _ in }) {
        entries.withLock { entries in
            _ = insert(Step(effect: effect, report: report, isAsked: false), of: id, &entries)
        }
    }

    private func insert(_ step: Step, of id: RequestID, _ entries: inout [RequestID: Entry]) -> Bool {
        guard entries[id] != nil || entries.count < Self.maximum.requests,
            entries[id]?.steps.count ?? 0 < Self.maximum.steps
        else { return false }
        entries[id, default: Entry()].steps.append(step)
        isEmpty.store(false, ordering: .relaxed)
        return true
    }

    /// Reports, once, the steps that the store has taken; under the lock, as ``answered(_:of:with:)`` does.
    /// - Parameter record: the store's present record; nil if it has no such record.
    /// - Returns: the token of a request to withdraw; for every caller, until ``forget(_:)``.
    func take(_ id: RequestID, in record: RequestRecord?) -> ShortDigest? {
        entries.withLock { entries in
            guard var entry = entries[id] else { return nil }
            var withdrawn: ShortDigest?
            entry.steps.removeAll { step in
                guard let record, step.effect.isSeen(in: record) else { return false }
                if case .begin(let token) = step.effect {
                    withdrawn = token
                    return false
                }
                step.report(record)
                return true
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
