import Glibc
import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardPendingRequests
import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardSQLiteStore

@Suite("SQLite store") struct SQLiteStoreTests {
    private let folder: String
    private var path: String { folder + "/requests.db" }

    init() throws {
        folder = try LastingFolder.make()
    }

    /// The one before has to be gone, which its threads may take a moment for.
    private func open(ownKey: (@Sendable (KeyRing.Key) -> Void)? = nil) throws -> SQLiteStore {
        func tryOpen() throws -> SQLiteStore {
            try SQLiteStore(path: path, maximumRemembered: 1000, ownKey: ownKey, patience: .seconds(30))
        }
        for _ in 0..<500 {
            if let store = try? tryOpen() { return store }
            usleep(10_000)
        }
        return try tryOpen()
    }

    @Test("a request that comes while the database is being opened is sealed by the key beside it")
    func beginWhileOpening() async throws {
        let known = Mutex<RequestRegistry?>(nil)
        @Sendable func policy(_ keys: KeyRing) -> RequestRegistry.Policy {
            .init(
                keys: keys, quota: .roomy,
                lifetimes: .init(
                    request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                    lease: .seconds(15)))
        }
        let ownKey = Mutex<KeyRing.Key?>(nil)
        let store = try open { key in
            // A caller that does not wait for it has sealed by now.
            usleep(100_000)
            ownKey.withLock { $0 = key }
            known.withLock { $0 }?.adopt(policy(KeyRing([key], last: .ephemeral())))
        }
        let registry = RequestRegistry(store: store, policy: policy(.ephemeral()))
        known.withLock { $0 = registry }
        let record = try await registry.begin(
            .init(
                app: "app", registration: SHA256Digest(of: "r"), redirectURI: "https://login.example/cb",
                completion: .tokens, scope: "", hostLabel: nil,
                beginner: .init(callerKey: nil, uid: nil, isAuthenticated: false),
                secrets: RequestSecrets(
                    state: Random.token(), verifier: nil, challenge: nil, nonce: nil, parameters: []))
        ).get().0
        let found = ownKey.withLock { $0 }
        let key = try #require(found)
        let next = RequestRegistry(store: store, policy: policy(KeyRing([key], last: .ephemeral())))
        #expect(next.secrets(of: record) != nil)
    }

    @Test("answered steps are in the database when it is opened anew, to the last field and byte")
    func reopened() async throws {
        var expected: [RequestRecord] = []
        var usage = StoreUsage(pending: 0, requests: 0, bytes: 0)
        let (request, other) = (RequestID(), RequestID())
        do {
            let store = try open()
            for (start, way) in Walk.starts.sorted(by: { $0.key < $1.key }) {
                var record = try await store.add(.full(state: start))
                var now = Timestamp.at(5)
                for step in way.steps {
                    if step == "wait" { now = .at(600) }
                    guard let transition = Walk.transition(step, at: now) else { continue }
                    record = try await store.step(transition, .id(record.id), at: now).get()
                }
                expected.append(record)
            }
            for id in [request, other] {
                #expect(try await store.use(.named("proof"), of: id, until: .at(100), at: .at(1)) == .first)
            }
            try await store.undoUse(.named("proof"), of: other, until: .at(100))
            usage = try await store.usage()
        }
        let store = try open()
        for record in expected {
            #expect(try await store.find(.id(record.id)) == record)
            #expect(try await store.find(.state(record.stateHash)) == record)
        }
        #expect(try await store.usage() == usage)
        #expect(try await store.use(.named("proof"), of: request, until: .at(100), at: .at(2)) == .repeated)
        #expect(try await store.use(.named("proof"), of: other, until: .at(100), at: .at(2)) == .first)
        // Time goes on where it stood.
        _ = try await store.letTimePass(to: .at(10_000))
        _ = try await store.letTimePass(to: .at(20_000))
        #expect(try await store.usage().isNothing)
    }

    /// How many transactions stand in SQLite's log: the last frame of each says how large the database is behind it.
    private func transactions() throws -> Int {
        let descriptor = unsafe Glibc.open(path + "-wal", O_RDONLY)
        defer { close(descriptor) }
        var log = [UInt8](repeating: 0, count: 1 << 20)
        log.removeSubrange(max(0, unsafe read(descriptor, &log, log.count))...)
        let frame = 24 + 4096
        return stride(from: 32, to: log.count - frame + 1, by: frame).count {
            log[$0 + 4..<$0 + 8].contains { $0 != 0 }
        }
    }

    @Test("the steps of one round of a loop are one transaction")
    func grouped() async throws {
        let store = try open()
        _ = try await store.add(.sample())
        let before = try transactions()
        let group = try EventLoopGroup(count: 1)
        try group.start()
        defer { group.stop() }
        await group.loops[0].start { [loop = group.loops[0]] in
            let tasks = (0..<20).map { number in
                loop.start { _ = try? await store.add(.sample(state: "\(number)")) }
            }
            for task in tasks { await task.value }
        }.value
        #expect(try await store.usage().pending == 21)
        // The writer may still be at its end of the one before, and take the first of them alone.
        let more = try transactions() - before
        #expect((1...2).contains(more))
    }

