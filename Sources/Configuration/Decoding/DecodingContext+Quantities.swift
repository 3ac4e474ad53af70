extension DecodingContext {
    /// Reads a duration inside `range`; anything else is reported and leaves `target` as it is.
    func duration(_ node: YAMLNode, _ range: ClosedRange<Duration>, into target: inout Duration) {
        let bounds = "\(Quantity.spell(range.lowerBound)) to \(Quantity.spell(range.upperBound))"
        read(node, "write a duration from \(bounds), such as 500ms, 30s, 10m or 1h", into: &target) { text in
            Quantity.duration(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func size(_ node: YAMLNode, _ range: ClosedRange<Int>, into target: inout Int) {
        let bounds = "\(Quantity.spell(size: range.lowerBound)) to \(Quantity.spell(size: range.upperBound))"
        read(node, "write a size from \(bounds), such as 4096, 64KiB or 1MiB", into: &target) { text in
            Quantity.size(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func count(_ node: YAMLNode, _ range: ClosedRange<Int>, into target: inout Int) {
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        read(node, "write a whole number from \(bounds)", into: &target) { text in
            Quantity.count(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Events a second.
    func rate(_ node: YAMLNode, into target: inout Double) {
        read(node, "write events a second from 0.01 to 10000000, such as 20 or 0.5", into: &target) { text in
            Quantity.rate(text).flatMap { (0.01...10_000_000).contains($0) ? $0 : nil }
        }
    }

    private func read<Value>(
        _ node: YAMLNode, _ remedy: String, into target: inout Value, _ parse: (String) -> Value?
    ) {
        if let value = value(node, remedy, parse) { target = value }
    }
}
