import SwitchyardCrypto
import SwitchyardPendingRequests
import Testing

@Suite("Any store: steps") struct StoreStepTests {
    @Test("of callbacks that come at once, exactly one gets the request", arguments: StoreUnderTest.all)
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
        #expect(Walk.words(after) == "claimed")
        #expect(after.callback == .named("A"))
        #expect(try await store.words(record) == "claimed")
    }

    @Test("a step for a request that nobody has is refused as unknown", arguments: StoreUnderTest.all)
    func unknown(test: StoreUnderTest) async throws {
        let store = try await test.make()
        for key in [RequestKey.id(RequestID()), .state(SHA256Digest(of: "x"))] {
            let outcome = try await store.step(.claim(by: "A", at: .at(1)), key, at: .at(1))
            #expect(throws: RequestTransition.Refusal.unknown) { try outcome.get() }
        }
    }

    @Test("a refused step changes nothing", arguments: StoreUnderTest.all)
    func refused(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        for step in ["redeem", "finish", "read", "acknowledge"] {
            let transition = try #require(Walk.transition(step, at: .at(1)))
            let outcome = try await store.step(transition, .id(record.id), at: .at(1))
            #expect(throws: RequestTransition.Refusal.notNow, "\(step)") { try outcome.get() }
        }
        #expect(try await store.words(record) == "pending")
        #expect(try await store.pendingCount() == 1)
    }

    @Test("the steps of a batch are taken in order, each with its own answer", arguments: StoreUnderTest.all)
    func batch(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        let other = try await store.add(.sample())
        let outcomes = try await store.apply(
            [
                RequestChange(.id(record.id), .claim(by: "A", at: .at(1))),
                RequestChange(.id(record.id), .claim(by: "A", at: .at(1))),
                RequestChange(.id(RequestID()), .acknowledge),
                RequestChange(.id(other.id), .cancel(.sample(.canceled, at: .at(1)))),
                RequestChange(.id(record.id), .complete(at: .at(1))),
            ], at: .at(1)
        ).map { outcome in
            switch outcome {
            case .success(let record): Walk.words(record)
            case .failure(let refusal): "!\(refusal)"
            }
        }
        #expect(outcomes == ["claimed", "!repeated", "!unknown", "canceled", "completed"])
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
