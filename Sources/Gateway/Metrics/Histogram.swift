/// How many measured times were how long.
struct Histogram: Sendable, Hashable {
    /// The upper bounds of the classes, in seconds, ascending; times above the last are in one more class.
    let bounds: [Double]
    /// For each class.
    let counts: [Int]
    /// The sum of all times.
    let seconds: Double

    var count: Int { counts.reduce(0, +) }

    /// How many columns of a row it takes.
    static func width(_ bounds: [Double]) -> Int { bounds.count + 2 }

    /// - Parameters:
    ///   - row: nil without measurements.
    ///   - first: the column that it begins at.
    init(bounds: [Double], row: ArraySlice<Int>?, from first: Int = 0) {
        self.bounds = bounds
        guard let row else {
            counts = Array(repeating: 0, count: bounds.count + 1)
            seconds = 0
            return
        }
        let start = row.startIndex + first
        counts = Array(row[start...start + bounds.count])
        seconds = Double(row[start + bounds.count + 1]) / 1e9
    }
}

extension CounterRows {
    /// Counts a measured time.
    /// - Parameters:
    ///   - first: the first of the columns, of which there are ``Histogram/width(_:)``.
    ///   - bounds: upper bounds of the classes, in seconds, ascending.
    mutating func add(_ duration: Duration, from first: Int = 0, _ bounds: [Double], of number: Int) {
        let (whole, attoseconds) = duration.components
        let nanoseconds = Int(whole) &* 1_000_000_000 &+ Int(attoseconds / 1_000_000_000)
        let seconds = Double(nanoseconds) / 1e9
        var index = 0
        while index < bounds.count, seconds > bounds[index] { index += 1 }
        add(to: first + index, of: number)
        add(nanoseconds, to: first + bounds.count + 1, of: number)
    }
}
