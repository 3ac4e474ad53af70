import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardPendingRequests
import Testing

@Suite("Any store: steps") struct StoreStepTests {
    @Test("exactly one of simultaneous callbacks gets the request", arguments: StoreUnderTest.all)
    func claimedOnce(test: StoreUnderTest) async throws {
        let store = try await test.make()
        for round in 0..<50 {
            let record = try await store.add(.sample(state: "state \(round)"))
            let key = RequestKey.state(record.stateHash)
            let winners = try await withThrowingTaskGroup(of: String?.self) { group in
                for name in "ABCDEFGH".map(String.init) {
                    group.addTask { @Sendable in
                        switch try await store.step(.claim(by: name, at: .at(1)), key, at: .at(1)) {
                        case .success: return name
                        case .failure(let refusal):
                            #expect(refusal == .conflicting)
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: [String]()) { names, name in names += name.map { [$0] } ?? [] }
            }
            let winner = try #require(winners.first)
            #expect(winners.count == 1)
            #expect(try await store.find(key)?.callback == .named(winner))
        }
    }

    @Test("a step gives the record as it is after it, and is there for the next look", arguments: StoreUnderTest.all)
    func visible(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        let after = try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1)).get()
        #expect(Walk.words(after) == "redeeming")
        #expect(after.callback == .named("A"))
        #expect(try await store.words(record) == "redeeming")
    }

    @Test(
        "a request that is withdrawn is as if it had never begun, and only its own token does that",
        arguments: StoreUnderTest.all)
    func withdrawn(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        let token = try #require(record.resultTokenHash)
        let wrong = try await store.step(.withdraw(.named("another")), .id(record.id), at: .at(1))
        #expect(wrong == .failure(.notNow))
        _ = try await store.step(.withdraw(token), .id(record.id), at: .at(1)).get()
        #expect(try await store.find(.id(record.id)) == nil)
        #expect(try await store.find(.state(record.stateHash)) == nil)
        #expect(try await store.usage().requests == 0)
        let again = try await store.add(record)
        _ = try await store.step(.claim(by: "A", at: .at(2)), .id(again.id), at: .at(2)).get()
        let late = try await store.step(.withdraw(token), .id(again.id), at: .at(3))
        #expect(late == .failure(.notNow))
        #expect(try await store.words(again) == "redeeming")
    }

    @Test("a step for an unknown request is refused as such", arguments: StoreUnderTest.all)
    func unknown(test: StoreUnderTest) async throws {
        let store = try await test.make()
        for key in [RequestKey.id(RequestID()), .state(SHA256Digest(of: "x"))] {
            let outcome = try await store.step(.claim(by: "A", at: .at(1)), key, at: .at(1))
            #expect(throws: RequestTransition.Refusal.unknown) { try outcome.get() }
        }
    }

    @Test("a refused step leaves the request unchanged", arguments: StoreUnderTest.all)
    func refused(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        for step in ["release", "hand over", "finish", "read", "acknowledge"] {
            let transition = try #require(Walk.transition(step, at: .at(1)))
            let outcome = try await store.step(transition, .id(record.id), at: .at(1))
            #expect(throws: RequestTransition.Refusal.notNow, "\(step)") { try outcome.get() }
        }
        #expect(try await store.words(record) == "pending")
        #expect(try await store.usage().pending == 1)
    }

    @Test(
        "what a store keeps after each step is what the step made of the record, to the last field",
        arguments: StoreUnderTest.all)
    func whole(test: StoreUnderTest) async throws {
        for (start, way) in Walk.starts {
            let store = try await test.make()
            var model = RequestRecord.full(state: start)
            _ = try await store.add(model)
            var now = Timestamp.at(5)
            for step in way.steps {
                if step == "wait" {
                    now = .at(600)
                    continue
                }
                let transition = try #require(Walk.transition(step, at: now))
                let stepped = try await store.step(transition, .id(model.id), at: now).get()
                try model.apply(transition, at: now)
                #expect(stepped == model, "\(start), \(step)")
                #expect(try await store.find(.id(model.id)) == model, "\(start), \(step)")
                #expect(try await store.find(.state(model.stateHash)) == model, "\(start), \(step)")
            }
        }
    }

