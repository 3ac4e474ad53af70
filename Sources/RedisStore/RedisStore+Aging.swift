public import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedis
internal import Synchronization

/// The effects of time on requests, and the choice of requests that give way when there is no room.
extension RedisStore {
    /// How many records are asked for at once.
    private static let portion = 64

    public func age(at now: Timestamp) async -> Aging {
        do throws(StoreError) {
            return try await onLoop { [self] session in await age(session, at: now) }
        } catch {
            return Aging(failure: error)
        }
    }

    private func age(_ session: Session, at now: Timestamp) async -> Aging {
        let deadline = Instant.now() + patience
        // Each call tests writing at one partition in turn, and at all while writing fails.
        let turn = turns.wrappingAdd(1, ordering: .relaxed).oldValue
        let mustTryAll = hasFailed.load(ordering: .relaxed)
        var aging = await withTaskGroup(of: Aging.self) { group in
            for (index, partition) in keys.partitions.enumerated() {
                let isTried = mustTryAll || turn % keys.partitions.count == index
                group.addTask { [self] in
                    var aging = Aging()
                    do throws(StoreError) {
                        try await age(partition, isTried, session, at: now, until: deadline, into: &aging)
                    } catch {
                        aging.failure = error
                    }
                    return aging
                }
            }
            return await group.reduce(into: Aging()) { $0.add($1) }
        }
        do throws(StoreError) {
            try await session.tendCounts(at: now, until: deadline)
        } catch {
            aging.failure = error
        }
        hasFailed.store(aging.failure != nil, ordering: .relaxed)
        // A fail-over may have brought another server.
        if aging.failure == nil, mustTryAll || turn % 300 == 0 {
            session.loop.start { [review] in await review.look(at: session.redis) }
        }
        return aging
    }

    private func age(
        _ partition: Keys.Partition, _ isTried: Bool, _ session: Session, at now: Timestamp, until deadline: Instant,
        into aging: inout Aging
    ) async throws(StoreError) {
        var beat = isTried ? Session.bytes(now.milliseconds) : []
        let isSpread = Session.bytes(keys.isSpread ? 1 : 0)
        let maximum = Session.bytes(Int64(maximumRemembered / keys.partitions.count))
        while true {
            let arguments = [
                Session.bytes(now.milliseconds), Session.bytes((now + .seconds(2)).milliseconds),
                Session.bytes(Int64(Self.portion)), maximum, partition.records, beat, isSpread,
                Session.milliseconds(Session.margin),
            ]
            let answer = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.run(
                    AgingScripts.due, keys: [partition.due, partition.over, partition.beat], arguments, until: deadline)
            }
            beat = []
            let parts = answer.array ?? []
            guard parts.count == 4 else { throw .unexpectedAnswer(to: "the script that finds due records") }
            let lists = parts.map { $0.array ?? [] }
            // Unreadable records are a newer gateway's work.
            var due = lists[0].compactMap { try? session.storedRecord(from: $0) }
            due += try await session.elsewhere(lists[2].compactMap(\.bytes), in: partition, until: deadline)
            let surplus = lists[1].compactMap { try? session.storedRecord(from: $0) }
            try await postpone(due.filter { $0.record.dueAt > now }, in: partition, session, until: deadline)
            aging.add(await age(due.filter { $0.record.dueAt <= now }, session, at: now, until: deadline))
            await forget(surplus, session, at: now, until: deadline)
            if let reason = parts[3].bytes, !reason.isEmpty {
                throw StoreError("Redis says: \(String(decoding: reason, as: UTF8.self))")
            }
            guard lists.contains(where: { $0.count >= Self.portion }), Instant.now() < deadline else { return }
        }
    }

    /// Notes the times of records that the list has for an earlier time.
    private func postpone(
        _ early: [StoredRecord], in partition: Keys.Partition, _ session: Session, until deadline: Instant
    ) async throws(StoreError) {
        guard !early.isEmpty else { return }
        let entries = early.flatMap { kept in
            [Array("\(kept.record.id)".utf8), kept.head, Session.bytes(kept.record.dueAt.milliseconds)]
        }
        _ = try await session.repeating(until: deadline) { () throws(RedisError) in
            try await session.run(
                AgingScripts.postpone, keys: [partition.due], [partition.records] + entries, until: deadline)
        }
    }

    /// Ages the due records. Failures are left out of the result: the next query for due records meets them as well.
    private func age(
        _ due: [StoredRecord], _ session: Session, at now: Timestamp, until deadline: Instant
    ) async -> Aging {
        await withTaskGroup(of: Aging.self) { group in
            for kept in due {
                group.addTask { [self] in
                    // The result of the last try, which is the one that counts.
                    let finished = Mutex<RequestRecord?>(nil)
                    let left = Mutex<RequestRecord?>(nil)
                    do throws(StoreError) {
                        let result = try await change(
                            session, .id(kept.record.id), from: kept, growthWithin: nil, at: now, until: deadline
                        ) { record throws(RequestTransition.Refusal) in
                            let wasFinished = record.isFinished
                            // Aging never refuses.
                            try? record.apply(.age, at: now)
                            let aged = record
                            finished.withLock { $0 = aged.isFinished && !wasFinished ? aged : nil }
                            left.withLock { $0 = aged.isLeft ? aged : nil }
                            return !record.isForgotten(at: now)
                        }
                        guard case .success = result else { return Aging() }
                        var aging = Aging(finished: finished.withLock(\.self).map { [$0] } ?? [])
                        aging.left = left.withLock(\.self).map { [$0] } ?? []
                        return aging
                    } catch {
                        return Aging(doubtful: finished.withLock(\.self).map { [$0] } ?? [])
                    }
                }
            }
            return await group.reduce(into: Aging()) { $0.add($1) }
        }
    }

    /// Forgets finished requests, unless they have changed meanwhile.
    private func forget(
        _ surplus: [StoredRecord], _ session: Session, at now: Timestamp, until deadline: Instant
    ) async {
        await withDiscardingTaskGroup { group in
            for kept in surplus {
                group.addTask { _ = try? await session.write(nil, over: kept, nil, at: now, until: deadline) }
            }
        }
    }

    /// Gives up the oldest finished requests that need no more answer, and only those.
    /// - Returns: whether there was any.
    func makeRoom(
        _ session: Session, at now: Timestamp, until deadline: Instant
    ) async throws(StoreError) -> Bool {
        var isAny = false
        for partition in keys.partitions {
            let answer = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.run(
                    AgingScripts.oldest, keys: [partition.over],
                    [
                        Session.bytes(Int64(max(8, Self.portion / keys.partitions.count))), partition.records,
                        Session.bytes(keys.isSpread ? 1 : 0),
                    ],
                    until: deadline)
            }
            let oldest = (answer.array ?? []).compactMap { try? session.storedRecord(from: $0) }
            await forget(oldest, session, at: now, until: deadline)
            isAny = isAny || !oldest.isEmpty
        }
        return isAny
    }
}

extension Aging {
    fileprivate mutating func add(_ other: Aging) {
        finished += other.finished
        doubtful += other.doubtful
        left += other.left
        failure = failure ?? other.failure
    }
}
