import Glibc
import SwitchyardCrypto
import SwitchyardPendingRequests
import SwitchyardSQLiteStore
import TestSupport
import Testing

@Suite("Registered clients in a store") struct RegistrationStoreTests {
    private func key() -> ShortDigest { ShortDigest(SHA256Digest(of: Random.token())) }

    private func row(_ text: String, until seconds: Int = 1000) -> SealedRegistration {
        SealedRegistration(sealed: Array(text.utf8), until: .at(seconds))
    }

    @Test("a record is replaced only if it is the one that was read", arguments: StoreUnderTest.all)
    func replace(_ under: StoreUnderTest) async throws {
        let store = try await under.make()
        let key = key()
        func replace(_ seen: String?, _ new: SealedRegistration?, at seconds: Int = 1) async throws -> Bool {
            try await store.replaceRegistration(key, seen.map { Array($0.utf8) }, by: new, at: .at(seconds))
        }
        #expect(try await store.registration(key, at: .at(1)) == nil)
        #expect(try await !replace("x", row("a")))
        #expect(try await replace(nil, row("a")))
        #expect(try await !replace(nil, row("b")))
        #expect(try await !replace("b", row("c")))
        #expect(try await store.registration(key, at: .at(1)) == Array("a".utf8))
        #expect(try await store.registration(self.key(), at: .at(1)) == nil)
        #expect(try await replace("a", row("b\u{0}\u{FF}")))
        #expect(try await store.registration(key, at: .at(1)) == Array("b\u{0}\u{FF}".utf8))
        #expect(try await !replace("a", nil))
        #expect(try await replace("b\u{0}\u{FF}", nil))
        #expect(try await store.registration(key, at: .at(1)) == nil)
    }

    @Test("one of many simultaneous writes wins", arguments: StoreUnderTest.all)
    func race(_ under: StoreUnderTest) async throws {
        let store = try await under.make()
        let key = key()
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                let row = row("\(number)")
                group.addTask { try await store.replaceRegistration(key, nil, by: row, at: .at(1)) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
    }

    @Test("a record whose time is over is gone")
    func over() async throws {
        let database = try LastingFolder.make() + "/requests.db"
        let sqlite = try SQLiteStore(path: database, maximumRemembered: 10, ownKey: nil, patience: .seconds(30))
        for store in [MemoryStore(), sqlite] as [any SharedStore] {
            let key = key()
            #expect(try await store.replaceRegistration(key, nil, by: row("a", until: 10), at: .at(1)))
            #expect(try await store.registration(key, at: .at(9)) != nil)
            #expect(try await store.registration(key, at: .at(10)) == nil)
            #expect(try await store.replaceRegistration(key, nil, by: row("b", until: 2000), at: .at(10)))
            _ = await store.age(at: .at(1000))
            #expect(try await store.registration(key, at: .at(1000)) != nil)
        }
    }

    @Test("where there are too many, the one that would end first gives way")
    func surplus() async throws {
        let table = RegistrationTable()
        let (first, second, new) = (key(), key(), key())
        #expect(try await table.replaceRegistration(first, nil, by: row("a", until: 900), at: .at(1)))
        #expect(try await table.replaceRegistration(second, nil, by: row("a", until: 800), at: .at(1)))
        for _ in 2..<SealedRegistration.maximumCount {
            _ = try await table.replaceRegistration(key(), nil, by: row("a"), at: .at(1))
        }
        #expect(try await table.registration(second, at: .at(1)) != nil)
        #expect(try await table.replaceRegistration(new, nil, by: row("a"), at: .at(1)))
        #expect(try await table.registration(second, at: .at(1)) == nil)
        #expect(try await table.registration(first, at: .at(1)) != nil)
        #expect(try await table.registration(new, at: .at(1)) != nil)
    }

    @Test("SQLite has them again after a restart")
    func reopened() async throws {
        let path = try LastingFolder.make() + "/requests.db"
        let (stays, goes) = (key(), key())
        func open() throws -> SQLiteStore {
            try SQLiteStore(path: path, maximumRemembered: 10, ownKey: nil, patience: .seconds(30))
        }
        func reopen() throws -> SQLiteStore {
            for _ in 0..<500 {
                if let store = try? open() { return store }
                usleep(10_000)
            }
            return try open()
        }
        do {
            let store = try open()
            for key in [stays, goes] {
                #expect(try await store.replaceRegistration(key, nil, by: row("a"), at: .at(1)))
            }
            #expect(try await store.replaceRegistration(goes, Array("a".utf8), by: nil, at: .at(1)))
            #expect(try await store.replaceRegistration(stays, Array("a".utf8), by: row("b"), at: .at(1)))
        }
        let store = try reopen()
        #expect(try await store.registration(stays, at: .at(2)) == Array("b".utf8))
        #expect(try await store.registration(goes, at: .at(2)) == nil)
    }

    @Test("the registry opens records with its keys, and counts others as missing")
    func sealed() async throws {
        let store = MemoryStore()
        let (old, new) = (
            KeyRing.Key.ephemeral(), try #require(KeyRing.Key(id: "new", secret: Secret(Random.bytes(32))))
        )
        func registry(_ keys: KeyRing) -> RequestRegistry {
            RequestRegistry(
                store: store,
                policy: .init(
                    keys: keys, quota: .roomy,
                    lifetimes: .init(
                        request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                        lease: .seconds(15))),
                clock: { .at(1) })
        }
        let (first, both, other) = (
            registry(KeyRing([], last: old)), registry(KeyRing([new], last: old)), registry(KeyRing([], last: new))
        )
        let (key, another) = (key(), key())
        let none = try await first.registration(key)
        #expect(none.content == nil && !none.isDamaged)
        let kept = try #require(try await first.replace(none, key, by: [1, 2], until: .at(100)))
        #expect(try await first.replace(none, key, by: [3], until: .at(100)) == nil)
        let seen = try await both.registration(key)
        #expect(seen.content == [1, 2] && seen.isOfEarlierKey)
        #expect(try await other.registration(key).isDamaged)
        _ = try #require(try await both.replace(seen, key, by: [1, 2], until: .at(100)))
        #expect(try await other.registration(key).content == [1, 2])
        #expect(try await both.registration(key).isOfEarlierKey == false)
        #expect(try await first.replace(kept, key, by: nil, until: .at(100)) == nil)
        // One that was moved to another key does not open, nor does one that was changed.
        let bytes = try #require(try await store.registration(key, at: .at(1)))
        let moved = SealedRegistration(sealed: bytes, until: .at(100))
        #expect(try await store.replaceRegistration(another, nil, by: moved, at: .at(1)))
        let damaged = try await other.registration(another)
        #expect(damaged.isDamaged)
        _ = try #require(try await other.replace(damaged, another, by: [4], until: .at(100)))
        #expect(try await other.registration(another).content == [4])
        let changed = Array(bytes.dropLast()) + [bytes[bytes.count - 1] ^ 1]
        let damages: [[UInt8]] = [[], [0], [255], changed, [UInt8](repeating: 7, count: 40_000)]
        for (number, damage) in damages.enumerated() {
            let place = ShortDigest(SHA256Digest(of: "\(number)"))
            let row = SealedRegistration(sealed: damage, until: .at(100))
            #expect(try await store.replaceRegistration(place, nil, by: row, at: .at(1)))
            #expect(try await other.registration(place).isDamaged, "\(number)")
        }
    }
}
