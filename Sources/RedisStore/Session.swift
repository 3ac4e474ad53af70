internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedis
internal import SwitchyardText
internal import Synchronization

/// One loop's work with Redis: reads and writes records, and remembers the latest ones.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class Session: @unchecked Sendable {
    /// The result of a write.
    enum Written {
        case done(Kept?)
        /// The request has changed meanwhile; nil if it is gone.
        case stale(Kept?)
        /// The state is another request's.
        case stateInUse
        case noRoom(InsertionRefusal)
    }

    let loop: EventLoop
    let keys: Keys
    let redis: RedisDeployment
    /// The prefix of this gateway's messages, by which it recognizes its own.
    let sender: String
    /// The keys that sign records, and verify that gateways have written them.
    private let ring: Mutex<KeyRing>
    private let unusable: UnusableRecords
    private var known = KnownRecords()
    private var nextVersion: UInt64
    var historyRoom = HistoryRoom()

    /// For how long an answer is waited for, before the connection is taken for dead.
    private let silence: Duration
    /// How much longer than a request is remembered Redis keeps it: clocks may be wrong by an hour.
    private static let margin = Duration.seconds(3700)

    init(
        _ keys: Keys, _ ring: KeyRing, _ redis: RedisDeployment, sender: String, silence: Duration,
        _ unusable: UnusableRecords, on loop: EventLoop
    ) {
        self.keys = keys
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

    private static let get = Array("GET".utf8)

    /// Runs what may be run twice, and again as long as there is time and an answer was lost.
    func repeating(
        until deadline: Instant, _ body: () async throws(RedisError) -> RedisValue
    ) async throws(StoreFailure) -> RedisValue {
        while true {
            do throws(RedisError) {
                return try await body()
            } catch {
                guard case .outcomeUnknown = error, Instant.now() < deadline else { throw StoreFailure("\(error)") }
            }
        }
    }

    // MARK: Reading

    func read(_ key: RequestKey, until deadline: Instant) async throws(StoreFailure) -> Kept? {
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
        guard let kept = try kept(value) else {
            if case .id(let id) = key { known.forget(id) }
            return nil
        }
        switch key {
        case .id(let id): guard kept.record.id == id else { return nil }
        // Half of it is the key.
        case .state(let hash): guard kept.record.stateHash == hash else { return nil }
        }
        known.note(kept)
        return kept
    }

    /// Reads due records that are at another node while their slot moves. Ids without a record leave the lists.
    func elsewhere(
        _ ids: [[UInt8]], in partition: Keys.Partition, until deadline: Instant
    ) async throws(StoreFailure) -> [Kept] {
        var found: [Kept] = []
        for id in ids {
            let key = partition.records + id
            let value = try await repeating(until: deadline) { () throws(RedisError) in
                try await send([Self.get, key], key: key, until: deadline)
            }
            if value.bytes != nil {
                if let kept = try? kept(value) { found.append(kept) }
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

    /// The record as this loop saw it last, which may be some time ago.
    func remembered(_ id: RequestID) -> Kept? { known[id] }

    /// Reads a record. One that no gateway with these keys has written is as if it were not there.
    /// - Throws: ``StoreFailure`` where another gateway may be able to read it.
    func kept(_ value: RedisValue) throws(StoreFailure) -> Kept? {
        guard let bytes = value.bytes else { return nil }
        do throws(UnusableRecord) {
            return try Kept(value: bytes, keys: ring.withLock(\.self))
        } catch {
            switch error {
            case .notAuthentic, .notSigned:
                unusable.note(error)
                return nil
            case .unknownKey(let id):
                throw StoreFailure(
                    "a sign-in in Redis is signed with the encryption key \"\(id)\", which is not configured",
                    missingKey: id)
            case .newerVersion(let version):
                throw StoreFailure("a newer version of the gateway has written a request (form \(version))")
            }
        }
    }

    /// Reads the total counts.
    /// - Parameter now: the time at which old minutes lapse; nil to look only.
    func usage(at now: Timestamp?, until deadline: Instant) async throws(StoreFailure) -> StoreUsage {
        let minute = now.map { Self.bytes(Share.minute(of: $0)) } ?? []
        let answer = try await repeating(until: deadline) { () throws(RedisError) in
            try await run(Scripts.usage, keys: [keys.altogether], [minute], until: deadline)
        }
        return try Self.usage(answer)
    }

    /// Reads what ``Scripts/usage`` answers.
    static func usage(_ answer: RedisValue) throws(StoreFailure) -> StoreUsage {
        let numbers = (answer.array ?? []).map { Int($0.integer ?? 0) }
        guard numbers.count == 3 else { throw StoreFailure("an answer that makes no sense") }
        return StoreUsage(pending: numbers[0], kept: numbers[1], bytes: numbers[2])
    }

    /// From now on hears what other gateways change.
    func listen() { redis.subscribe(to: String(decoding: keys.channel, as: UTF8.self)) }

    // MARK: Writing

    /// Puts a record into the place of another, in one step. After a lost answer, the same command is sent again: the
    /// present value then says whether it was written.
    /// - Parameters:
    ///   - record: nil to remove the old one.
    ///   - old: nil for a new request.
    ///   - limits: nil for a change that is always taken.
    func write(
        _ record: RequestRecord?, over old: Kept?, _ limits: CountLimits?, at now: Timestamp, until deadline: Instant
    ) async throws(StoreFailure) -> Written {
        nextVersion &+= 1
        let made = record.map { Kept.made($0, version: nextVersion, keys: ring.withLock(\.self)) }
        guard let id = (record ?? old?.record)?.id else { return .stale(nil) }
        let change = CountChange(from: old.map { Share($0) }, to: made.map { Share($0.kept) }, limits, keys)
        let minute = Share.minute(of: now)
        if keys.isSpread, limits != nil, let refusal = try await count(change, minute, until: deadline) {
            return .noRoom(refusal)
        }
        let (key, keyCount, arguments) = command(
            id, made, old, change, now, isEnding: limits == nil && record?.isFinished != false)
        let written: Written
        var mayBeWritten = false
        do throws(StoreFailure) {
            let answer = try await repeating(until: deadline) { () throws(RedisError) in
                do throws(RedisError) {
                    return try await redis.run(
                        Scripts.write, key: key, keyCount: keyCount, arguments, until: min(deadline, .now() + silence))
                } catch {
                    if case .outcomeUnknown = error { mayBeWritten = true }
                    throw error
                }
            }
            written = try self.written(answer, id, made?.kept, change)
        } catch {
            known.forget(id)
            if keys.isSpread, limits != nil, !mayBeWritten { await settle(change.reversed, minute) }
            throw error
        }
        if keys.isSpread {
            let isDone = if case .done = written { true } else { false }
            // A change with limits was counted before.
            if isDone, limits == nil { await settle(change, minute) }
            if !isDone, limits != nil { await settle(change.reversed, minute) }
        }
        switch written {
        case .done(let kept?), .stale(let kept?): known.note(kept)
        case .done(nil), .stale(nil), .stateInUse, .noRoom: known.forget(id)
        }
        return written
    }

    private func command(
        _ id: RequestID, _ made: (kept: Kept, value: [UInt8])?, _ old: Kept?, _ change: CountChange, _ now: Timestamp,
        isEnding: Bool
    ) -> (key: [UInt8], keyCount: Int, arguments: RedisArguments) {
        let partition = keys.partition(of: id)
        let parts = keys.isSpread ? [] : change.parts
        let key = partition.record(id)
        var arguments = RedisArguments()
        arguments.reserve(bytes: (made?.value.count ?? 0) + 640, count: 18 + 2 * parts.count)
        arguments.append(key)
        arguments.append((made?.kept ?? old).map { partition.state($0.record.stateHash) } ?? [])
        arguments.append(partition.proofs(id))
        arguments.append(partition.due)
        arguments.append(partition.over)
        for part in parts { arguments.append(part.key) }
        arguments.append(old?.head ?? [])
        arguments.append(made?.value ?? [])
        arguments.append { Base64URL.append(id.bytes, to: &$0) }
        if let record = made?.kept.record {
            let isOver = record.isTombstone
            let life = max(record.rememberedUntil, record.dueAt) - now
            arguments.append((isOver ? record.rememberedUntil : record.dueAt).milliseconds)
            arguments.append(isOver ? 1 : 0)
            arguments.append((max(life, .zero) + Self.margin).wholeMilliseconds)
            let isNews = old.map { record.isNews(after: $0.record) } == true
            arguments.append(isNews ? Array("\(sender)\(id)".utf8) : [])
        } else {
            for _ in 0..<4 { arguments.append([]) }
        }
        arguments.append(keys.channel)
        arguments.append(Share.minute(of: now))
        arguments.append(change.from)
        arguments.append(change.to)
        arguments.append(life(of: change, at: now))
        arguments.append(isEnding ? 1 : 0)
        for part in parts { arguments.append { part.write(to: &$0) } }
        return (key, 5 + parts.count, arguments)
    }

    private func written(
        _ answer: RedisValue, _ id: RequestID, _ kept: Kept?, _ change: CountChange
    ) throws(StoreFailure) -> Written {
        switch answer {
        case .status("OK"): return .done(kept)
        case .status: return .stateInUse
        case .integer(let full):
            guard let refusal = change.refusal(full) else { throw StoreFailure("an answer that makes no sense") }
            return .noRoom(refusal)
        case .null: return .stale(nil)
        case .bytes, .array, .error:
            // A writer may put another request's record there, whole.
            let other = try self.kept(answer)
            return .stale(other?.record.id == id ? other : nil)
        }
    }

    // MARK: Counts at other servers

    /// Counts a change with limits before the record is written. After a lost answer the same change is counted again:
    /// too much is safer than too little. It lapses with its minute.
    /// - Returns: the full limit, if there is one; then the change is not counted.
    private func count(
        _ change: CountChange, _ minute: Int64, until deadline: Instant
    ) async throws(StoreFailure) -> InsertionRefusal? {
        let life = life(of: change, at: Timestamp(milliseconds: minute * 60_000))
        let answers = await withTaskGroup(of: (Int, Result<RedisValue, StoreFailure>).self) { group in
            for (index, part) in change.parts.enumerated() {
                group.addTask { [self] in
                    do throws(StoreFailure) {
                        let answer = try await repeating(until: deadline) { () throws(RedisError) in
                            try await count(part, change, minute, life, until: deadline)
                        }
                        return (index, .success(answer))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: [Int: Result<RedisValue, StoreFailure>]()) { $0[$1.0] = $1.1 }
        }
        var refusal: InsertionRefusal?
        var failure: StoreFailure?
        var counted: [CountChange.Part] = []
        for (index, part) in change.parts.enumerated() {
            switch answers[index] {
            case .success(let answer):
                let full = answer.integer ?? 0
                if full == 0 { counted.append(part) } else if refusal == nil { refusal = part.refusal(full) }
            case .failure(let error): failure = error
            case nil: break
            }
        }
        guard refusal != nil || failure != nil else { return nil }
        // Counts that are not given back lapse with their minute.
        for part in counted { _ = try? await count(part.reversed, change.reversed, minute, life, until: deadline) }
        if let failure, refusal == nil { throw failure }
        return refusal
    }

    /// Counts a change without limits, once it is written; or gives back a count without a write.
    private func settle(_ change: CountChange, _ minute: Int64) async {
        let life = life(of: change, at: Timestamp(milliseconds: minute * 60_000))
        let deadline = Instant.now() + silence
        await withDiscardingTaskGroup { group in
            for part in change.parts {
                group.addTask { [self] in _ = try? await count(part, change, minute, life, until: deadline) }
            }
        }
    }

    private func count(
        _ part: CountChange.Part, _ change: CountChange, _ minute: Int64, _ life: [UInt8], until deadline: Instant
    ) async throws(RedisError) -> RedisValue {
        var share: [UInt8] = []
        part.write(to: &share)
        return try await run(
            Scripts.count, keys: [part.key],
            [Self.bytes(minute), Self.bytes(change.from), Self.bytes(change.to), life, share], until: deadline)
    }

    /// The time for which Redis keeps counts that are never given back.
    private func life(of change: CountChange, at now: Timestamp) -> [UInt8] {
        let end = Timestamp(milliseconds: (max(change.from, change.to) + 1) * 60_000)
        return Self.milliseconds(max(end - now, .zero) + Self.margin)
    }

    static func bytes(_ number: Int64) -> [UInt8] { Array("\(number)".utf8) }

    static func milliseconds(_ duration: Duration) -> [UInt8] { bytes(duration.wholeMilliseconds) }
}
