internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedis
internal import SwitchyardText
internal import Synchronization

/// Replaces records, each in one step that counts them, too.
extension Session {
    /// The result of a write.
    enum Written {
        case done(StoredRecord?)
        /// The request has changed meanwhile; nil if it is gone.
        case stale(StoredRecord?)
        /// Another request has the state.
        case stateInUse
        case noRoom(InsertionRefusal)
    }

    /// Replaces a record by another, in one step. After a lost answer, the same command is sent again: the present value
    /// then says whether it was written.
    /// - Parameters:
    ///   - record: nil to remove the old one.
    ///   - old: nil for a new request.
    ///   - limits: nil for a change that is always taken.
    func write(
        _ record: RequestRecord?, over old: StoredRecord?, _ limits: CountLimits?, at now: Timestamp,
        until deadline: Instant
    ) async throws(StoreError) -> Written {
        nextVersion &+= 1
        let made = record.map { StoredRecord($0, version: nextVersion, keys: ring.withLock(\.self)) }
        guard let id = (record ?? old?.record)?.id else { return .stale(nil) }
        let change = CountChange(
            from: old.map { CountedRecord($0) }, to: made.map { CountedRecord($0) }, limits)
        let minute = CountedRecord.minute(of: now)
        // A change with limits is counted before the write, any other one after it.
        if keys.isSpread, limits != nil, let refusal = try await count(change, minute, until: deadline) {
            return .noRoom(refusal)
        }
        // A full server takes a step that ends a request or makes room. It is told so when it has refused: usually it
        // has room, and need not be asked for more.
        let isEnding = limits == nil && record?.isFinished != false
        var isFull = false
        let written: Written
        var mayBeWritten = false
        do throws(StoreError) {
            let answer = try await repeating(until: deadline) { () throws(RedisError) in
                do throws(RedisError) {
                    while true {
                        let (key, keyCount, arguments) = command(id, made, old, change, now, isFull: isFull)
                        do throws(RedisError) {
                            return try await redis.run(
                                Scripts.write, key: key, keyCount: keyCount, arguments,
                                until: min(deadline, .now() + silence))
                        } catch {
                            guard isEnding, !isFull, error.isForWantOfMemory else { throw error }
                            isFull = true
                        }
                    }
                } catch {
                    if case .outcomeUnknown = error { mayBeWritten = true }
                    throw error
                }
            }
            written = try self.written(answer, id, made, change)
        } catch {
            known.forget(id)
            if keys.isSpread, limits != nil, !mayBeWritten { await settle(change.reversed, minute) }
            throw error
        }
        if keys.isSpread {
            let isDone = if case .done = written { true } else { false }
            if isDone, limits == nil { await settle(change, minute) }
            if !isDone, limits != nil { await settle(change.reversed, minute) }
        }
        switch written {
        case .done(let kept?), .stale(let kept?): known.note(kept)
        case .done(nil), .stale(nil), .stateInUse, .noRoom: known.forget(id)
        }
        return written
    }

    /// The keys and arguments of ``Scripts/write``.
    private func command(
        _ id: RequestID, _ made: StoredRecord?, _ old: StoredRecord?, _ change: CountChange, _ now: Timestamp,
        isFull: Bool
    ) -> (key: [UInt8], keyCount: Int, arguments: RedisArguments) {
        let partition = keys.partition(of: id)
        let counted = keys.isSpread ? 0 : change.argumentCount
        let key = partition.record(id)
        var arguments = RedisArguments()
        arguments.reserve(bytes: (made?.value.count ?? 0) + (old?.value.count ?? 0) + 640, count: 15 + counted)
        arguments.append(key)
        arguments.append((made ?? old).map { partition.state($0.record.stateHash) } ?? [])
        arguments.append(partition.due)
        arguments.append(partition.over)
        if !keys.isSpread { arguments.append(keys.counts) }
        arguments.append(old.map(Self.compared) ?? [])
        arguments.append(made?.value ?? [])
        arguments.append { Base64URL.append(id.bytes, to: &$0) }
        if let record = made?.record {
            let isOver = record.isTombstone
            let life = (max(Self.end(of: record) - now, .zero) + Self.margin).wholeMilliseconds
            arguments.append((isOver ? record.rememberedUntil : record.dueAt).milliseconds)
            arguments.append(Self.list(of: record, after: old?.record, at: now))
            arguments.append(life)
            if let old, Self.end(of: old.record) >= Self.end(of: record) {
                arguments.append([])
            } else {
                arguments.append(life)
            }
        } else {
            for _ in 0..<4 { arguments.append([]) }
        }
        arguments.append(keys.channel)
        let isNews = old.map { made?.record.isNews(after: $0.record) == true } ?? false
        arguments.append(isNews ? Array("\(sender)\(id)".utf8) : [])
        arguments.append(isFull ? 1 : 0)
        if !keys.isSpread { change.append(to: &arguments, at: CountedRecord.minute(of: now)) }
        return (key, keys.isSpread ? 4 : 5, arguments)
    }

