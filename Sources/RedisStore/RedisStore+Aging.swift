public import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedis
internal import Synchronization

/// What time does to requests, and who goes when there is no room.
extension RedisStore {
    /// How many records are asked for at once.
    private static let portion = 64

    public func age(at now: Timestamp) async throws(StoreFailure) -> [RequestRecord] {
        try await onLoop { [self] session throws(StoreFailure) in
            let deadline = Instant.now() + patience
            // What says that writing goes is written to one partition after the other, and to all while it does not go.
            let turn = turns.wrappingAdd(1, ordering: .relaxed).oldValue
            let mustTryAll = hasFailed.load(ordering: .relaxed)
            let results = await withTaskGroup(of: Result<[RequestRecord], StoreFailure>.self) { group in
                for (index, partition) in keys.partitions.enumerated() {
                    let isTried = mustTryAll || turn % keys.partitions.count == index
                    group.addTask { [self] in
                        do throws(StoreFailure) {
                            return .success(try await age(partition, isTried, session, at: now, until: deadline))
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            hasFailed.store(true, ordering: .relaxed)
            _ = try await session.usage(at: now, until: deadline)
            var ended: [RequestRecord] = []
            for result in results { ended += try result.get() }
            hasFailed.store(false, ordering: .relaxed)
            // A fail-over may have brought another server.
            if mustTryAll || turn % 300 == 0 { session.loop.start { [review] in await review.look(at: session.redis) } }
            return ended
        }
    }

    private func age(
        _ partition: Keys.Partition, _ isTried: Bool, _ session: Session, at now: Timestamp, until deadline: Instant
    ) async throws(StoreFailure) -> [RequestRecord] {
        var ended: [RequestRecord] = []
        var beat = isTried ? Session.bytes(now.milliseconds) : []
        let isSpread = Session.bytes(keys.isSpread ? 1 : 0)
        let maximum = Session.bytes(Int64(maximumRemembered / keys.partitions.count))
        while true {
            let arguments = [
                Session.bytes(now.milliseconds), Session.bytes((now + .seconds(2)).milliseconds),
                Session.bytes(Int64(Self.portion)), maximum, partition.records, beat, isSpread,
            ]
            let answer = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.run(
                    Scripts.due, keys: [partition.due, partition.over, partition.beat], arguments, until: deadline)
            }
            beat = []
            let parts = answer.array ?? []
            guard parts.count == 4 else { throw StoreFailure("an answer that makes no sense") }
            let lists = parts.map { $0.array ?? [] }
            // One that cannot be read is somebody else's to deal with: a newer gateway's.
            var due = lists[0].compactMap { try? session.kept($0) }
            due += try await session.elsewhere(lists[2].compactMap(\.bytes), in: partition, until: deadline)
            let surplus = lists[1].compactMap { try? session.kept($0) }
            ended += await age(due, session, at: now, until: deadline)
            await forget(surplus, session, at: now, until: deadline)
            if let reason = parts[3].bytes, !reason.isEmpty {
                throw StoreFailure("Redis says: \(String(decoding: reason, as: UTF8.self))")
            }
            guard lists.contains(where: { $0.count >= Self.portion }), Instant.now() < deadline else { return ended }
        }
    }

    /// - Returns: those that time has finished.
    private func age(
        _ due: [Kept], _ session: Session, at now: Timestamp, until deadline: Instant
    ) async -> [RequestRecord] {
        await withTaskGroup(of: RequestRecord?.self) { group in
            for kept in due {
                group.addTask { [self] in
                    let wasFinished = Mutex(false)
                    let result = try? await change(
                        session, .id(kept.record.id), from: kept, growthWithin: nil, at: now, until: deadline
                    ) { record throws(RequestTransition.Refusal) in
                        wasFinished.withLock { $0 = record.isFinished }
                        // Aging never refuses.
                        try? record.apply(.age, at: now)
                        return !record.isForgotten(at: now)
                    }
                    guard case .success(let record) = result, record.isFinished, !wasFinished.withLock({ $0 }) else {
                        return nil
                    }
                    return record
                }
            }
            return await group.reduce(into: []) { ended, record in ended += record.map { [$0] } ?? [] }
        }
    }

    /// Forgets what is over, unless somebody has stepped on it meanwhile.
    private func forget(
        _ surplus: [Kept], _ session: Session, at now: Timestamp, until deadline: Instant
    ) async {
        await withDiscardingTaskGroup { group in
            for kept in surplus {
                group.addTask { _ = try? await session.write(nil, over: kept, nil, at: now, until: deadline) }
            }
        }
    }

    /// Nothing that anybody waits for is given up for room, but the oldest of what is over is.
    /// - Returns: whether there was any.
    func makeRoom(
        _ session: Session, at now: Timestamp, until deadline: Instant
    ) async throws(StoreFailure) -> Bool {
        var isAny = false
        for partition in keys.partitions {
            let answer = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.run(
                    Scripts.oldest, keys: [partition.over],
                    [
                        Session.bytes(Int64(max(8, Self.portion / keys.partitions.count))), partition.records,
                        Session.bytes(keys.isSpread ? 1 : 0),
                    ],
                    until: deadline)
            }
            let oldest = (answer.array ?? []).compactMap { try? session.kept($0) }
            await forget(oldest, session, at: now, until: deadline)
            isAny = isAny || !oldest.isEmpty
        }
        return isAny
    }
}