    @Test("a first read costs no transaction of its own, and `age` writes it to the disk")
    func reading() async throws {
        var read: [RequestRecord] = []
        do {
            let store = try open()
            for number in 0..<3 {
                let record = try await store.add(.sample(state: "\(number)"))
                try await store.complete(record, at: .at(5))
                read.append(record)
            }
            // Once a minute time writes for itself.
            _ = try await store.letTimePass(to: .at(5))
            let before = try transactions()
            for record in read { _ = try await store.step(.read(at: .at(6)), .id(record.id), at: .at(6)).get() }
            #expect(try transactions() == before)
            // A request without its answer needs no note that it was read.
            _ = try await store.step(.acknowledge, .id(read[0].id), at: .at(6)).get()
            #expect(try transactions() == before + 1)
            for _ in 0..<2 {
                _ = try await store.letTimePass(to: .at(7))
                #expect(try transactions() == before + 2)
            }
        }
        let store = try open()
        for record in read.dropFirst() {
            #expect(try await store.find(.id(record.id))?.outcome?.firstReadAt == .at(6))
        }
    }

    @Test("two stores never have one database, and the second is told who has it")
    func second() throws {
        let store = try open()
        let error = #expect(throws: SQLiteStoreError.self) {
            try SQLiteStore(path: path, maximumRemembered: 1000, ownKey: nil)
        }
        #expect(error?.description.contains("process \(getpid())") == true)
        withExtendedLifetime(store) {}
    }

    @Test("the key beside the database is made once, and is the same when the database is opened anew")
    func key() async throws {
        let keys = Mutex<[KeyRing.Key]>([])
        for _ in 0..<2 {
            let store = try open { key in keys.withLock { $0.append(key) } }
            #expect(try await store.usage().requests == 0)
        }
        let found = keys.withLock { $0 }
        try #require(found.count == 2)
        let (first, second) = (try #require(KeyRing([found[0]])), try #require(KeyRing([found[1]])))
        #expect(try second.open(first.seal([1, 2, 3], context: "c"), context: "c") == [1, 2, 3])
    }

    @Test("a store without a place fails each call, and works once the place is there")
    func place() async throws {
        let later = folder + "/later"
        let store = try SQLiteStore(path: later + "/requests.db", maximumRemembered: 1000, ownKey: nil)
        await #expect(throws: StoreError.self) { try await store.usage() }
        await #expect(throws: StoreError.self) { try await store.insert(.sample(), within: .roomy) }
        await #expect(throws: StoreError.self) { try await store.letTimePass(to: .at(1)) }
        #expect(unsafe mkdir(later, 0o700) == 0)
        for _ in 0..<500 where (try? await store.letTimePass(to: .at(1))) == nil { usleep(10_000) }
        #expect(try await store.refusal(of: .sample()) == nil)
    }

    @Test("check finds what is whole whole, and tells what is not there yet from what is damaged")
    func check() async throws {
        let store = try open()
        for _ in 0..<3 { _ = try await store.add(.full()) }
        let whole = try #require(SQLiteStore.check(path: path))
        #expect(whole.problems.isEmpty && whole.requests == 3)
        #expect(SQLiteStore.check(path: folder + "/nothing.db") == nil)
        let nowhere = try #require(SQLiteStore.check(path: folder + "/nowhere/requests.db"))
        #expect(nowhere.problems.first?.contains("nowhere") == true)
    }

    @Test("a form that is no number of ours is damage")
    func forms() throws {
        for form in [-1, -2_147_483_648, 3, 2_147_483_647] {
            let path = "\(folder)/form\(form).db"
            #expect(unsafe Glibc.open(path, O_CREAT | O_WRONLY, 0o600) >= 0)
            let database = try Database(path: path, lockWait: .seconds(1))
            try Schema.migrate(database)
            try database.run("PRAGMA user_version = \(form)")
            #expect(throws: DatabaseError.self) { try Schema.check(database) }
            #expect(throws: DatabaseError.self) { _ = try Connection(path: path) }
            #expect(SQLiteStore.check(path: path)?.problems.isEmpty == false)
        }
    }

    @Test("a second gateway does not get the store by a link to it")
    func link() async throws {
        let store = try open()
        _ = try await store.add(.full())
        for (number, target) in [path, "requests.db"].enumerated() {
            let link = "\(folder)/link\(number).db"
            #expect(unsafe symlink(target, link) == 0)
            #expect(throws: SQLiteStoreError.self) {
                _ = try SQLiteStore(path: link, maximumRemembered: 1, ownKey: nil)
            }
        }
        withExtendedLifetime(store) {}
    }
}
