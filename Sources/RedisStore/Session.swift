internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedis
internal import SwitchyardText
internal import Synchronization

/// One loop's work with Redis: reads and writes records.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class Session: @unchecked Sendable {
    let loop: EventLoop
    let keys: Keys
    let redis: RedisDeployment
    /// The prefix of this gateway's messages, by which it recognizes its own.
    let sender: String
    /// The keys that sign records, and verify that gateways have written them.
    let ring: Mutex<KeyRing>
    private let unusable: UnusableRecords
    let known: KnownRecords
    var nextVersion: UInt64
    var historyPauses = HistoryPauses()

    /// The cursor for the next call that tends the counts.
    private var countCursor = Array("0".utf8)

    /// The time without an answer after which a connection counts as dead.
    let silence: Duration
    /// Redis keeps a request for this much longer than it is remembered: clocks may be wrong by an hour.
    static let margin = Duration.seconds(3700)
    /// Redis keeps the counts for this long after the last call that tends them: longer than any request lives.
    private static let lifeOfCounts = Duration.seconds(4 * 86_400)

    init(
        _ keys: Keys, _ ring: KeyRing, _ redis: RedisDeployment, _ known: KnownRecords, sender: String,
        silence: Duration, _ unusable: UnusableRecords, on loop: EventLoop
    ) {
        self.keys = keys
        self.known = known
        self.ring = Mutex(ring)
        self.unusable = unusable
        self.redis = redis
        self.sender = sender
        self.silence = silence
        self.loop = loop
        nextVersion = Random.number()
    }

    func close() { redis.close() }

    /// Signs and verifies with other keys from now on. Callable from any thread.
    func adopt(_ keys: KeyRing) { ring.withLock { $0 = keys } }

    // MARK: Commands

    func send(
        _ arguments: [[UInt8]], key: [UInt8], until deadline: Instant
    ) async throws(RedisError) -> RedisValue {
        try await redis.send(RedisCommand(arguments), key: key, until: min(deadline, .now() + silence))
    }

    /// - Parameter keys: at least one; in a cluster, all of one slot.
    func run(
        _ script: RedisScript, keys: [[UInt8]], _ arguments: [[UInt8]], until deadline: Instant
    ) async throws(RedisError) -> RedisValue {
        try await redis.run(
            script, keys: keys, arguments: arguments, until: min(deadline, .now() + silence))
    }

    static let get = Array("GET".utf8)

    /// Runs an idempotent command, and repeats it after a lost answer while there is time.
    func repeating(
        until deadline: Instant, _ body: () async throws(RedisError) -> RedisValue
    ) async throws(StoreError) -> RedisValue {
        while true {
            do throws(RedisError) {
                return try await body()
            } catch {
                guard case .outcomeUnknown = error, Instant.now() < deadline else { throw StoreError("\(error)") }
            }
        }
    }

    // MARK: Reading

    func read(_ key: RequestKey, until deadline: Instant) async throws(StoreError) -> StoredRecord? {
        let value = try await repeating(until: deadline) { () throws(RedisError) in
            switch key {
            case .id(let id):
                let key = keys.partition(of: id).record(id)
                return try await send([Self.get, key], key: key, until: deadline)
            case .state(let hash):
                let partition = keys.partition(of: hash)
                let state = partition.state(hash)
                // While a slot moves the state may be at another node than the record, which a script does not see.
                guard keys.isSpread else {
                    return try await run(Scripts.find, keys: [state], [partition.records], until: deadline)
                }
                let id = try await send([Self.get, state], key: state, until: deadline)
                guard let bytes = id.bytes else { return id }
                let record = partition.records + bytes
                return try await send([Self.get, record], key: record, until: deadline)
            }
        }
        guard let stored = try storedRecord(from: value) else {
            if case .id(let id) = key { known.forget(id) }
            return nil
        }
        switch key {
        case .id(let id): guard stored.record.id == id else { return nil }
        // The key has only half of the digest.
        case .state(let hash): guard stored.record.stateHash == hash else { return nil }
        }
        known.note(stored)
        return stored
    }

    /// Reads due records that are at another node while their slot moves. Ids without a record leave the lists.
    func elsewhere(
        _ ids: [[UInt8]], in partition: Keys.Partition, until deadline: Instant
    ) async throws(StoreError) -> [StoredRecord] {
        var found: [StoredRecord] = []
        for id in ids {
            let key = partition.records + id
            let value = try await repeating(until: deadline) { () throws(RedisError) in
                try await send([Self.get, key], key: key, until: deadline)
            }
            if value.bytes != nil {
                if let stored = try? storedRecord(from: value) { found.append(stored) }
                continue
            }
            for list in [partition.due, partition.over] {
                _ = try await repeating(until: deadline) { () throws(RedisError) in
                    try await send([Array("ZREM".utf8), list, id], key: list, until: deadline)
                }
            }
        }
        return found
    }

    /// Reads a record. A record that no gateway with these keys has written counts as missing.
    /// - Throws: ``StoreError`` if another gateway may be able to read it.
    func storedRecord(from value: RedisValue) throws(StoreError) -> StoredRecord? {
        guard let bytes = value.bytes else { return nil }
        do throws(UnusableRecordError) {
            return try StoredRecord(value: bytes, keys: ring.withLock(\.self))
        } catch {
            switch error {
            case .notAuthentic, .notSigned:
                unusable.note(error)
                return nil
            case .unknownKey(let id):
                throw StoreError(
                    "a sign-in in Redis is signed with the encryption key \"\(id)\", which is not configured",
                    missingKey: id)
            case .newerVersion(let version):
                throw StoreError("a newer version of the gateway has written a request (form \(version))")
            }
        }
    }

    /// Reads the count of all requests.
    func usage(until deadline: Instant) async throws(StoreError) -> StoreUsage {
        let arguments = [Array("HGET".utf8), keys.counts, Array("all".utf8)]
        return try StoreUsage(
            count: try await repeating(until: deadline) { () throws(RedisError) in
                try await send(arguments, key: keys.counts, until: deadline)
            })
    }

    /// Removes counts that have lapsed; some with each call.
    func tendCounts(at now: Timestamp, until deadline: Instant) async throws(StoreError) {
        let arguments = [
            Self.bytes(CountedRecord.minute(of: now)), countCursor, Self.milliseconds(Self.lifeOfCounts),
        ]
        let answer = try await repeating(until: deadline) { () throws(RedisError) in
            try await run(CountScripts.tend, keys: [keys.counts], arguments, until: deadline)
        }
        countCursor = answer.bytes ?? Array("0".utf8)
    }

    /// Subscribes to the changes of other gateways.
    func listen() {
        let channel = String(decoding: keys.channel, as: UTF8.self)
        redis.subscribe(to: channel)
        // A channel without messages: ``Scripts/write`` compares its listeners with those of the first one, to see whether
        // any other gateway listens.
        redis.subscribe(to: channel + sender)
    }

    static func bytes(_ number: Int64) -> [UInt8] { Array("\(number)".utf8) }

    static func milliseconds(_ duration: Duration) -> [UInt8] { bytes(duration.wholeMilliseconds) }
}

extension StoreError {
    /// The answer to a command has a form that Redis never gives with the keys as gateways write them.
    /// - Parameter command: its name, for the operator.
    static func unexpectedAnswer(to command: String) -> StoreError {
        StoreError(
            "Redis gave an unexpected answer to \(command); let only gateways write to its keys (a Redis user of their own)"
        )
    }
}
