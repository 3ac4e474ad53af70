import SwitchyardCrypto
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardPendingRequests

@Suite("Callbacks on their way to an app's server") struct KeptDeliveryTests {
    /// A registry on a store, with a clock that the test sets.
    private final class Bench: Sendable {
        let now = Mutex(Timestamp.at(0))
        let ended = Mutex<[RequestRecord]>([])
        let store: any SharedStore
        let quota: RequestQuota

        init(_ store: any SharedStore, _ quota: RequestQuota = .roomy) {
            self.store = store
            self.quota = quota
        }

        /// One of the gateways that share the store.
        func gateway(_ keys: KeyRing) -> RequestRegistry {
            RequestRegistry(
                store: store,
                policy: .init(
                    keys: keys, quota: quota,
                    lifetimes: .init(
                        request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                        lease: .seconds(15))),
                clock: { [self] in now.withLock(\.self) },
                report: { [self] news in if case .ended(let record) = news { ended.withLock { $0.append(record) } } })
        }

        func at(_ seconds: Int) { now.withLock { $0 = .at(seconds) } }
    }

    private func keep(
        _ content: [UInt8], by gateway: RequestRegistry, until end: Int = 600
    ) async throws -> RequestRecord? {
        let beginner = RequestRecord.Beginner(callerKey: "192.0.2.1", uid: nil, isAuthenticated: false)
        let kept = try await gateway.storeDelivery(content, of: "app", Reference(), from: beginner, until: .at(end))
        return if case .claimed(let record) = kept { record } else { nil }
    }

    @Test("one gateway tries at a time, and another goes on when the lease is over", arguments: StoreUnderTest.all)
    func lease(test: StoreUnderTest) async throws {
        let bench = Bench(try await test.make())
        let keys = KeyRing.ephemeral()
        let (first, second) = (bench.gateway(keys), bench.gateway(keys))
        let record = try #require(try await keep([7, 8], by: first))
        #expect(try await second.claimDelivery(record) == nil)
        bench.at(20)
        #expect(try await first.prolongDelivery(record))
        for seconds in [21, 49] {
            bench.at(seconds)
            #expect(try await second.age().isEmpty)
        }
        bench.at(50)
        let left = try #require(try await second.age().first)
        #expect(left.id == record.id && left.isLeft)
        let taken = try #require(try await second.claimDelivery(left))
        #expect(second.deliveryContent(of: taken) == [7, 8])
        #expect(try await first.claimDelivery(left) == nil)
        #expect(try await !first.prolongDelivery(record), "its lease was over")
        try await first.endDelivery(record)
        #expect(try await second.prolongDelivery(taken), "the first one ends nothing")
        try await second.endDelivery(taken)
        bench.at(120)
        #expect(try await first.age().isEmpty)
        #expect(try await first.usage().pending == 0)
        #expect(bench.ended.withLock(\.self).isEmpty)
    }

    @Test(
        "a delivery that its gateway leaves is shown at once, and again until one claims it",
        arguments: StoreUnderTest.all)
    func left(test: StoreUnderTest) async throws {
        let bench = Bench(try await test.make())
        let gateway = bench.gateway(.ephemeral())
        let record = try #require(try await keep([7], by: gateway))
        bench.at(2)
        try await gateway.leaveDelivery(record)
        #expect(try await gateway.age().map(\.id) == [record.id])
        bench.at(4)
        #expect(try await gateway.age().isEmpty, "the one that was shown it has its time")
        bench.at(8)
        let left = try #require(try await gateway.age().first)
        #expect(try await gateway.claimDelivery(left) != nil)
    }

    @Test("its time ends it where no gateway tries", arguments: StoreUnderTest.all)
    func expired(test: StoreUnderTest) async throws {
        let bench = Bench(try await test.make())
        let gateway = bench.gateway(.ephemeral())
        let record = try #require(try await keep([7], by: gateway, until: 25))
        bench.at(31)
        #expect(try await gateway.age().isEmpty)
        #expect(bench.ended.withLock { $0.map(\.id) } == [record.id])
        #expect(bench.ended.withLock { $0.allSatisfy(\.isDelivery) })
    }

    @Test("such callbacks leave half of the room to sign-ins")
    func room() async throws {
        let bench = Bench(MemoryStore(), .roomy(perApp: 4))
        let gateway = bench.gateway(.ephemeral())
        for _ in 0..<2 { #expect(try await keep([7], by: gateway) != nil) }
        #expect(try await keep([7], by: gateway) == nil)
    }
}
