import SwitchyardPendingRequests
import Testing

/// A store with a name, so that every store runs the same tests: a new store adds itself to ``all``.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes an empty one.
    let make: @Sendable () async throws -> any RequestStore

    static let all = [StoreUnderTest(testDescription: "memory") { MemoryStore() }]
}

extension RequestQuota {
    static let roomy = RequestQuota(total: 1000, perApp: 1000, perAddress: 1000)
}

extension RequestStore {
    /// Takes in one request; nil when it was taken.
    func refusal(of record: RequestRecord, quota: RequestQuota = .roomy) async throws -> InsertionRefusal? {
        switch try #require(await insert([record], quota: quota).first) {
        case .success: nil
        case .failure(let refusal): refusal
        }
    }

    /// Takes in a request that has to be taken.
    func add(_ record: RequestRecord) async throws -> RequestRecord {
        #expect(try await refusal(of: record) == nil)
        return record
    }

    func find(_ key: RequestKey) async throws -> RequestRecord? {
        try #require(await find([key]).first)
    }

    /// Takes one step.
    @discardableResult
    func step(
        _ transition: RequestTransition, _ key: RequestKey, at now: Timestamp
    ) async throws -> Result<RequestRecord, RequestTransition.Refusal> {
        try #require(await apply([RequestChange(key, transition)], at: now).first)
    }

    /// Takes a request from its beginning to a result.
    func complete(_ record: RequestRecord, at now: Timestamp) async throws {
        _ = try await step(.claim(by: "A", at: now), .id(record.id), at: now).get()
        _ = try await step(.complete(at: now), .id(record.id), at: now).get()
    }

    /// What a request is, in words; nil when it is not known.
    func words(_ record: RequestRecord) async throws -> String? {
        try await find(.id(record.id)).map(Walk.words)
    }
}
