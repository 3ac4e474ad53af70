internal import SwitchyardCrypto
internal import Synchronization

/// A part of the memory store: some of the requests, and when each has to be looked at again.
final class MemoryShard: Sendable {
    private struct State {
        /// Boxed, so that the table's free places cost a pointer and not a record.
        var entries: [RequestID: Entry] = [:]
        /// Requests by the second in which something is due for them. A request may stand in more than one.
        var due: [Int64: [RequestID]] = [:]
        /// Finished ones in the order in which they finished, for forgetting the oldest.
        var finished: [RequestID] = []
    }

    private final class Entry {
        var record: RequestRecord
        init(_ record: RequestRecord) { self.record = record }
    }

    struct Aged {
        var finished: [RequestRecord] = []
        var forgottenStates: [SHA256Digest] = []
    }

    private let state = Mutex(State())

    func add(_ record: RequestRecord) {
        state.withLock { state in
            state.entries[record.id] = Entry(record)
            Self.note(record.id, at: record.expiresAt, &state)
        }
    }

    func record(_ id: RequestID) -> RequestRecord? {
        state.withLock { $0.entries[id]?.record }
    }

    /// - Returns: the record after the step, and whether the step finished it.
    func apply(
        _ transition: RequestTransition, to id: RequestID, at now: Timestamp
    ) throws(RequestTransition.Refusal) -> (RequestRecord, hasFinished: Bool) {
        let result = state.withLock { state -> Result<(RequestRecord, Bool), RequestTransition.Refusal> in
            guard let entry = state.entries[id] else { return .failure(.unknown) }
            let wasFinished = entry.record.isFinished
            let visit = Self.nextVisit(entry.record, now)
            return Result { () throws(RequestTransition.Refusal) in
                try entry.record.apply(transition, at: now)
                let hasFinished = entry.record.isFinished && !wasFinished
                if hasFinished { state.finished.append(id) }
                if let next = Self.nextVisit(entry.record, now), next != visit { Self.note(id, at: next, &state) }
                return (entry.record, hasFinished)
            }
        }
        return try result.get()
    }

    func age(at now: Timestamp, maximumRemembered: Int) -> Aged {
        state.withLock { state in
            var aged = Aged()
            // One key for each second that lies ahead: few, however many requests there are.
            for second in state.due.keys.filter({ $0 <= now.seconds }).sorted() {
                for id in state.due.removeValue(forKey: second) ?? [] {
                    Self.visit(id, &state, now, &aged)
                }
            }
            Self.trim(&state, to: maximumRemembered, &aged)
            return aged
        }
    }

    private static func visit(
        _ id: RequestID, _ state: inout State, _ now: Timestamp, _ aged: inout Aged
    ) {
        guard let entry = state.entries[id] else { return }
        let wasFinished = entry.record.isFinished
        // Aging never refuses.
        try? entry.record.apply(.age, at: now)
        let record = entry.record
        if record.isFinished, !wasFinished {
            aged.finished.append(record)
            state.finished.append(id)
        }
        guard let next = nextVisit(record, now) else { return forget(id, &state, &aged) }
        note(id, at: next, &state)
    }

    /// When something is due for a record after `now`; nil when it can be forgotten.
    private static func nextVisit(_ record: RequestRecord, _ now: Timestamp) -> Timestamp? {
        switch record.phase {
        case .pending: return record.expiresAt
        case .claimed(let lease), .redeeming(let lease): return lease
        case .releaseRequired(let held): return held.until
        case .finished(let outcome):
            let end = record.rememberedUntil
            if outcome.sealedResult != nil { return outcome.discardAt }
            return now < end ? end : nil
        }
    }

    /// Forgets the oldest finished ones above the maximum, but none whose result still waits for its app.
    private static func trim(_ state: inout State, to maximum: Int, _ aged: inout Aged) {
        let surplus = state.finished.count - maximum
        guard surplus > 0 else { return }
        var kept: [RequestID] = []
        for id in state.finished.prefix(surplus) {
            // Who cancels a request need not be told of it for long.
            let outcome = state.entries[id]?.record.outcome
            if let outcome, outcome.sealedResult != nil, outcome.kind != .canceled {
                kept.append(id)
            } else {
                forget(id, &state, &aged)
            }
        }
        state.finished.replaceSubrange(..<surplus, with: kept)
    }

    private static func forget(_ id: RequestID, _ state: inout State, _ aged: inout Aged) {
        guard let entry = state.entries[id], entry.record.isFinished else { return }
        aged.forgottenStates.append(entry.record.stateHash)
        state.entries[id] = nil
    }

    /// Rounded up to the next second, so that what is due at a visit really is.
    private static func note(_ id: RequestID, at time: Timestamp, _ state: inout State) {
        state.due[(time.milliseconds + 999) / 1000, default: []].append(id)
    }
}
