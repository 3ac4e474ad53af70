internal import SwitchyardPendingRequests

/// The row of each history in a file, and the changes that the file lacks. A value, without the file.
///
/// It knows rows only while the file is open. Histories that are pushed out meanwhile are found by comparison when the
/// file is opened anew. To remember them would take memory for every history that ever was.
struct TimelineRows {
    private var numbers: [Reference: Int64] = [:]
    private var next: Int64 = 1
    /// Histories that the file lacks, or has in an earlier form.
    private(set) var changed: Set<Reference> = []
    /// Histories that must be removed from the file.
    private var removed: Set<Reference> = []
    /// Rows to remove because they are malformed, or have an earlier form of a history.
    private var surplus: Set<Int64> = []
    /// The numbers of rows that stay. A row beyond them comes from a damaged file, and goes.
    private static let numbers = Int64.min..<(1 << 62)

    /// Whether the file has everything.
    var isWhole: Bool { changed.isEmpty && removed.isEmpty && surplus.isEmpty }

    mutating func note(_ changes: TimelineTable.Changes) {
        changed.formUnion(changes.changed)
        removed.subtract(changes.changed)
        changed.subtract(changes.removed)
        // A history without a row needs no removal.
        removed.formUnion(changes.removed.filter { numbers[$0] != nil })
    }

    /// Takes over an opened file.
    /// - Parameters:
    ///   - rows: all its rows, by their number; nil for a malformed reference.
    ///   - histories: the present histories.
    mutating func open(_ rows: [(number: Int64, reference: Reference?)], histories: [Reference]) {
        close()
        for row in rows {
            // If the outcome of a write was unknown, the history may have been written twice. The later row counts.
            guard let reference = row.reference, Self.numbers.contains(row.number) else {
                surplus.insert(row.number)
                continue
            }
            next = max(next, row.number + 1)
            if let older = numbers.updateValue(row.number, forKey: reference) { surplus.insert(older) }
        }
        removed = Set(numbers.keys).subtracting(histories)
        changed.formUnion(histories.filter { numbers[$0] == nil })
    }

    /// Forgets the rows, because the file was closed and may lack the last write.
    mutating func close() { (numbers, removed, surplus) = ([:], [], []) }

    /// The rows to remove.
    var deletions: [Int64] { surplus.sorted() + removed.compactMap { numbers[$0] } }

    /// The present or future row of a history.
    mutating func row(of reference: Reference) -> Int64 {
        if let number = numbers[reference] { return number }
        while surplus.contains(next) { next += 1 }
        defer { next += 1 }
        numbers[reference] = next
        return next
    }

    /// Notes that the file has every change.
    mutating func written() {
        for reference in removed { numbers[reference] = nil }
        (changed, removed, surplus) = ([], [], [])
    }
}
