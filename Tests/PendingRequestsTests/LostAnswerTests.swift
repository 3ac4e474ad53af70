import SwitchyardCrypto
import SwitchyardPendingRequests
import SwitchyardRedis
import TestSupport
import Testing

@testable import SwitchyardRedisStore

/// Real servers behind a proxy, which cuts the wire to them where it is told to.
private struct CutServers: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether counts are at other servers than records. Then a request and its counts do not change in one step.
    var isSpread = false
    let make: @Sendable () async throws -> (redis: TestRedis, proxy: CuttingProxy)

    static let all = [
        CutServers(testDescription: "Redis") {
            let server = try RedisServer()
            let proxy = try CuttingProxy(server.address)
            return (try TestRedis([server], .single(proxy.address)), proxy)
        },
        CutServers(testDescription: "Redis behind Sentinels") {
            let sentinels = try await RedisSentinels.startBehindProxy()
            let servers = sentinels.servers + sentinels.sentinels
            return (try TestRedis(servers, sentinels.configuration), try #require(sentinels.proxy))
        },
        CutServers(testDescription: "Redis Cluster", isSpread: true) {
            let cluster = try await RedisCluster.startBehindProxy()
            return (try TestRedis(cluster.nodes, cluster.configuration), try #require(cluster.proxy))
        },
    ]
}

/// A gateway with a wire that can be cut, and another one.
private struct Gateways {
    private let proxy: CuttingProxy
    private let name: String
    let cut: RedisStore
    let other: RedisStore
    let isSpread: Bool

    /// - Parameters:
    ///   - number: of the answer that the first one loses.
    ///   - patience: of the first one.
    init(
        _ redis: TestRedis, _ proxy: CuttingProxy, isSpread: Bool, without number: Int, isForGood: Bool = false,
        patience: Duration = .seconds(30)
    ) {
        let prefix = redis.freshPrefix()
        name = "cut-\(prefix)"
        proxy.arm(.wholeAnswer(number), of: name, isForGood: isForGood)
        self.proxy = proxy
        self.isSpread = isSpread
        cut = redis.store(prefix: prefix, named: name, patience: patience)
        other = redis.store(prefix: prefix)
    }

    /// Whether the answer was lost.
    var hasCut: Bool { proxy.hasCut(name) }
}

/// Cuts the wire to Redis before each answer of a sign-in's whole life, one after the other, and compares the store
/// with the life cycle as a model.
@Suite("Redis store: answers that are lost", .timeLimit(.minutes(3))) struct LostAnswerTests {
    private static let lives = [
        ["claim A", "finish", "read", "acknowledge"],
        ["hold A", "miss", "release", "finish", "read", "acknowledge"],
    ]

    /// Loses the first answer, the second, and so on, some side by side, until there are no more answers.
    /// - Parameter attempt: loses the answer of this number, and returns whether there was one.
    /// - Returns: the number of answers.
    private func everyAnswer(
        atOnce: Int, _ attempt: @escaping @Sendable (Int) async throws -> Bool
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<atOnce { group.addTask { try await attempt(number) } }
            var (next, lost, isOver) = (atOnce, 0, false)
            while let wasLost = try await group.next() {
                if wasLost { lost += 1 } else { isOver = true }
                guard !isOver else { continue }
                group.addTask { [next] in try await attempt(next) }
                next += 1
            }
            return lost
        }
    }

    @Test("a sign-in goes on as if nothing had happened when any one answer to it is lost", arguments: CutServers.all)
    private func lostOnce(servers: CutServers) async throws {
        let (redis, proxy) = try await servers.make()
        for life in Self.lives {
            let points = try await everyAnswer(atOnce: 8) { number in
                let gateways = Gateways(redis, proxy, isSpread: servers.isSpread, without: number)
                return try await goesOn(life, .full(), gateways, "answer \(number)")
            }
            #expect(points > life.count)
        }
    }

    @Test("nor does it matter that its slot moves from node to node meanwhile, back and forth")
    func lostWhileMoving() async throws {
        let cluster = try await RedisCluster.startBehindProxy()
        let redis = try TestRedis(cluster.nodes, cluster.configuration)
        let proxy = try #require(cluster.proxy)
        // All requests are in one slot, which is the first node's.
        let keys = Keys(prefix: "", isSpread: true)
        let slot = HashSlot.of(keys.partitions[0].due)
        @Sendable func state() -> String {
            while true {
                let state = Random.token()
                if keys.partition(of: RequestID(for: SHA256Digest(of: state))).due == keys.partitions[0].due {
                    return state
                }
            }
        }
        let life = Self.lives[1]
        let points = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                var owner = 0
                while !Task.isCancelled {
                    let next = (owner + 1) % 3
                    try await cluster.move(slot: slot, from: owner, to: next)
                    owner = next
                    // Leave time for the other tasks.
                    for _ in 0..<4 { await cluster.operators.pause() }
                }
                return 0
            }
            group.addTask {
                try await everyAnswer(atOnce: 8) { number in
                    let gateways = Gateways(redis, proxy, isSpread: true, without: number)
                    return try await goesOn(life, .full(state: state()), gateways, "answer \(number)")
                }
            }
            var points = 0
            while points == 0, let found = try await group.next() { points = found }
            group.cancelAll()
            try await group.waitForAll()
            return points
        }
        #expect(points > life.count)
        for word in ["MOVED", "ASK"] {
            var count = 0
            for node in cluster.nodes { count += try await cluster.errors(word, of: node.address) }
            #expect(count > 0, "\(word) was answered")
        }
    }

    @Test("an entry of a history counts once, whichever answer is lost", arguments: CutServers.all)
    private func historyOnce(servers: CutServers) async throws {
        let (redis, proxy) = try await servers.make()
        let points = try await everyAnswer(atOnce: 8) { number in
            let gateways = Gateways(redis, proxy, isSpread: servers.isSpread, without: number)
            let reference = Reference()
            func notes(_ seconds: Int...) -> [TimelineNote] {
                seconds.map { TimelineNote(of: reference, app: "app", at: .at($0), TimelineEvent("refused")) }
            }
            for var waiting in [notes(1, 3), notes(5, 7)] {
                while let shortfall = await gateways.cut.add(waiting, at: .at(7)) {
                    waiting = shortfall.waiting
                    // The first one leaves the server alone for a while.
                    _ = try await gateways.other.usage()
                }
            }
            // Another gateway's, of the same time.
            try await gateways.other.keep(notes(2, 7), at: .at(7))
            let entries = try await gateways.other.timeline(of: reference, at: .at(7))?.entries
            #expect(entries?.map(\.count) == [6], "answer \(number)")
            return gateways.hasCut
        }
        #expect(points > 1)
    }

    /// - Returns: whether the answer was lost.
    private func goesOn(
        _ life: [String], _ begun: RequestRecord, _ gateways: Gateways, _ place: Comment
    ) async throws -> Bool {
        var model = begun
        #expect(try await gateways.cut.refusal(of: model) == nil, place)
        for step in life {
            let transition = try #require(Walk.transition(step, at: .at(5)))
            try model.apply(transition, at: .at(5))
            let taken = try await gateways.cut.step(transition, .id(model.id), at: .at(5))
            #expect(taken == .success(model), "\(step), \(place)")
            #expect(try await gateways.other.find(.id(model.id)) == model, "\(step), \(place)")
            let rival = try await gateways.other.step(.claim(by: "B", at: .at(5)), .id(model.id), at: .at(5))
            #expect(rival == .failure(.conflicting), "\(step), \(place)")
        }
        let read = try await gateways.cut.step(.read(at: .at(6)), .id(model.id), at: .at(6))
        #expect(read == .failure(.notNow), place)
        let usage = try await gateways.other.usage()
        let exact = StoreUsage(pending: 0, requests: 1, bytes: CountedBytes.of(model, packed: model.packed.count))
        if gateways.isSpread {
            // Then it is unknown whether the request was counted, so it may count twice for a while.
            #expect(
                (0...1).contains(usage.pending) && (1...2).contains(usage.requests) && usage.bytes >= exact.bytes, place
            )
        } else {
            #expect(usage == exact, place)
        }
        try await expectNothingKept(gateways, place)
        return gateways.hasCut
    }

    /// Long after everything.
    private func expectNothingKept(_ gateways: Gateways, _ place: Comment) async throws {
        _ = try await gateways.other.letTimePass(to: .at(10_000))
        #expect(try await gateways.other.usage().isNothing, place)
    }

    @Test(
        "what a gateway leaves behind that is cut off at any answer, another one ends, and the code is sent once at most",
        arguments: CutServers.all)
    private func cutOff(servers: CutServers) async throws {
        let (redis, proxy) = try await servers.make()
        for life in Self.lives {
            // Side by side, because a gateway that is cut off waits for its store in vain.
            let points = try await everyAnswer(atOnce: 24) { number in
                let gateways = Gateways(
                    redis, proxy, isSpread: servers.isSpread, without: number, isForGood: true, patience: .seconds(6))
                return try await isTakenOver(life, gateways, "answer \(number)")
            }
            #expect(points > life.count)
        }
    }

    @Test(
        "what time has ended is told of, or known to be in doubt, by a gateway that is cut off at any answer",
        arguments: CutServers.all)
    private func endedByTime(servers: CutServers) async throws {
        let (redis, proxy) = try await servers.make()
        let points = try await everyAnswer(atOnce: 24) { number in
            let gateways = Gateways(
                redis, proxy, isSpread: servers.isSpread, without: number, isForGood: true, patience: .seconds(2))
            let record = try await gateways.other.add(.full())
            let aging = await gateways.cut.age(at: .at(601))
            let kept = try #require(try await gateways.other.find(.id(record.id)), "answer \(number)")
            let told = aging.finished + aging.doubtful
            #expect(!kept.isFinished || told == [kept], "answer \(number)")
            #expect(aging.finished.isEmpty || kept.isFinished, "answer \(number)")
            return gateways.hasCut
        }
        #expect(points > 1)
    }

    /// - Returns: whether the gateway was cut off.
    private func isTakenOver(_ life: [String], _ gateways: Gateways, _ place: Comment) async throws -> Bool {
        var model = RequestRecord.full()
        let id = RequestKey.id(model.id)
        // How often a gateway had leave to send the code.
        var redemptions = 0
        var possible: [RequestRecord?] = [model]
        // A store that is slow at the moment counts like one that is cut off.
        var answers = true
        do { #expect(try await gateways.cut.refusal(of: model) == nil, place) } catch {
            possible = [nil, model]
            answers = false
        }
        for step in life where answers {
            let transition = try #require(Walk.transition(step, at: .at(5)))
            let before = model
            try model.apply(transition, at: .at(5))
            let taken = try? await gateways.cut.step(transition, id, at: .at(5))
            if let taken {
                #expect(taken == .success(model), "\(step), \(place)")
                if step == "claim A" || step == "release" { redemptions += 1 }
                possible = [model]
            } else {
                possible = [before, model]
                answers = false
            }
        }
        let other = gateways.other
        let found = try await other.find(id)
        #expect(possible.contains(found), place)

        let own = RequestRecord.Claim.sample(at: .at(6), by: 8)
        for step in [
            .claim(.named("B"), .notNeeded, own, code: .named("B")), .release(own, for: .redemption),
        ] as [RequestTransition] {
            guard case .success = try await other.step(step, id, at: .at(6)) else { continue }
            redemptions += 1
            let finish = RequestTransition.finish(.sample(.completed, at: .at(6)), claimant: own.claimant)
            _ = try await other.step(finish, id, at: .at(6)).get()
        }
        #expect(redemptions <= 1, place)
        _ = try await other.letTimePass(to: .at(70))
        #expect(try await other.find(id)?.isFinished ?? true, place)
        _ = try await other.step(.acknowledge, id, at: .at(71))
        let read = try await other.step(.read(at: .at(72)), id, at: .at(72))
        #expect(read == .failure(found == nil ? .unknown : .notNow), place)
        if !gateways.isSpread { #expect(try await other.usage().pending == 0, place) }
        try await expectNothingKept(gateways, place)
        return gateways.hasCut
    }
}
