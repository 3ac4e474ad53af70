import SwitchyardCrypto
import SwitchyardPendingRequests
import Synchronization
import Testing

/// Steps in random order, compared with the life cycle as a model.
@Suite("Any store: interleavings") struct StoreInterleavingTests {
    /// A step of a caller. Time passes for all requests of a store together.
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

    /// A request after some time; nil if it is forgotten.
    private static func aged(_ record: RequestRecord, at second: Int) -> RequestRecord? {
        var after = record
        // Aging never refuses.
        try? after.apply(.age, at: .at(second))
        return after.isForgotten(at: .at(second)) ? nil : after
    }

    /// A store looks about once a second, so what time does in just this one may come with its next look.
    private static func isJustDue(_ record: RequestRecord, at second: Int) -> Bool {
        aged(record, at: second - 1).map(Walk.words) != aged(record, at: second).map(Walk.words)
    }

    @Test(
        "time may pass between any two steps of several requests: each ends, and is forgotten, as the life cycle says",
        arguments: StoreUnderTest.all)
    func sequencesWithTime(test: StoreUnderTest) async throws {
        var numbers = Numbers(seed: 13)
        let store = try await test.make()
        var models: [RequestRecord] = []
        var second = 5
        var taken: [String] = []
        for turn in 0..<150 {
            second += [0, 1, 7, 30, 70][numbers.next(below: 5)]
            while models.contains(where: { Self.isJustDue($0, at: second) }) { second += 1 }
            let ended = Set(try await store.letTimePass(to: .at(second)).map(\.id))
            var expectedEnds: Set<RequestID> = []
            for model in models {
                guard let after = Self.aged(model, at: second) else {
                    #expect(try await store.find(.id(model.id)) == nil, "\(taken)")
                    continue
                }
                if after.isFinished, !model.isFinished { expectedEnds.insert(model.id) }
            }
            #expect(ended == expectedEnds, "\(taken)")
            models = models.compactMap { Self.aged($0, at: second) }
            if models.count < 4 || turn % 9 == 0 {
                models.append(try await store.add(.begun(at: second)))
                taken.append("\(models.count - 1) begun at \(second)")
            }
            let place = numbers.next(below: models.count)
            let step = Self.steps[numbers.next(below: Self.steps.count)]
            taken.append("\(place) \(step) at \(second)")
            guard let transition = Walk.transition(step, at: .at(second)) else { continue }
            let expected = Result { () throws(RequestTransition.Refusal) in
                var after = models[place]
                try after.apply(transition, at: .at(second))
                return after
            }
            let outcome = try await store.step(transition, .id(models[place].id), at: .at(second))
            #expect(outcome == expected, "\(taken)")
            if case .success(let after) = expected { models[place] = after }
        }
        for model in models { #expect(try await store.find(.id(model.id)) == model, "\(taken)") }
        #expect(try await store.usage().requests == models.count)
    }

    @Test(
        "of callbacks and the end of their request that come at once, one wins for good", arguments: StoreUnderTest.all)
    func atTheEnd(test: StoreUnderTest) async throws {
        let store = try await test.make()
        for round in 0..<10 {
            let begun = round * 2000
            let record = try await store.add(.begun(at: begun))
            let (claims, ends) = try await withThrowingTaskGroup(of: (claims: Int, ends: Int).self) { group in
                for name in ["A", "B", "C", "D"] {
                    group.addTask {
                        let claim = RequestTransition.claim(by: name, at: .at(begun + 599))
                        let outcome = try await store.step(claim, .id(record.id), at: .at(begun + 599))
                        return ((try? outcome.get()) == nil ? 0 : 1, 0)
                    }
                    group.addTask {
                        (0, try await store.letTimePass(to: .at(begun + 601)).count { $0.id == record.id })
                    }
                }
                return try await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.claims, $0.1 + $1.ends) }
            }
            #expect(claims + ends == 1, "\(claims) claims, \(ends) ends")
            for step in ["claim A", "hold A", "settle A"] {
                let transition = try #require(Walk.transition(step, at: .at(begun + 602)))
                let late = try await store.step(transition, .id(record.id), at: .at(begun + 602))
                #expect((try? late.get()) == nil, "\(step)")
            }
            #expect(try await store.words(record) == (ends == 1 ? "expired empty" : "redeeming"))
            // Its lease is over before the next one begins.
            _ = try await store.letTimePass(to: .at(begun + 1990))
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
        #expect(try await store.usage().requests == 25)
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