    @Test("a step of another claim is refused", arguments: StoreUnderTest.all)
    func claimant(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1))
        let foreign = RequestRecord.Claim.sample(at: .at(1), by: 8)
        for step in [
            .prolong(foreign), .release(foreign, for: .redemption),
            .finish(.sample(.completed, at: .at(1)), claimant: 8),
        ] as [RequestTransition] {
            let outcome = try await store.step(step, .id(record.id), at: .at(1))
            #expect(throws: RequestTransition.Refusal.notNow) { try outcome.get() }
        }
        #expect(try await store.words(record) == "redeeming")
    }

    @Test(
        "a lease that is prolonged ends later, whatever its work is", arguments: StoreUnderTest.all,
        ["claimed", "redeeming"])
    func prolonged(test: StoreUnderTest, phase: String) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        for step in try #require(Walk.starts[phase]).steps {
            _ = try await store.step(#require(Walk.transition(step, at: .at(1))), .id(record.id), at: .at(1)).get()
        }
        _ = try await store.step(.prolong(.sample(at: .at(50))), .id(record.id), at: .at(50)).get()
        #expect(try await store.letTimePass(to: .at(100)).isEmpty)
        _ = try await store.step(.prolong(.sample(at: .at(100))), .id(record.id), at: .at(100)).get()
        #expect(try await store.letTimePass(to: .at(150)).isEmpty)
        #expect(try await store.words(record) == phase)
        #expect(try await store.letTimePass(to: .at(161)).map(\.id) == [record.id])
    }

    @Test(
        "the third code from another browser ends the request, and the same one again does not",
        arguments: StoreUnderTest.all)
    func strayCodes(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        func refuse(_ code: String) async throws -> RequestRecord {
            let step = RequestTransition.refuseCode(.named(code), .sample(.failed(.releaseFailed), at: .at(1)))
            return try await store.step(step, .id(record.id), at: .at(1)).get()
        }
        for code in ["1", "1", "2", "1"] { #expect(Walk.words(try await refuse(code)) == "pending") }
        #expect(try await store.find(.id(record.id))?.strayCodes.count == 2)
        #expect(Walk.words(try await refuse("3")) == "failed release_failed")
    }

    @Test(
        "a code that was refused is never taken, also when it comes at the same moment",
        arguments: StoreUnderTest.all)
    func strayOnce(test: StoreUnderTest) async throws {
        let store = try await test.make()
        for round in 0..<50 {
            let record = try await store.add(.sample(state: "state \(round)"))
            let stray = RequestTransition.refuseCode(.named("A"), .sample(.failed(.releaseFailed), at: .at(1)))
            let step = round % 2 == 0 ? RequestTransition.claim(by: "A", at: .at(1)) : .hold(by: "A", at: .at(1))
            async let refused = store.step(stray, .id(record.id), at: .at(1))
            async let taken = store.step(step, .id(record.id), at: .at(1))
            // In either order, both know of the other.
            switch try await (refused, taken) {
            case (.success, .failure(.strayCode)), (.failure(.conflicting), .success): break
            case (let refused, let taken): Issue.record("\(refused) and \(taken)")
            }
            let other = try await store.step(.claim(by: "B", at: .at(1)), .id(record.id), at: .at(1))
            let isPending = if case .success = other { true } else { false }
            #expect(try await store.find(.id(record.id))?.callback == .named(isPending ? "B" : "A"))
        }
    }

    @Test(
        "answers that are read while they are acknowledged are counted to the last byte", arguments: StoreUnderTest.all)
    func readAndAcknowledged(test: StoreUnderTest) async throws {
        let store = try await test.make()
        var records: [RequestRecord] = []
        for number in 0..<40 {
            let record = try await store.add(.sample(state: "read \(number)"))
            try await store.complete(record, at: .at(5))
            records.append(record)
        }
        await withTaskGroup(of: Void.self) { group in
            for record in records {
                group.addTask { _ = try? await store.step(.acknowledge, .id(record.id), at: .at(6)) }
                group.addTask { _ = try? await store.step(.read(at: .at(6)), .id(record.id), at: .at(6)) }
            }
        }
        var bytes = 0
        for record in records {
            let end = try #require(try await store.find(.id(record.id)))
            #expect(end.outcome?.isAcknowledged == true && end.outcome?.answer == .gone)
            bytes += CountedBytes.of(end, packed: end.packed.count)
        }
        #expect(try await store.usage().bytes == bytes)
    }

    @Test("every row of the life's table holds in the store too", arguments: StoreUnderTest.all)
    func table(test: StoreUnderTest) async throws {
        for (start, outcomes) in TransitionTableTests.rows {
            let way = try #require(Walk.starts[start])
            for (step, expected) in zip(Walk.steps, outcomes) where step != "age" && !way.steps.contains("wait") {
                let store = try await test.make()
                let record = try await store.add(.sample())
                for before in way.steps {
                    let transition = try #require(Walk.transition(before, at: .at(5)))
                    _ = try await store.step(transition, .id(record.id), at: .at(5)).get()
                }
                let now = Timestamp.at(way.second)
                let outcome = try await store.step(
                    try #require(Walk.transition(step, at: now)), .id(record.id), at: now)
                switch outcome {
                case .success(let record): #expect(Walk.words(record) == expected, "\(start), \(step)")
                case .failure(let refusal): #expect("!\(refusal)" == expected, "\(start), \(step)")
                }
            }
        }
    }
}
