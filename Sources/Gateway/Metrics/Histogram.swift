/// How many measured times were how long.
struct Histogram: Sendable, Hashable {
    /// The upper bounds of the classes, in seconds, ascending; times above the last are in one more class.
    let bounds: [Double]
    /// For each class.
    private(set) var counts: [Int]
    private var nanoseconds = 0

    /// Without measurements.
    init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    var count: Int { counts.reduce(0, +) }

    /// The sum of all times.
    var seconds: Double { Double(nanoseconds) / 1e9 }

    mutating func add(_ duration: Duration) {
        let (whole, attoseconds) = duration.components
        let nanoseconds = Int(whole) &* 1_000_000_000 &+ Int(attoseconds / 1_000_000_000)
        let seconds = Double(nanoseconds) / 1e9
        counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] &+= 1
        self.nanoseconds &+= nanoseconds
    }

    /// - Parameter other: with the same bounds.
    mutating func add(_ other: Histogram) {
        for place in counts.indices { counts[place] &+= other.counts[place] }
        nanoseconds &+= other.nanoseconds
    }
}
