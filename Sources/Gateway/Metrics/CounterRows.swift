/// Counters of things that have names, in a row for each thing that anything was ever counted of. A value without I/O.
struct CounterRows: Sendable {
    let width: Int
    /// The begin of each number's row in `counts`; negative for a number without a row.
    private var starts: [Int]
    private var counts: [Int] = []
    private var free: [Int] = []

    /// - Parameters:
    ///   - width: how many counters a thing has.
    ///   - count: how many things there are.
    init(width: Int, count: Int) {
        self.width = width
        starts = Array(repeating: -1, count: count)
    }

    /// - Parameters:
    ///   - column: below ``width``.
    ///   - number: of the thing.
    mutating func add(_ amount: Int = 1, to column: Int, of number: Int) {
        var start = starts[number]
        if start < 0 { start = makeRow(for: number) }
        counts[start + column] &+= amount
    }

    /// nil for an item without counts.
    subscript(number: Int) -> ArraySlice<Int>? {
        let start = starts[number]
        return start < 0 ? nil : counts[start..<start + width]
    }

    /// The things of which something was counted.
    var numbers: [Int] { starts.indices.filter { starts[$0] >= 0 } }

    mutating func add(_ other: CounterRows) {
        for number in other.numbers {
            guard let row = other[number] else { continue }
            for (column, count) in row.enumerated() where count != 0 { add(count, to: column, of: number) }
        }
    }

    /// Gives the things other numbers, and forgets those that have no name any more.
    mutating func renumber(from old: KnownNames, to new: KnownNames) {
        var moved = [Int](repeating: -1, count: new.count)
        for number in numbers {
            let start = starts[number]
            let target = number == old.others ? new.others : new.number(of: old.name(of: number))
            if target != new.others || number == old.others {
                moved[target] = start
            } else {
                for index in start..<start + width { counts[index] = 0 }
                free.append(start)
            }
        }
        starts = moved
    }

    private mutating func makeRow(for number: Int) -> Int {
        let start = free.popLast() ?? counts.count
        if start == counts.count { counts += [Int](repeating: 0, count: width) }
        starts[number] = start
        return start
    }
}
