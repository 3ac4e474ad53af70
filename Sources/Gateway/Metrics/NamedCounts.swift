/// Counts that begin with nothing and can be added up.
protocol Counts: Sendable {
    init()
    mutating func add(_ other: Self)
}

/// The counts of things that have names, by their numbers. A value without I/O.
struct NamedCounts<One: Counts>: Sendable {
    /// Only of things with any count.
    private var counts: [Int: One] = [:]

    /// The counts of a thing; no lines without counts.
    subscript(number: Int) -> One {
        get { counts[number] ?? One() }
        _modify { yield &counts[number, default: One()] }
    }

    func hasCounts(_ number: Int) -> Bool { counts[number] != nil }

    /// The things with any count, in their order.
    var numbers: [Int] { counts.keys.sorted() }

    mutating func add(_ other: NamedCounts) {
        for (number, one) in other.counts { self[number].add(one) }
    }

    /// Gives the things other numbers, and forgets those that have no name any more.
    mutating func renumber(from old: KnownNames, to new: KnownNames) {
        var moved: [Int: One] = [:]
        for (number, one) in counts {
            let target = number == old.others ? new.others : new.number(of: old.name(of: number))
            if target != new.others || number == old.others { moved[target] = one }
        }
        counts = moved
    }
}
