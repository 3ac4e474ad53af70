import SwitchyardCrypto
import SwitchyardOAuth
import TestSupport
import Testing

@testable import SwitchyardPendingRequests

@Suite("Pushes of a request") struct PushStepTests {
    private static let accepted = RequestTransition.push(.accepted(sealed: [7], until: .at(90)))

    @Test("a request is pushed five times, and a push without an answer does not count")
    func count() throws {
        var record = RequestRecord.sample()
        for number in 1...5 {
            try record.apply(.push(.begun), at: .at(1))
            try record.apply(.push(.unanswered), at: .at(1))
            try record.apply(.push(.begun), at: .at(2))
            #expect(record.pushes?.count == number)
        }
        #expect(throws: RequestTransition.Refusal.repeated) { try record.apply(.push(.begun), at: .at(3)) }
        try record.apply(.push(.unanswered), at: .at(4))
        try record.apply(.push(.begun), at: .at(5))
        #expect(record.pushes?.count == 5)
    }

    @Test("a request without a push that counts is as it was before the first")
    func none() throws {
        let fresh = RequestRecord.sample()
        var record = fresh
        try record.apply(.push(.begun), at: .at(1))
        try record.apply(.push(.unanswered), at: .at(1))
        #expect(record == fresh)
        // More answers than pushes, as after a crash, do not count.
        try record.apply(.push(.unanswered), at: .at(2))
        #expect(record == fresh)
    }

    @Test("the last reference stands, also while a later push is under way")
    func reference() throws {
        var record = RequestRecord.sample()
        try record.apply(.push(.begun), at: .at(1))
        try record.apply(Self.accepted, at: .at(2))
        try record.apply(.push(.begun), at: .at(3))
        try record.apply(.push(.unanswered), at: .at(4))
        #expect(record.pushes == RequestRecord.Pushes(count: 1, sealed: [7], until: .at(90)))
        try record.apply(.push(.accepted(sealed: [8], until: .at(120))), at: .at(5))
        #expect(record.pushes?.sealed == [8] && record.pushes?.until == .at(120))
        // A clock that was set back gives no reference that lapsed before the request began.
        try record.apply(.push(.accepted(sealed: [9], until: .at(-5))), at: .at(6))
        #expect(record.pushes?.until == record.createdAt)
    }

    @Test("the bytes of a record have its pushes")
    func packed() throws {
        var record = RequestRecord.sample()
        try record.apply(.push(.begun), at: .at(1))
        try record.apply(Self.accepted, at: .at(2))
        #expect(try RequestRecord(packed: record.packed) == record)
    }

    @Test("a request that is over is pushed no more")
    func over() {
        var record = RequestRecord.sample()
        #expect(throws: RequestTransition.Refusal.notNow) { try record.apply(.push(.begun), at: .at(601)) }
        #expect(record.pushes == nil)
    }

    @Test("a registry gives the last reference until it lapses, and permits no more than five pushes at once")
    func registry() async throws {
        let registry = RequestRegistry(
            store: MemoryStore(),
            policy: RequestRegistry.Policy(
                keys: .ephemeral(), quota: .roomy,
                lifetimes: RequestRegistry.Lifetimes(
                    request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                    lease: .seconds(60))))
        let (record, _) = try await registry.begin(
            RequestRegistry.Beginning(
                app: "app", registration: SHA256Digest(of: "r"), redirectURI: "https://login.example/cb",
                completion: .tokens, scope: "openid", hostLabel: nil,
                beginner: .init(callerKey: "192.0.2.1", uid: nil, isAuthenticated: false),
                secrets: RequestSecrets(
                    state: Random.token(), verifier: nil, challenge: nil, nonce: nil, parameters: []))
        ).get()
        let permits = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    if case .granted = try? await registry.permitPush(record) { true } else { false }
                }
            }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(permits == 5)
        guard case .exhausted(nil) = try await registry.permitPush(record) else {
            Issue.record("there is a reference before the first answer")
            return
        }
        try await registry.pushed(try #require(PushedRequest(requestURI: "urn:a", lifetime: 60)), record)
        guard case .exhausted(let last?) = try await registry.permitPush(record) else {
            Issue.record("the reference is gone")
            return
        }
        #expect(last.requestURI == "urn:a" && last.lifetime <= 60)
    }
}
