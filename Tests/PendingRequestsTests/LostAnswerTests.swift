import SwitchyardPendingRequests
import SwitchyardRedisStore
import TestSupport
import Testing

/// The wire to Redis is cut before one answer of a sign-in's whole life, each once, and what is there then is held
/// against the life cycle as a model.
@Suite("Redis store: answers that are lost", .timeLimit(.minutes(2))) struct LostAnswerTests {
    private static let lives = [
        ["claim A", "finish", "read", "acknowledge"],
        ["hold A", "miss", "release", "finish", "read", "acknowledge"],
    ]

    /// A gateway whose wire can be cut, and another one.
    private struct Gateways {
        let proxy: CuttingProxy
        let cut: RedisStore
        let other: RedisStore

        init() throws {
            let redis = try TestRedis.shared.get()
            let prefix = redis.freshPrefix()
            proxy = try CuttingProxy(redis.server.address)
            cut = redis.store(prefix: prefix, at: proxy.address)
            other = redis.store(prefix: prefix)
        }
    }

    @Test("a sign-in goes on as if nothing had happened when any one answer to it is lost", arguments: lives)
    func lostOnce(life: [String]) async throws {
        var number = 0
        while try await goesOn(life, without: number) { number += 1 }
        #expect(number > life.count)
    }

    /// - Returns: whether there was an answer of this number to lose.
    private func goesOn(_ life: [String], without number: Int) async throws -> Bool {
        let gateways = try Gateways()
        gateways.proxy.arm(.wholeAnswer(number))
        var model = RequestRecord.full()
        #expect(try await gateways.cut.refusal(of: model) == nil, "answer \(number)")
        for step in life {
            let transition = try #require(Walk.transition(step, at: .at(5)))
            try model.apply(transition, at: .at(5))
            let taken = try await gateways.cut.step(transition, .id(model.id), at: .at(5))
            #expect(taken == .success(model), "\(step), answer \(number)")
            #expect(try await gateways.other.find(.id(model.id)) == model, "\(step), answer \(number)")
            let rival = try await gateways.other.step(.claim(by: "B", at: .at(5)), .id(model.id), at: .at(5))
            #expect(rival == .failure(.conflicting), "\(step), answer \(number)")
        }
        let read = try await gateways.cut.step(.read(at: .at(6)), .id(model.id), at: .at(6))
        #expect(read == .failure(.notNow), "answer \(number)")
        let bytes = KeptBytes.of(model, packed: model.packed.count)
        #expect(try await gateways.other.usage() == StoreUsage(pending: 0, kept: 1, bytes: bytes), "answer \(number)")
        return gateways.proxy.hasCut
    }

    @Test(
        "what a gateway leaves behind that is cut off at any answer, another one ends, and the code is sent once at most",
        arguments: lives)
    func cutOff(life: [String]) async throws {
        // Side by side, because who is cut off waits for its store in vain.
        let cuts = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<(2 * life.count + 8) {
                group.addTask { try await isTakenOver(life, from: number) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(cuts > life.count)
    }

    /// - Returns: whether the gateway was cut off.
    private func isTakenOver(_ life: [String], from number: Int) async throws -> Bool {
        let gateways = try Gateways()
        gateways.proxy.arm(.wholeAnswer(number), isForGood: true)
        var model = RequestRecord.full()
        let id = RequestKey.id(model.id)
        // How often a gateway had leave to send the code.
        var redemptions = 0
        var possible: [RequestRecord?] = [model]
        if (try? await gateways.cut.refusal(of: model)) == nil, gateways.proxy.hasCut { possible = [nil, model] }
        for step in life where !gateways.proxy.hasCut {
            let transition = try #require(Walk.transition(step, at: .at(5)))
            let before = model
            try model.apply(transition, at: .at(5))
            let taken = try? await gateways.cut.step(transition, id, at: .at(5))
            if let taken {
                #expect(taken == .success(model), "\(step), answer \(number)")
                if step == "claim A" || step == "release" { redemptions += 1 }
                possible = [model]
            } else {
                possible = [before, model]
            }
        }
        let other = gateways.other
        let found = try await other.find(id)
        #expect(possible.contains(found), "answer \(number)")

        let own = RequestRecord.Claim.sample(at: .at(6), by: 8)
        for step in [
            .claim(.named("B"), .notNeeded, own, code: .named("B")), .release(own, for: .redemption),
        ] as [RequestTransition] {
            guard case .success = try await other.step(step, id, at: .at(6)) else { continue }
            redemptions += 1
            let finish = RequestTransition.finish(.sample(.completed, at: .at(6)), claimant: own.claimant)
            _ = try await other.step(finish, id, at: .at(6)).get()
        }
        #expect(redemptions <= 1, "answer \(number)")
        _ = try await other.age(at: .at(70))
        #expect(try await other.find(id)?.isFinished ?? true, "answer \(number)")
        _ = try await other.step(.acknowledge, id, at: .at(71))
        let read = try await other.step(.read(at: .at(72)), id, at: .at(72))
        #expect(read == .failure(found == nil ? .unknown : .notNow), "answer \(number)")
        #expect(try await other.usage().pending == 0, "answer \(number)")
        return gateways.proxy.hasCut
    }
}
