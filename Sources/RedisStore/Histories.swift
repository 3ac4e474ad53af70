internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedis

/// The histories of sign-ins in Redis: a hash for each, with a life of its own, and for each share those that stand in
/// it by their beginning, so that the oldest can go. All of one history has the tag of its reference.
extension Session {
    /// How many histories one script adds to.
    private static let portion = 64

    /// The outcome for the histories of one partition.
    private struct Outcome {
        var failure: StoreFailure?
        /// Not taken, and to be given again.
        var waiting: Set<Reference> = []
        /// The part of `waiting` that may have been taken after all.
        var inDoubt: Set<Reference> = []
        /// In the place of which is something else.
        var refused: Set<Reference> = []
    }

    /// Partitions are asked side by side: one that does not answer holds up its own histories only.
    func add(_ notes: [TimelineNote], at now: Timestamp, until deadline: Instant) async -> TimelineShortfall? {
        var parts: [Int: [(Reference, [TimelineNote])]] = [:]
        for (reference, notes) in Dictionary(grouping: notes, by: \.reference) {
            let part = keys.partition(of: reference)
            for isInDoubt in [true, false] where notes.contains(where: { $0.isInDoubt == isInDoubt }) {
                parts[part, default: []].append((reference, notes.filter { $0.isInDoubt == isInDoubt }))
            }
        }
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            for (part, histories) in parts {
                group.addTask { [self] in await add(histories, to: part, at: now, until: deadline) }
            }
            return await group.reduce(into: Outcome()) { all, one in
                all.failure = all.failure ?? one.failure
                all.waiting.formUnion(one.waiting)
                all.inDoubt.formUnion(one.inDoubt)
                all.refused.formUnion(one.refused)
            }
        }
        guard let reason = outcome.failure else { return nil }
        let waiting = notes.filter { outcome.waiting.contains($0.reference) }.map { note in
            var note = note
            note.isInDoubt = note.isInDoubt || outcome.inDoubt.contains(note.reference)
            return note
        }
        return TimelineShortfall(
            reason, waiting: waiting,
            lost: notes.count { outcome.refused.contains($0.reference) })
    }

    private func add(
        _ histories: [(Reference, [TimelineNote])], to part: Int, at now: Timestamp, until deadline: Instant
    ) async -> Outcome {
        if let failure = historyRoom.failure(of: part) {
            return Outcome(failure: failure, waiting: Set(histories.map(\.0)))
        }
        let names = keys.partitions[part].histories
        var outcome = Outcome()
        for start in stride(from: 0, to: histories.count, by: Self.portion) {
            let chosen = histories[start..<min(start + Self.portion, histories.count)]
            do throws(StoreFailure) {
                var changed = [names.index]
                if keys.isSpread {
                    changed = (0..<TimelineShare.count).map { names.index + "\($0)".utf8 }
                    changed += Set(chosen.map(\.0)).map { names.prefix + "\($0)".utf8 }
                }
                let answer = try await carriedOut(
                    HistoryScripts.add, changed,
                    [names.prefix, Self.bytes(now.milliseconds), Self.milliseconds(TimelineRoom.lifetime), names.index]
                        + chosen.flatMap { Self.arguments($0.0, $0.1) }, until: deadline)
                for number in (answer.array ?? []).compactMap(\.integer) where number >= 1 && number <= chosen.count {
                    outcome.refused.insert(chosen[start + Int(number) - 1].0)
                }
            } catch {
                historyRoom.failed(part, error)
                outcome.failure = error
                outcome.waiting.formUnion(histories[start...].map(\.0))
                outcome.inDoubt.formUnion(chosen.map(\.0))
                return outcome
            }
        }
        if !outcome.refused.isEmpty {
            outcome.failure = StoreFailure("in Redis there is something else in the place of a history")
        }
        let count = keys.partitions.count
        guard historyRoom.isDue(part, histories.count, of: count) else { return outcome }
        // The histories are kept, even if this fails; the next trim makes the room.
        _ = try? await carriedOut(
            HistoryScripts.trim, [names.index],
            [names.prefix, Self.bytes((now + (.zero - TimelineRoom.lifetime)).milliseconds)]
                + ([TimelineRoom.maximum - TimelineRoom.unasked - HistoryRoom.surplus] + TimelineRoom.reserves)
                .map { Self.bytes(Int64($0 / count)) }, until: deadline)
        return outcome
    }

    func timeline(
        of reference: Reference, at now: Timestamp, until deadline: Instant
    ) async throws(StoreFailure) -> Timeline? {
        let names = keys.partitions[keys.partition(of: reference)].histories
        let key = names.prefix + "\(reference)".utf8
        let answer = try await repeating(until: deadline) { () throws(RedisError) in
            try await send([Array("HGETALL".utf8), key], key: key, until: deadline)
        }
        return KeptHistory(answer).timeline(at: now)
    }

    /// Runs a script once. A lost answer is not asked for again: a history is not worth it.
    private func carriedOut(
        _ script: RedisScript, _ keys: [[UInt8]], _ arguments: [[UInt8]], until deadline: Instant
    ) async throws(StoreFailure) -> RedisValue {
        do throws(RedisError) {
            return try await run(script, keys: keys, arguments, until: deadline)
        } catch {
            throw StoreFailure("\(error)")
        }
    }

    private static func arguments(_ reference: Reference, _ notes: [TimelineNote]) -> [[UInt8]] {
        guard let timeline = Timeline(notes) else { return [] }
        var arguments = [
            Array("\(reference)".utf8), bytes(Int64(timeline.share.number)), Array(timeline.app.utf8),
            bytes(notes[0].isInDoubt ? 1 : 0), bytes(Int64(timeline.entries.count)),
        ]
        for entry in timeline.entries {
            arguments += [
                Array(entry.event.identity.utf8), bytes(entry.first.milliseconds), bytes(entry.last.milliseconds),
                bytes(Int64(entry.count)), Array(entry.event.particulars.utf8),
            ]
        }
        return arguments
    }
}

/// When a partition is looked at for what is too old or too much: that costs some 170 commands, however little was
/// added. And which ones do not take anything for now.
struct HistoryRoom {
    private struct Part {
        var added = 0
        var next = Instant(nanoseconds: 0)
    }

    private static let interval = Duration.seconds(1)
    /// For how long a partition is left alone that has failed: until the next flush, or each portion of
    /// this one would wait for it.
    private static let pause = Duration.milliseconds(900)
    /// How many may be added meanwhile, in all partitions together; so many are room that is kept free.
    static let surplus = 500
    private var parts: [Int: Part] = [:]
    private var failures: [Int: (reason: StoreFailure, end: Instant)] = [:]

    /// Why a partition is left alone for now.
    func failure(of part: Int, at now: Instant = .now()) -> StoreFailure? {
        failures[part].flatMap { now < $0.end ? $0.reason : nil }
    }

    mutating func failed(_ part: Int, _ reason: StoreFailure, at now: Instant = .now()) {
        failures[part] = (reason, now + Self.pause)
    }

    /// - Parameters:
    ///   - added: how many histories the partition was just given.
    ///   - count: how many partitions there are.
    mutating func isDue(_ part: Int, _ added: Int, of count: Int, at now: Instant = .now()) -> Bool {
        let state = parts[part] ?? Part()
        guard now >= state.next || state.added + added >= max(1, Self.surplus / count) else {
            parts[part] = Part(added: state.added + added, next: state.next)
            return false
        }
        parts[part] = Part(added: 0, next: now + Self.interval)
        return true
    }
}
