import Glibc
import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardReactor
import SwitchyardRedis
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardPendingRequests
@testable import SwitchyardRedisStore

/// Two gateways at one Redis.
@Suite("Redis store") struct RedisStoreTests {
    private let redis: TestRedis
    private let prefix: String
    private let one: RedisStore
    private let other: RedisStore

    init() throws {
        redis = try TestRedis.shared.get()
        prefix = redis.freshPrefix()
        one = redis.store(prefix: prefix)
        other = redis.store(prefix: prefix)
    }

    @Test("exactly one of two callbacks at two gateways gets the request")
    func claimedOnce() async throws {
        for round in 0..<40 {
            let record = try await one.add(.sample(state: "at once \(round)"))
            let claims = try await withThrowingTaskGroup(of: Bool.self) { [one, other] group in
                for (name, store) in [("A", one), ("B", other), ("C", one), ("D", other)] {
                    group.addTask {
                        let claim = RequestTransition.claim(by: name, at: .at(1))
                        switch try await store.step(claim, .id(record.id), at: .at(1)) {
                        case .success: return true
                        case .failure(let refusal):
                            #expect(refusal == .conflicting)
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(claims == 1)
        }
    }

    @Test("a gateway's memory of a request never wins over another gateway's change")
    func outdated() async throws {
        let record = try await one.add(.sample())
        try await other.complete(record, at: .at(1))
        // A refusal, too, is of the request as it is.
        let late = try await one.step(.claim(by: "B", at: .at(2)), .id(record.id), at: .at(2))
        #expect(late == .failure(.conflicting))
        let read = try await one.step(.read(at: .at(2)), .id(record.id), at: .at(2)).get()
        #expect(Walk.words(read) == "completed read")
        try await other.step(.acknowledge, .id(record.id), at: .at(3))
        let again = try await one.step(.read(at: .at(4)), .id(record.id), at: .at(4))
        #expect(again == .failure(.notNow))
    }

    @Test("a request that waits for its callback is remembered, and a step sees what another gateway has made of it")
    func recalled() async throws {
        let record = try await one.add(.sample())
        #expect(one.recall(.state(record.stateHash)) == record && one.recall(.id(record.id)) == record)
        #expect(other.recall(.state(record.stateHash)) == nil)
        try await other.step(.noteForeignWatcher, .id(record.id), at: .at(1))
        let near = RequestTransition.claim(.named("A"), .sameAddress, .sample(at: .at(2)), code: .named("A"))
        #expect(try await one.step(near, .id(record.id), at: .at(2)) == .failure(.outdated))
        try await one.step(.claim(by: "A", at: .at(2)), .id(record.id), at: .at(2))
        #expect(one.recall(.state(record.stateHash)) == nil && one.recall(.id(record.id))?.claim != nil)
        try await one.step(.complete(at: .at(3)), .id(record.id), at: .at(3))
        #expect(one.recall(.id(record.id))?.isFinished == true)
        // Another gateway gives the result up, of which nobody is told.
        try await other.step(.acknowledge, .id(record.id), at: .at(4))
        #expect(try await one.step(.read(at: .at(5)), .id(record.id), at: .at(5)) == .failure(.notNow))
        #expect(one.recall(.id(record.id)) == nil)
    }

    @Test("a waiting caller hears of another gateway's changes, and its own gateway ignores its own messages")
    func changes() async throws {
        let told = Mutex<[RequestID]>([])
        let pause = try TestLoop()
        one.follow({ id in told.withLock { $0.append(id) } }, missed: {})
        // It hears no message until it listens.
        let first = try await other.add(.sample())
        while told.withLock(\.isEmpty) {
            try await redis.ask("PUBLISH", "\(prefix)changes", "somebody\(first.id)")
            await pause.run { await EventLoop.sleep(until: .now() + .milliseconds(10)) }
        }
        let own = try await one.add(.sample())
        try await one.complete(own, at: .at(1))
        let foreign = try await one.add(.sample())
        try await other.complete(foreign, at: .at(1))
        while !told.withLock({ $0.contains(foreign.id) }) {
            await pause.run { await EventLoop.sleep(until: .now() + .milliseconds(10)) }
        }
        #expect(!told.withLock { $0.contains(own.id) })
        #expect(one.recall(.id(foreign.id)) == nil, "what it remembers is outdated")
    }

    @Test("a gateway that is alone publishes nothing")
    func alone() async throws {
        let server = try RedisServer()
        let redis = try TestRedis([server], .single(server.address))
        let prefix = redis.freshPrefix()
        let pause = try TestLoop()
        func follow() async throws -> RedisStore {
            let store = redis.store(prefix: prefix)
            let isListening = Mutex(false)
            store.follow({ _ in }, missed: { isListening.withLock { $0 = true } })
            while !isListening.withLock(\.self) {
                await pause.run { await EventLoop.sleep(until: .now() + .milliseconds(10)) }
            }
            return store
        }
        func published() async throws -> Bool {
            try await redis.ask("INFO", "commandstats").text?.contains("cmdstat_publish:") == true
        }
        let first = try await follow()
        try await first.complete(try await first.add(.sample()), at: .at(1))
        #expect(try await !published())
        let second = try await follow()
        try await first.complete(try await first.add(.sample()), at: .at(1))
        #expect(try await published())
        withExtendedLifetime(second) {}
    }

    @Test("work that a gateway leaves behind ends with its lease, and one of those that live tells of it")
    func abandoned() async throws {
        let record = try await one.add(.sample())
        try await one.step(.claim(by: "A", at: .at(10)), .id(record.id), at: .at(10))
        #expect(try await other.letTimePass(to: .at(69)).isEmpty)
        async let first = one.letTimePass(to: .at(71))
        async let second = other.letTimePass(to: .at(71))
        let told = try await [first, second].flatMap(\.self)
        #expect(told.map(\.id) == [record.id])
        #expect(try await one.words(record)?.hasPrefix("failed internal") == true)
        for store in [one, other] { #expect(try await store.letTimePass(to: .at(80)).isEmpty) }
    }

    @Test("caps hold for all gateways together")
    func caps() async throws {
        let quota = RequestQuota.roomy(perApp: 20)
        let taken = try await withThrowingTaskGroup(of: Bool.self) { [one, other] group in
            for number in 0..<60 {
                group.addTask {
                    try await (number % 2 == 0 ? one : other).refusal(of: .sample(), quota: quota) == nil
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(taken == 20)
    }

    @Test("counts that no gateway gave back lapse some minutes after their request would have been forgotten")
    func leaks() async throws {
        let quota = RequestQuota.roomy(total: 1, perApp: 1, perAddress: 1)
        func add(at second: Int) async throws -> InsertionRefusal? {
            try await one.refusal(of: .begun(at: second), quota: quota)
        }
        #expect(try await add(at: 0) == nil)
        // As Redis does it when no gateway is left.
        for key in try await redis.keys("\(prefix){0}:r:") + redis.keys("\(prefix){0}:s:") {
            try await redis.ask("DEL", key)
        }
        #expect(try await add(at: 1190) != nil)
        #expect(try await add(at: 2400) == nil)
        #expect(try await add(at: 2400) != nil)
        #expect(try await one.usage().requests == 1)
        _ = try await one.letTimePass(to: .at(10_000))
        #expect(try await one.usage() == StoreUsage(pending: 0, requests: 0, bytes: 0))
    }

    @Test("a sign-in asks Redis few commands, and most steps move no count")
    func commands() async throws {
        let server = try RedisServer()
        // One loop, which remembers each record.
        let redis = try TestRedis([server], .single(server.address), loops: 1)
        let store = await redis.connectedStore()
        func calls() async throws -> Int {
            let text = try await redis.ask("INFO", "commandstats").text ?? ""
            return text.split(whereSeparator: \.isNewline).reduce(0) { sum, line in
                // Connections cost some of their own, and the set-up is looked at once.
                let others = [
                    "info", "config", "client", "hello", "ping", "select", "auth", "role", "script", "subscribe",
                ]
                let isOurs = line.hasPrefix("cmdstat_") && !others.contains { line.hasPrefix("cmdstat_\($0)") }
                let count = line.split(separator: "calls=").last?.prefix { $0 != "," } ?? ""
                return sum + (isOurs ? Int(count) ?? 0 : 0)
            }
        }
        var most: [String: Int] = [:]
        func note(_ step: String, _ body: () async throws -> Void) async throws {
            let before = try await calls()
            try await body()
            most[step] = try await calls() - before
        }
        // The first one also tells the scripts.
        for _ in 0..<2 {
            let record = RequestRecord.sample()
            let key = RequestKey.id(record.id)
            try await note("begin") { _ = try await store.add(record) }
            try await note("find") { _ = try await store.find(.state(record.stateHash)) }
            try await note("claim") { try await store.step(.claim(by: "A", at: .at(1)), key, at: .at(1)) }
            try await note("finish") { try await store.step(.complete(at: .at(1)), key, at: .at(1)) }
            try await note("read") { try await store.step(.read(at: .at(2)), key, at: .at(2)) }
            try await note("acknowledge") { try await store.step(.acknowledge, key, at: .at(3)) }
            let notes = (0..<7).map {
                TimelineNote(of: record.reference, app: "app", at: .at(0), TimelineEvent("e\($0)"))
            }
            try await note("history") { try await store.keep(notes, at: .at(3)) }
        }
        // To begin, end and acknowledge moves counts; a read does now and then.
        let limits = [
            "begin": 6, "find": 3, "claim": 4, "finish": 6, "read": 5, "acknowledge": 8, "history": 9,
        ]
        for (step, limit) in limits { #expect(most[step] ?? .max <= limit, "\(step): \(most[step] ?? 0)") }
    }

    @Test("a request whose time has moved later is noted for that when the earlier one comes, and not before")
    func postponed() async throws {
        func time(of record: RequestRecord) async throws -> Int64? {
            let score = try await redis.ask("ZSCORE", "\(prefix){0}:due", "\(record.id)").text
            return score.flatMap { Double($0) }.map { Int64($0) }
        }
        let (record, idle) = (try await one.add(.sample()), try await one.add(.sample()))
        let claimed = try await one.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1)).get()
        let done = try await one.step(.complete(at: .at(2)), .id(record.id), at: .at(2)).get()
        #expect(done.dueAt > claimed.dueAt)
        #expect(try await time(of: record) == claimed.dueAt.milliseconds)
        _ = try await other.letTimePass(to: claimed.dueAt)
        #expect(try await time(of: record) == done.dueAt.milliseconds)
        #expect(try await time(of: idle) == idle.dueAt.milliseconds)
        // At its own time it is looked at.
        _ = try await other.letTimePass(to: done.dueAt)
        #expect(try await one.find(.id(record.id))?.isTombstone == true)
        #expect(try await time(of: record) == nil)
    }

    private func key(of record: RequestRecord) -> String { "\(prefix){0}:r:\(record.id)" }

    @Test("a record that stands in the place of another is neither read nor changed there")
    func otherPlace() async throws {
        let (mine, theirs) = (try await one.add(.sample()), try await one.add(.sample()))
        try await redis.ask("COPY", key(of: theirs), key(of: mine), "REPLACE")
        // Each loop remembers what it has seen; there are two.
        for _ in 0..<4 {
            let step = try await one.step(.claim(by: "A", at: .at(1)), .id(mine.id), at: .at(1))
            #expect(step == .failure(.unknown))
        }
        #expect(try await one.find(.id(mine.id)) == nil)
        #expect(try await one.words(theirs) == "pending")
    }

    @Test("a record that no gateway has written is none, and is warned of once")
    func notWritten() async throws {
        let warned = Mutex<[String]>([])
        let store = redis.store(prefix: prefix, warn: { words in warned.withLock { $0.append(words) } })
        let record = try await store.add(.sample())
        // The version is as it was, and the gateway remembers the record.
        try await redis.ask("SETRANGE", key(of: record), "60", "changed")
        for _ in 0..<4 {
            let step = try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1))
            #expect(step == .failure(.unknown))
            #expect(try await store.find(.id(record.id)) == nil)
        }
        // The due requests are read, and the rest of their steps is done.
        let later = try await store.add(.sample())
        #expect(try await store.letTimePass(to: .at(601)).map(\.id) == [later.id])
        #expect(warned.withLock { $0.count { $0.contains("encryption_keys") } } == 1)
    }

    @Test("keys that a reload brings sign, and those that stay are still believed")
    func reloadedKeys() async throws {
        let old = try #require(KeyRing.Key(id: "k1", secret: Secret(Random.bytes(32))))
        let new = try #require(KeyRing.Key(id: "k2", secret: Secret(Random.bytes(32))))
        let store = redis.store(prefix: prefix, keys: KeyRing([old]))
        let lagging = redis.store(prefix: prefix, keys: KeyRing([old]))
        let before = try await store.add(.sample())
        store.adopt(KeyRing([new], last: old))
        let after = try await store.add(.sample())
        #expect(try await store.words(before) == "pending")
        #expect(try await store.words(after) == "pending")
        #expect(try await lagging.words(before) == "pending")
        await #expect(throws: StoreError.self) { try await lagging.find(.id(after.id)) }
        lagging.adopt(KeyRing([new], last: old))
        #expect(try await lagging.words(after) == "pending")
    }

    @Test("counts that somebody has made the largest numbers of stop no gateway")
    func largestNumbers() async throws {
        let counts = "\(prefix){0}:c"
        // An amount has 18 bytes; the largest that are text have minutes and numbers beyond two billions.
        for length in [0, 1, 17, 18, 19] {
            try await redis.ask("HSET", counts, "all", String(repeating: "~", count: length))
            try await one.complete(try await one.add(.sample()), at: .at(1))
            let amount = String(repeating: "~", count: 18)
            try await redis.ask("HSET", counts, "all", String(repeating: "~", count: length) + amount)
            let usage = try await one.usage()
            #expect(usage.pending >= 1 && usage.requests >= 0 && usage.bytes >= 0)
            try await one.complete(try await one.add(.sample()), at: .at(1))
        }
    }

    @Test("a server that has forgotten the scripts is told them again")
    func scripts() async throws {
        let record = try await one.add(.sample())
        try await redis.ask("SCRIPT", "FLUSH")
        try await other.complete(record, at: .at(1))
        #expect(try await one.find(.state(record.stateHash)) != nil)
    }

    private static func notes(_ references: [Reference]) -> [TimelineNote] {
        references.map { TimelineNote(of: $0, app: "app", at: .at(0), TimelineEvent("begun")) }
    }

    @Test("a history in the place of which is something else is left alone, and stops no other")
    func foreignHistories() async throws {
        let references = (0..<200).map { _ in Reference() }
        func key(_ number: Int) -> String { "\(prefix){0}:t:\(references[number])" }
        // All tests begin at once, and the server, too.
        while (try? await one.letTimePass(to: .at(0))) == nil {}
        try await redis.ask("SET", key(3), "of another program")
        try await redis.ask("HSET", key(70), "begun", "newer")
        try await redis.ask("SET", key(71), "\u{2}newer")
        try await redis.ask("SET", key(150), "")
        let shortfall = try #require(await one.add(Self.notes(references), at: .at(0)))
        #expect(shortfall.waiting.isEmpty && shortfall.lost == 4)
        for (number, reference) in references.enumerated() where ![3, 70, 71, 150].contains(number) {
            #expect(try await other.timeline(of: reference, at: .at(1))?.entries.count == 1)
        }
        #expect(try await redis.ask("GET", key(3)).text == "of another program")
        #expect(try await redis.ask("HGET", key(70), "begun").text == "newer")
        #expect(try await redis.ask("GET", key(71)).text == "\u{2}newer")
        #expect(try await other.timeline(of: references[71], at: .at(1)) == nil)
    }

    @Test("a history that is added to for long stays short, and counts all of it")
    func longHistories() async throws {
        let reference = Reference()
        for second in 0..<300 { try await one.keep(Self.notes([reference]), at: .at(second)) }
        let length = try await redis.ask("STRLEN", "\(prefix){0}:t:\(reference)").integer ?? .max
        #expect(length < 8192)
        #expect(try await other.timeline(of: reference, at: .at(300))?.entries.map(\.count) == [300])
        #expect(try await redis.ask("PTTL", "\(prefix){0}:t:\(reference)").integer ?? 0 > 0)
    }

    @Test("a part of a cluster that takes no histories keeps those of no other part waiting")
    func otherPartitions() async throws {
        let redis = try await TestRedis.cluster.value
        let prefix = redis.freshPrefix()
        let store = redis.store(prefix: prefix)
        while (try? await store.letTimePass(to: .at(0))) == nil {}
        let keys = Keys(prefix: prefix, isSpread: true)
        let references = (0..<400).map { _ in Reference() }
        let closed = keys.partition(of: references[0])
        let index = String(decoding: keys.partitions[closed].histories.index, as: UTF8.self)
        try await redis.askOwner("SET", "\(index)\(TimelineRoom.requests.rawValue)", "of another program")
        let shortfall = try #require(await store.add(Self.notes(references), at: .at(0)))
        let theirs = references.filter { keys.partition(of: $0) == closed }
        #expect(shortfall.lost == 0 && shortfall.waiting.map(\.reference) == theirs, "in their order")
        for reference in references where !theirs.contains(reference) {
            #expect(try await store.timeline(of: reference, at: .at(1)) != nil)
        }
        try await redis.askOwner("DEL", "\(index)\(TimelineRoom.requests.rawValue)")
        var waiting = shortfall.waiting
        while let again = await store.add(waiting, at: .at(1)) { waiting = again.waiting }
        for reference in theirs { #expect(try await store.timeline(of: reference, at: .at(1)) != nil) }
    }

    @Test("a request's room is given back once it is forgotten and its answer is gone")
    func share() {
        // The lifetime of results may be longer than that of requests, and a reload may change either.
        for discardAt in [Timestamp.at(60), .at(86_400)] {
            var record = RequestRecord.sample()
            record.phase = .finished(
                .init(kind: .completed, finishedAt: .at(1), answer: .sealed([7]), discardAt: discardAt))
            let counted = CountedRecord(StoredRecord(record, version: 1, keys: .ephemeral()))
            #expect(counted.minute > CountedRecord.minute(of: discardAt))
            #expect(counted.minute > CountedRecord.minute(of: record.rememberedUntil))
        }
    }

    @Test("all that is kept goes by itself, and no key says what only some may know")
    func keys() async throws {
        for (start, way) in Walk.starts.sorted(by: { $0.key < $1.key }) {
            let record = try await one.add(.full(state: start))
            for step in way.steps {
                guard let transition = Walk.transition(step, at: .at(5)) else { continue }
                try await one.step(transition, .id(record.id), at: .at(5))
            }
            _ = try await one.use(.named("proof"), of: record.id, until: .at(120), at: .at(5))
        }
        _ = try await one.letTimePass(to: .at(6))
        let keys = try await redis.keys(prefix)
        #expect(keys.count > 2 * Walk.starts.count)
        for key in keys {
            let life = try await redis.ask("PTTL", key).integer ?? 0
            #expect(life > 0, "\(key)")
            for start in Walk.starts.keys { #expect(!key.contains(start)) }
            for secret in ["com.contoso.app1", "2001:db8"] { #expect(!key.contains(secret)) }
        }
    }

    @Test("a user who may do no more than the page on reliability says can keep requests, and hear of them")
    func rights() async throws {
        let server = try RedisServer([
            "--user", "gateway", "on", ">secret", "~switchyard:*", "&switchyard:*", "+@all", "-@admin", "-@dangerous",
            "+info", "+role", "+config|get", "--user", "default", "off",
        ])
        var options = RedisOptions()
        options.access = RedisAccess(.init(user: "gateway", password: "secret"))
        let redis = try TestRedis([server], .single(server.address, options))
        let warned = Mutex<[String]>([])
        let store = redis.store(prefix: "switchyard:", warn: { words in warned.withLock { $0.append(words) } })
        let other = redis.store(prefix: "switchyard:")
        let told = Mutex<Set<RequestID>>([])
        store.follow({ id in _ = told.withLock { $0.insert(id) } }, missed: {})
        // The set-up is looked at as time passes.
        _ = try await store.letTimePass(to: .at(0))
        var count = 0
        while told.withLock(\.isEmpty) || warned.withLock(\.isEmpty) {
            let record = try await other.add(.sample())
            try await other.complete(record, at: .at(1))
            count += 1
        }
        _ = try await store.letTimePass(to: .at(2))
        #expect(try await store.usage().requests == count)
        #expect(warned.withLock { $0 }.allSatisfy { $0.contains("appendonly") }, "nothing that it cannot see")
    }
}

/// Faults of the server itself; each test has its own server.
@Suite("Redis store: a server that is out") struct RedisOutageTests {
    private let redis: TestRedis
    private let store: RedisStore
    private let record: RequestRecord

    init() async throws {
        redis = try TestRedis()
        store = redis.store(patience: .seconds(5))
        while (try? await store.letTimePass(to: .at(0))) == nil {}
        record = try await store.add(.sample())
    }

    private func expectOut() async throws {
        await #expect(throws: StoreError.self) { try await store.refusal(of: .sample()) }
        await #expect(throws: StoreError.self) { try await store.letTimePass(to: .at(1)) }
        await #expect(throws: StoreError.self) {
            try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1))
        }
    }

    private func expectBack() async throws {
        while (try? await store.letTimePass(to: .at(1))) == nil {}
        #expect(try await store.words(record) == "pending")
        _ = try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1)).get()
        #expect(try await store.refusal(of: .sample()) == nil)
    }

    @Test("without memory for what it is given, it is out, consumes nothing, and comes back by itself")
    func memory() async throws {
        try await redis.ask("CONFIG", "SET", "maxmemory", "1")
        try await expectOut()
        #expect(try await store.words(record) == "pending")
        try await redis.ask("CONFIG", "SET", "maxmemory", "0")
        try await expectBack()
    }

    @Test("a replica that takes no writes is out, consumes nothing, and comes back as a primary")
    func replica() async throws {
        try await redis.ask("REPLICAOF", "127.0.0.1", "1")
        try await expectOut()
        try await redis.ask("REPLICAOF", "NO", "ONE")
        try await expectBack()
    }

    @Test("a server that stands still is out in time, and nothing that it does late is done twice")
    func stopped() async throws {
        redis.server.signal(SIGSTOP)
        try await expectOut()
        redis.server.signal(SIGCONT)
        // The abandoned claim may have been carried out now; then only its claimant has it.
        while (try? await store.letTimePass(to: .at(1))) == nil {}
        let late = try #require(try await store.find(.id(record.id)))
        let claim = try await store.step(.claim(by: "B", at: .at(1)), .id(record.id), at: .at(1))
        switch late.phase {
        case .redeeming: #expect(claim == .failure(.conflicting))
        default: #expect(Walk.words(try claim.get()) == "redeeming")
        }
    }
}

@Suite("Redis store: how the servers are set up") struct ServerReviewTests {
    private static let safe = """
        # Memory\r\nmaxmemory:1000\r\nmaxmemory_policy:noeviction\r\n# Persistence\r\naof_enabled:1\r\n\
        # Replication\r\nrole:master\r\nconnected_slaves:1\r\nmin_slaves_good_slaves:1\r\n
        """

    private func warnings(
        _ change: (String, String)? = nil, _ fsync: ServerReview.Fsync = .policy("always")
    ) -> [String] {
        let text = change.map { Self.safe.replacing($0.0, with: $0.1) } ?? Self.safe
        return ServerReview.warnings(information: text, fsync)
    }

    @Test("a safe setting of the server gets no warning")
    func safe() {
        #expect(warnings().isEmpty)
        #expect(warnings(("noeviction", "allkeys-lru"), .unknown).count == 1)
        // Without a limit no record is given up.
        #expect(
            warnings(("maxmemory:1000\r\nmaxmemory_policy:noeviction", "maxmemory:0\r\nmaxmemory_policy:allkeys-lru"))
                .isEmpty)
        #expect(warnings(("connected_slaves:1\r\nmin_slaves_good_slaves:1", "connected_slaves:0")).isEmpty)
    }

    @Test(
        "what may lose requests is said with what to set",
        arguments: [
            ("noeviction", "volatile-ttl", "maxmemory-policy"), ("aof_enabled:1", "aof_enabled:0", "appendonly"),
            ("min_slaves_good_slaves:1\r\n", "", "min-replicas-to-write"),
        ])
    func risky(from: String, to: String, words: String) {
        #expect(warnings((from, to)).count == 1)
        #expect(warnings((from, to)).first?.contains(words) == true)
    }

    @Test("a log that comes to the disk late is said, and one line says that it cannot be seen")
    func fsync() {
        #expect(warnings(nil, .policy("everysec")).first?.contains("appendfsync everysec") == true)
        #expect(warnings(nil, .forbidden).count == 1)
        #expect(warnings(("aof_enabled:1", "aof_enabled:0"), .policy("everysec")).count == 1)
    }

    @Test("a warning about a server's settings comes once")
    func told() async throws {
        let redis = try TestRedis.shared.get()
        let warnings = Mutex<[String]>([])
        let store = redis.store { warning in warnings.withLock { $0.append(warning) } }
        let pause = try TestLoop()
        while warnings.withLock(\.isEmpty) {
            _ = try await store.letTimePass(to: .at(1))
            await pause.run { await EventLoop.sleep(until: .now() + .milliseconds(10)) }
        }
        #expect(warnings.withLock { $0.count } == 1)
        #expect(warnings.withLock { $0[0].contains("appendonly no") })
    }
}
