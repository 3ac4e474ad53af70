internal import SwitchyardCSQLite
internal import SwitchyardPendingRequests

/// The row of each request in the database. A value, without the file.
struct RequestRows {
    /// The row of each request, by half of its id.
    private var numbers: [UInt64: Int64] = [:]
    private var next: Int64 = 1

    subscript(id: RequestID) -> Int64? {
        get { numbers[id.key] }
        set { numbers[id.key] = newValue }
    }

    /// Adds a row of the database to the committed requests. Rows come in their order. A row that an earlier, failed
    /// opening has added stays as it is.
    mutating func load(_ packed: [UInt8], at number: Int64, into table: RecordTable) throws(DatabaseError) {
        let record = try RequestRecord(packed, number: number)
        let (next, isLast) = number.addingReportingOverflow(1)
        guard !isLast else {
            throw DatabaseError(
                code: SQLITE_CORRUPT, description: "request \(number) leaves no number for the next one")
        }
        guard numbers[record.id.key] == nil else { return }
        guard table.add(record, packed: packed) else {
            throw DatabaseError(code: SQLITE_CORRUPT, description: "two requests have one state")
        }
        table.counter.move(from: nil, to: QuotaCounter.Entry(record, packed: packed.count))
        numbers[record.id.key] = number
        self.next = next
    }

    /// Returns the row for a new request.
    mutating func add(_ id: RequestID) -> Int64 {
        defer { next &+= 1 }
        numbers[id.key] = next
        return next
    }
}
