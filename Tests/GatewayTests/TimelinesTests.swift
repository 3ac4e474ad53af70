import SwitchyardCrypto
import SwitchyardPendingRequests
import SwitchyardReactor
import SwitchyardRouting
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardGateway

/// A store that does not take the histories that it is told not to take, and counts how often it is given any.
private final class PickyStore: SharedStore {
    private let inner = MemoryStore()
    let closed = Mutex<Set<Reference>>([])
    let lost = Mutex<Set<Reference>>([])
    /// How many notes each time.
    let given = Mutex<[Int]>([])

    func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        given.withLock { $0.append(notes.count) }
        // It has no effect at once.
        await EventLoop.sleep(until: .now() + .milliseconds(1))
        let (closed, lost) = (closed.withLock(\.self), lost.withLock(\.self))
        let waiting = notes.filter { closed.contains($0.reference) }
        let refused = notes.filter { lost.contains($0.reference) }
        _ = await inner.add(
            notes.filter { !closed.contains($0.reference) && !lost.contains($0.reference) }, at: now)
        guard !waiting.isEmpty || !refused.isEmpty else { return nil }
        return TimelineShortfall(StoreError("not these"), waiting: waiting, lost: refused.count)
    }

    func timeline(of reference: Reference, at now: Timestamp) async throws(StoreError) -> Timeline? {
        try await inner.timeline(of: reference, at: now)
    }

    func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreError) -> Result<Void, InsertionRefusal> { try await inner.insert(record, within: quota) }

    func find(_ key: RequestKey) async throws(StoreError) -> RequestRecord? { try await inner.find(key) }

    func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await inner.apply(transition, to: key, within: quota, at: now)
    }

    func age(at now: Timestamp) async -> Aging { await inner.age(at: now) }

    func usage() async throws(StoreError) -> StoreUsage { try await inner.usage() }

    func use(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreError) -> OneTimeUse { try await inner.use(digest, of: id, until: until, at: now) }

    func undoUse(_ digest: ShortDigest, of id: RequestID, until: Timestamp) async throws(StoreError) {
        try await inner.undoUse(digest, of: id, until: until)
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

@Suite("Flushing histories", .timeLimit(.minutes(1))) struct TimelinesTests {
    private let store = PickyStore()
    private let sink = TimelineSink()
    private let events: EventReporter
    private let registry: RequestRegistry
    private let timelines: Timelines
    private let loop: TestLoop

    init() throws {
        loop = try TestLoop()
        events = EventReporter([sink])
        registry = RequestRegistry(
            store: store,
            policy: .init(
                keys: .ephemeral(),
                quota: RequestQuota(
                    total: 1000, perApp: 1000, perAddress: 1000, bytes: 1 << 20, bytesPerAddress: 1 << 20),
                lifetimes: .init(
                    request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                    lease: .seconds(15))))
        timelines = Timelines(registry, events, sink)
    }

    private func names(of record: RequestRecord) async throws -> [String] {
        let found = await loop.run { [timelines] in try? await timelines.timeline(of: record.reference) }
        return (found?.entries ?? []).map(\.event.name)
    }

    @Test("histories that the store does not take for now wait, and hold up no other")
    func waiting() async throws {
        let (open, closed) = (try RequestRecord.sample(), try RequestRecord.sample())
        store.closed.withLock { $0 = [closed.reference] }
        for _ in 0..<600 { for record in [closed, open] { events.report(.started, of: record) } }
        await loop.run { [timelines] in await timelines.flush() }
        #expect(try await store.timeline(of: open.reference, at: .now())?.entries.first?.count == 600)
        #expect(try await store.timeline(of: closed.reference, at: .now()) == nil)
        #expect(try await names(of: closed) == ["started"], "it is known here all the same")
        store.closed.withLock { $0 = [] }
        await loop.run { [timelines] in await timelines.flush() }
        #expect(try await store.timeline(of: closed.reference, at: .now())?.entries.first?.count == 600)
    }

    @Test("a reader sees waiting notes, also while the store gets them")
    func lookingWhileItIsTried() async throws {
        let record = try RequestRecord.sample()
        store.closed.withLock { $0 = [record.reference] }
        events.report(.started, of: record)
        await loop.run { [timelines] in await timelines.flush() }
        let other = try TestLoop()
        let isOver = Mutex(false)
        async let flushes: Void = other.run { [timelines] in
            while !isOver.withLock(\.self) { await timelines.flush() }
        }
        for _ in 0..<3 {
            let seen = await loop.run { [timelines] in
                await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<100 {
                        group.addTask { (try? await timelines.timeline(of: record.reference)) != nil }
                    }
                    return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
            }
            #expect(seen == 100)
        }
        isOver.withLock { $0 = true }
        await flushes
    }

    @Test("a note that the store never takes is not given to it again")
    func lost() async throws {
        let record = try RequestRecord.sample()
        store.lost.withLock { $0 = [record.reference] }
        for _ in 0..<3 { events.report(.started, of: record) }
        for _ in 0..<3 { await loop.run { [timelines] in await timelines.flush() } }
        #expect(store.given.withLock(\.self) == [3])
    }

    @Test("frequent reads make the store write a few times a second, and see the latest events")
    func looking() async throws {
        let begin = Instant.now()
        for _ in 0..<8 {
            let record = try RequestRecord.sample()
            events.report(.started, of: record)
            #expect(try await names(of: record) == ["started"])
        }
        let writes = store.given.withLock(\.count)
        #expect(Double(writes) <= (Instant.now() - begin) / .milliseconds(200) + 2)
    }
}
