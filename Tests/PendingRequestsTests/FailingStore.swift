import SwitchyardCrypto
import Synchronization

@testable import SwitchyardPendingRequests

/// A store that fails where it is told to.
final class FailingStore: SharedStore {
    enum Operation: CaseIterable { case insert, find, apply, age, usage, use, add, timeline }

    private let inner = MemoryStore()
    private let failing = Mutex<Set<Operation>>([])
    private let losing = Mutex(false)
    private let meanwhile = Mutex<(@Sendable () async -> Void)?>(nil)

    /// An action that happens once, between the next step that is taken and the answer to its caller.
    func meanwhile(_ action: @escaping @Sendable () async -> Void) { meanwhile.withLock { $0 = action } }

    /// Sets whether the store takes a step although its caller is told that the store has failed.
    func loseAnswers(_ isLosing: Bool) { losing.withLock { $0 = isLosing } }

    func fail(_ operations: Set<Operation>) { failing.withLock { $0 = operations } }

    private func check(_ operation: Operation) throws(StoreError) {
        if failing.withLock({ $0.contains(operation) }) { throw StoreError("the disk is full") }
    }

    func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreError) -> Result<Void, InsertionRefusal> {
        try check(.insert)
        let result = try await inner.insert(record, within: quota)
        try loseAnswer()
        return result
    }

    func find(_ key: RequestKey) async throws(StoreError) -> RequestRecord? {
        try check(.find)
        return try await inner.find(key)
    }

    func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try check(.apply)
        let result = try await inner.apply(transition, to: key, within: quota, at: now)
        let action = meanwhile.withLock { action in
            defer { action = nil }
            return action
        }
        await action?()
        try loseAnswer()
        return result
    }

    private func loseAnswer() throws(StoreError) {
        if losing.withLock(\.self) { throw StoreError("it took too long") }
    }

    func age(at now: Timestamp) async -> Aging {
        do throws(StoreError) {
            try check(.age)
        } catch {
            return Aging(failure: error)
        }
        let aging = await inner.age(at: now)
        do throws(StoreError) {
            try loseAnswer()
            return aging
        } catch {
            return Aging(doubtful: aging.finished, failure: error)
        }
    }

    func usage() async throws(StoreError) -> StoreUsage {
        try check(.usage)
        return try await inner.usage()
    }

    func use(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreError) -> OneTimeUse {
        try check(.use)
        let use = try await inner.use(digest, of: id, until: until, at: now)
        try loseAnswer()
        return use
    }

    func undoUse(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp
    ) async throws(StoreError) {
        try check(.use)
        try await inner.undoUse(digest, of: id, until: until)
    }

    func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        do throws(StoreError) {
            try check(.add)
            return await inner.add(notes, at: now)
        } catch {
            return TimelineShortfall(error, waiting: notes)
        }
    }

    func timeline(of reference: Reference, at now: Timestamp) async throws(StoreError) -> Timeline? {
        try check(.timeline)
        return try await inner.timeline(of: reference, at: now)
    }

    func registration(_ key: ShortDigest, at now: Timestamp) async throws(StoreError) -> [UInt8]? {
        try await inner.registration(key, at: now)
    }

    func replaceRegistration(
        _ key: ShortDigest, _ seen: [UInt8]?, by new: SealedRegistration?, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await inner.replaceRegistration(key, seen, by: new, at: now)
    }
}
