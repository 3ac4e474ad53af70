internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedis

/// The histories of sign-ins in Redis: a value for each (``StoredHistory``), with a life of its own, and a list for each room,
/// so that the oldest history can go. All keys of one history have the tag of its reference.
extension Session {
    /// The number of histories that one call of the script adds to.
    private static let portion = 64

    /// The outcome for the histories of one partition.
    private struct Outcome {
        var failure: StoreError?
        /// Histories that were not taken. The caller may try them again.
        var waiting: Set<Reference> = []
        /// The part of `waiting` that may have been taken after all.
        var inDoubt: Set<Reference> = []
        /// Histories with a key that has another value.
        var refused: Set<Reference> = []
    }

    /// Adds to histories, in all partitions at once: one that does not answer delays only its own histories.
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
        if let failure = historyPauses.failure(of: part) {
            return Outcome(failure: failure, waiting: Set(histories.map(\.0)))
        }
        let names = keys.partitions[part].histories
        let lists = TimelineRoom.allCases.map { names.index + "\($0.rawValue)".utf8 }
        let maximums = TimelineRoom.allCases.map { "\($0.maximum / keys.partitions.count)" }.joined(separator: " ")
        var outcome = Outcome()
        for start in stride(from: 0, to: histories.count, by: Self.portion) {
            let chosen = histories[start..<min(start + Self.portion, histories.count)]
            do throws(StoreError) {
                let changed = keys.isSpread ? Set(chosen.map(\.0)).map { names.prefix + "\($0)".utf8 } : []
                let answer = try await carriedOut(
                    HistoryScripts.add, lists + changed,
                    [
                        names.prefix, Self.bytes(now.milliseconds), Self.milliseconds(TimelineRoom.lifetime),
                        Array(maximums.utf8), [StoredHistory.form],
                    ]
                        + chosen.flatMap { Self.arguments($0.0, $0.1, at: now) }, until: deadline)
                let found = (answer.array ?? []).map { list in
                    (list.array ?? []).compactMap(\.integer).filter { $0 >= 1 && $0 <= chosen.count }.map { number in
                        chosen[start + Int(number) - 1].0
                    }
                }
                guard found.count == 2 else { throw .unexpectedAnswer(to: "the script that adds to histories") }
                outcome.refused.formUnion(found[0])
                for reference in Set(found[1]) { await join(names.prefix + "\(reference)".utf8, until: deadline) }
            } catch {
                historyPauses.failed(part, error)
                outcome.failure = error
                outcome.waiting.formUnion(histories[start...].map(\.0))
                outcome.inDoubt.formUnion(chosen.map(\.0))
                return outcome
            }
        }
        if !outcome.refused.isEmpty {
            outcome.failure = StoreError("in Redis there is something else in the place of a history")
        }
        return outcome
    }

    func timeline(
        of reference: Reference, at now: Timestamp, until deadline: Instant
    ) async throws(StoreError) -> Timeline? {
        let names = keys.partitions[keys.partition(of: reference)].histories
        let key = names.prefix + "\(reference)".utf8
        let answer = try await repeating(until: deadline) { () throws(RedisError) in
            try await send([Self.get, key], key: key, until: deadline)
        }
        return answer.bytes.flatMap { StoredHistory($0).timeline(at: now) }
    }

    /// Joins the parts of a history. A failure does no harm: after the next part the history is joined again.
    private func join(_ key: [UInt8], until deadline: Instant) async {
        guard let value = try? await send([Self.get, key], key: key, until: deadline).bytes,
            let joined = StoredHistory(value).joined
        else { return }
        _ = try? await run(HistoryScripts.join, keys: [key], [value, joined], until: deadline)
    }

    /// Runs a script once. A lost answer is not asked for again: a history is not worth it.
    private func carriedOut(
        _ script: RedisScript, _ keys: [[UInt8]], _ arguments: [[UInt8]], until deadline: Instant
    ) async throws(StoreError) -> RedisValue {
        do throws(RedisError) {
            return try await run(script, keys: keys, arguments, until: deadline)
        } catch {
            throw StoreError("\(error)")
        }
    }

    private static func arguments(_ reference: Reference, _ notes: [TimelineNote], at now: Timestamp) -> [[UInt8]] {
        guard let timeline = Timeline(notes) else { return [] }
        return [
            Array("\(reference)".utf8), bytes(Int64(timeline.room.rawValue)),
            StoredHistory.part(timeline, addedAt: now, isInDoubt: notes[0].isInDoubt),
        ]
    }
}

/// The partitions that take no histories for now, because they failed a moment ago.
struct HistoryPauses {
    /// A pause lasts until the next flush. Without it, each further portion of this flush would wait for the partition.
    private static let length = Duration.milliseconds(900)
    private var failures: [Int: (reason: StoreError, end: Instant)] = [:]

    /// Why a partition is left alone for now; nil if it is not.
    func failure(of part: Int, at now: Instant = .now()) -> StoreError? {
        failures[part].flatMap { now < $0.end ? $0.reason : nil }
    }

    mutating func failed(_ part: Int, _ reason: StoreError, at now: Instant = .now()) {
        failures[part] = (reason, now + Self.length)
    }
}