    /// The bytes that must still be there. The first step of a request may come minutes after it was seen, so it compares all
    /// of it: a record that another writer has changed must not be used. Further steps only compare the version, because Lua takes
    /// long for long texts.
    private static func compared(_ old: StoredRecord) -> [UInt8] {
        if case .pending = old.record.phase { old.value } else { old.head }
    }

    /// The list that gets the record's new time; empty if the time in its list stays.
    ///
    /// The list of due requests may have an earlier time than the record's. When that comes, ``RedisStore/age(at:)`` notes
    /// the record's own. So a time that only moves later, as most steps of a quick sign-in move it, costs nothing. A result that
    /// was read takes no further step before its time.
    private static func list(of record: RequestRecord, after old: RequestRecord?, at now: Timestamp) -> [UInt8] {
        if record.isTombstone { return overList }
        let isRead = record.outcome?.isCollected == true
        if let old, !old.isTombstone, !isRead, old.dueAt > now, record.dueAt >= old.dueAt { return [] }
        return dueList
    }

    private static let (dueList, overList) = (Array("due".utf8), Array("over".utf8))

    /// The time at which Redis may lose a record at the earliest.
    private static func end(of record: RequestRecord) -> Timestamp { max(record.rememberedUntil, record.dueAt) }

    private func written(
        _ answer: RedisValue, _ id: RequestID, _ kept: StoredRecord?, _ change: CountChange
    ) throws(StoreError) -> Written {
        switch answer {
        case .status("OK"): return .done(kept)
        case .status: return .stateInUse
        case .integer(let full):
            guard let refusal = change.refusal(full) else {
                throw .unexpectedAnswer(to: "the script that writes records")
            }
            return .noRoom(refusal)
        case .null: return .stale(nil)
        case .bytes, .array, .error:
            // A writer may put another request's record there, whole.
            let other = try storedRecord(from: answer)
            return .stale(other?.record.id == id ? other : nil)
        }
    }

    // MARK: Counts at another server

    /// Counts a change with limits before the record is written. After a lost answer the same change is counted again:
    /// too much is safer than too little. It lapses with its minute.
    /// - Returns: the limit without room, if there is one; then the change is not counted.
    private func count(
        _ change: CountChange, _ minute: Int64, until deadline: Instant
    ) async throws(StoreError) -> InsertionRefusal? {
        guard !change.isNothing else { return nil }
        let answer = try await repeating(until: deadline) { () throws(RedisError) in
            try await runCount(change, minute, until: deadline)
        }
        return change.refusal(answer.integer ?? 0)
    }

    /// Counts a change without limits, once it is written; or takes a change back that was not written.
    private func settle(_ change: CountChange, _ minute: Int64) async {
        guard !change.isNothing else { return }
        _ = try? await runCount(change, minute, until: .now() + silence)
    }

    private func runCount(
        _ change: CountChange, _ minute: Int64, until deadline: Instant
    ) async throws(RedisError) -> RedisValue {
        var arguments = RedisArguments([keys.counts])
        change.append(to: &arguments, at: minute)
        return try await redis.run(
            CountScripts.count, key: keys.counts, keyCount: 1, arguments, until: min(deadline, .now() + silence))
    }
}
