import SwitchyardPendingRequests
import SwitchyardSQLiteStore
import TestSupport
import Testing

/// A store with a name, so that every store runs the same tests: a new store adds itself to ``all``.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes an empty one.
    let make: @Sendable () async throws -> any SharedStore

    static let all = [
        StoreUnderTest(testDescription: "memory") { MemoryStore() },
        StoreUnderTest(testDescription: "SQLite") {
            try SQLiteStore(
                path: LastingFolder.make() + "/requests.db", maximumRemembered: 100_000, ownKey: nil,
                patience: .seconds(30))
        },
        StoreUnderTest(testDescription: "Redis") { try TestRedis.shared.get().store() },
        StoreUnderTest(testDescription: "Redis behind Sentinels") {
            try await TestRedis.sentinels.value.connectedStore()
        },
        StoreUnderTest(testDescription: "Redis Cluster") { try await TestRedis.cluster.value.connectedStore() },
    ]
}

extension RequestQuota {
    static let roomy = roomy()

    /// Room for much more than a test keeps, but for what it says.
    static func roomy(
        total: Int = 1000, perApp: Int = 1000, perAddress: Int = 1000, perNetwork: Int = 1000, bytes: Int = 64 << 20,
        bytesPerAddress: Int = 64 << 20, bytesPerNetwork: Int = 64 << 20
    ) -> RequestQuota {
        RequestQuota(
            total: total, perApp: perApp, perAddress: perAddress, perNetwork: perNetwork, bytes: bytes,
            bytesPerAddress: bytesPerAddress, bytesPerNetwork: bytesPerNetwork)
    }
}

extension RequestStore {
    /// Takes in one request; nil when it was taken.
    func refusal(of record: RequestRecord, quota: RequestQuota = .roomy) async throws -> InsertionRefusal? {
        switch try await insert(record, within: quota) {
        case .success: nil
        case .failure(let refusal): refusal
        }
    }

    /// Takes in a request that has to be taken.
    func add(_ record: RequestRecord) async throws -> RequestRecord {
        #expect(try await refusal(of: record) == nil)
        return record
    }

    /// Lets time pass, and gives those that it has finished.
    func letTimePass(to now: Timestamp) async throws(StoreError) -> [RequestRecord] {
        let aging = await age(at: now)
        if let failure = aging.failure { throw failure }
        return aging.finished
    }

    /// Takes one step.
    @discardableResult
    func step(
        _ transition: RequestTransition, _ key: RequestKey, at now: Timestamp, quota: RequestQuota = .roomy
    ) async throws -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(transition, to: key, within: quota, at: now)
    }

    /// Takes a request from its beginning to a result.
    func complete(_ record: RequestRecord, at now: Timestamp) async throws {
        _ = try await step(.claim(by: "A", at: now), .id(record.id), at: now).get()
        _ = try await step(.complete(at: now), .id(record.id), at: now).get()
    }

    /// A request in words; nil for an unknown one.
    func words(_ record: RequestRecord) async throws -> String? {
        try await find(.id(record.id)).map(Walk.words)
    }
}

extension StoreUsage {
    /// Whether all counts are zero, by the store's own way of counting.
    var isNothing: Bool {
        self
            == StoreUsage(
                pending: 0, requests: 0, bytes: 0,
                phases: phases.map { _ in Phases(pending: 0, claimed: 0, releaseRequired: 0, redeeming: 0) })
    }
}
