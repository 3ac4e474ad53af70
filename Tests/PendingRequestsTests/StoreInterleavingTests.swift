import SwitchyardCrypto
import SwitchyardPendingRequests
import Synchronization
import Testing

/// Steps in an order that nobody thought of, held against the life cycle as a model.
@Suite("Any store: interleavings") struct StoreInterleavingTests {
    private static let steps = Walk.steps.filter { $0 != "age" }

    @Test(
        "whatever steps come one after the other, at whatever times, a store makes of them what the life cycle does",
        arguments: StoreUnderTest.all)
    func sequences(test: StoreUnderTest) async throws {
        var numbers = Numbers(seed: 11)
        let store = try await test.make()
        for round in 0..<40 {
            var model = RequestRecord.sample(state: "walk \(round)")
            _ = try await store.add(model)
            var second = 5
            var taken: [String] = []
            for _ in 0..<10 {
                second += [0, 0, 1, 30, 200][numbers.next(below: 5)]
                let step = Self.steps[numbers.next(below: Self.steps.count)]
                taken.append("\(step) at \(second)")
                guard let transition = Walk.transition(step, at: .at(second)) else { continue }
                let expected = Result { () throws(RequestTransition.Refusal) in
                    var after = model
                    try after.apply(transition, at: .at(second))
                    return after
                }
                let key = numbers.next(below: 2) == 0 ? RequestKey.id(model.id) : .state(model.stateHash)
                let outcome = try await store.step(transition, key, at: .at(second))
                #expect(outcome == expected, "\(taken)")
                if case .success(let after) = expected { model = after }
            }
            #expect(try await store.find(.id(model.id)) == model, "\(taken)")
        }
    }

    @Test(
        "of steps that come at once, one claims, one releases, one ends it, and nothing is read once it was acknowledged",
        arguments: StoreUnderTest.all)
    func atOnce(test: StoreUnderTest) async throws {
        var numbers = Numbers(seed: 12)
        let store = try await test.make()
        for round in 0..<25 {
            let record = try await store.add(.sample(state: "race \(round)"))
            let steps = (0..<24).map { _ in Self.steps[numbers.next(below: Self.steps.count)] }
            let took = try await withThrowingTaskGroup(of: String?.self) { group in
                for step in steps {
                    guard let transition = Walk.transition(step, at: .at(5)) else { continue }
                    group.addTask {
                        switch try await store.step(transition, .id(record.id), at: .at(5)) {
                        case .success: return step
                        case .failure: return nil
                        }
                    }
                }
                return try await group.reduce(into: [String]()) { $0 += $1.map { [$0] } ?? [] }
            }
            func count(_ names: String...) -> Int { took.count { names.contains($0) } }
            #expect(count("claim A", "claim B", "hold A", "settle A") <= 1, "\(took)")
            #expect(count("release", "hand over") <= 1, "\(took)")
            #expect(count("claim A", "claim B", "release") <= 1, "a code would be sent twice: \(took)")
            #expect(count("finish", "cancel", "deny", "settle A") <= 1, "\(took)")
            let end = try #require(try await store.find(.id(record.id)))
            #expect(
                end.isFinished == (count("finish", "cancel", "deny", "settle A") == 1 || count("miss") == 3), "\(took)")
            if end.outcome?.isAcknowledged == true {
                let late = try await store.step(.read(at: .at(6)), .id(record.id), at: .at(6))
                #expect(late == .failure(.notNow))
            }
        }
        #expect(try await store.usage().kept == 25)
    }
}

/// Numbers that are the same in each run.
private struct Numbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}
