import SwitchyardCrypto
import SwitchyardPendingRequests

@testable import SwitchyardGateway
@testable import SwitchyardSQLiteStore

/// The rows of a database, and of its histories, as a gateway reads them at its start: a disk may have turned bits, and
/// somebody may have edited the file.
///
/// An input is a list of rows: a kind (0 request, 1 proof, 2 history), the number of the row (8 bytes), how many
/// bytes its columns take (2), and these.
enum SQLiteRowTarget {
    private struct Row {
        let kind: UInt8
        let number: Int64
        let bytes: [UInt8]
    }

    private static func rows(_ bytes: [UInt8]) -> [Row] {
        var rows: [Row] = []
        var rest = bytes[...]
        while rest.count >= 11, rows.count < 64, let kind = rest.popFirst() {
            let number = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
            let count = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(2)
            rows.append(Row(kind: kind % 3, number: Int64(bitPattern: number), bytes: Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        // The number is the key of its table.
        var known: [UInt8: Set<Int64>] = [:]
        return rows.filter { known[$0.kind, default: []].insert($0.number).inserted }.sorted { $0.number < $1.number }
    }

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let rows = rows(bytes)
        try checkRequests(rows)
        try checkHistories(rows.filter { $0.kind == 2 })
    }

    private static func checkRequests(_ all: [Row]) throws(BrokenInvariant) {
        let (table, oneTimeTable) = (RecordTable(), OneTimeTable())
        var rows = RequestRows()
        var ids: [RequestID] = []
        var times: Set<Timestamp> = [.init(milliseconds: 0), .init(milliseconds: Timestamp.farthest)]
        for row in all where row.kind == 0 {
            // A gateway reads no further.
            guard (try? rows.load(row.bytes, at: row.number, into: table)) != nil else { break }
            guard let record = try? RequestRecord(packed: row.bytes) else { continue }
            ids.append(record.id)
            times.formUnion([record.dueAt, record.rememberedUntil])
        }
        for row in all where row.kind == 1 {
            guard let request = RequestID(bytes: row.bytes.prefix(16)),
                let digest = ShortDigest(bytes: row.bytes.dropFirst(16).prefix(16))
            else { continue }
            _ = oneTimeTable.use(
                digest, of: request, until: .init(milliseconds: row.number), at: .init(milliseconds: 0))
        }
        for time in times.sorted() {
            let staging = Staging(table, oneTimeTable, RegistrationTable())
            _ = staging.age(at: time, maximumRemembered: 16)
            staging.publish()
            oneTimeTable.forget(at: time)
            let usage = table.counter.usage
            try require(
                usage.requests <= Set(ids).count && usage.pending <= usage.requests, "what is kept is counted once")
        }
        let fresh = RequestID()
        let number = rows.add(fresh)
        try require(all.allSatisfy { $0.kind != 0 || rows[fresh] == number }, "a new request has a row")
        for id in ids {
            guard let packed = table.packed(id) else { continue }
            try require((try? RequestRecord(packed: packed))?.id == id, "what is kept reads back")
        }
    }

    private static func checkHistories(_ found: [Row]) throws(BrokenInvariant) {
        var table = TimelineTable()
        var rows = TimelineRows()
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        var order: [(number: Int64, reference: Reference?)] = []
        for row in found {
            let reference = Reference(bytes: row.bytes.prefix(7))
            order.append((row.number, reference))
            guard let reference else { continue }
            let created = row.bytes.dropFirst(7).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            table.load(
                Array(row.bytes.dropFirst(15)), of: reference,
                createdAt: Timestamp(milliseconds: Int64(bitPattern: created)))
        }
        rows.open(order, histories: table.references)
        // Notes of the events that are there already, and of a new one.
        var notes: [TimelineNote] = []
        for case let reference? in order.map(\.reference) {
            let timeline = table.packed(reference).flatMap { try? Timeline(packed: $0.bytes) }
            let events = (timeline?.entries ?? []).map(\.event) + [TimelineEvent("begun")]
            notes += events.map { TimelineNote(of: reference, app: "app", at: now, $0) }
            if let timeline { _ = SignInReport(reference, timeline) { _ in nil }.json }
        }
        rows.note(table.add(notes, at: now))
        let deleted = Set(rows.deletions)
        for reference in rows.changed {
            let number = rows.row(of: reference)
            try require(!deleted.contains(number), "a history is not written into a row that goes")
        }
        rows.written()
        try require(rows.isWhole, "what was written is there")
        for reference in table.references {
            guard let packed = table.packed(reference) else { continue }
            try require((try? Timeline(packed: packed.bytes)) != nil, "a history reads back")
        }
    }
}
