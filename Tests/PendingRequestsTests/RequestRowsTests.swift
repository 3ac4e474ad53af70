import SwitchyardPendingRequests
import Testing

@testable import SwitchyardSQLiteStore

/// Rows of a database that somebody has edited.
@Suite("Rows of requests") struct RequestRowsTests {
    @Test("a new request gets the row behind the last one that was found")
    func next() throws {
        for (number, next) in [(Int64.min, Int64.min + 1), (-1, 0), (7, 8), (.max - 1, .max)] {
            let table = RecordTable()
            var rows = RequestRows()
            let record = RequestRecord.sample()
            try rows.load(record.packed, at: number, into: table)
            #expect(rows[record.id] == number && table.find(.id(record.id)) == record)
            #expect(rows.add(RequestID()) == next)
        }
    }

    @Test("a row behind which there is no other, rubbish, and a second request with a state are damage")
    func damage() throws {
        let table = RecordTable()
        var rows = RequestRows()
        #expect(throws: DatabaseError.self) { try rows.load(RequestRecord.sample().packed, at: .max, into: table) }
        #expect(throws: DatabaseError.self) { try rows.load([1, 2, 3], at: 1, into: table) }
        try rows.load(RequestRecord.sample(state: "one").packed, at: 1, into: table)
        #expect(throws: DatabaseError.self) {
            try rows.load(RequestRecord.sample(state: "one").packed, at: 2, into: table)
        }
    }

    @Test("a history in the last row there is goes elsewhere")
    func lastHistory() {
        var rows = TimelineRows()
        let (last, other) = (Reference(), Reference())
        rows.open([(3, other), (.max, last)], histories: [last, other])
        #expect(rows.deletions == [.max] && rows.changed == [last])
        #expect(rows.row(of: last) == 4 && rows.row(of: other) == 3)
    }
}
