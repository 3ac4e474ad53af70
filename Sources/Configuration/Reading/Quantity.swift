internal import SwitchyardText

/// The spellings of durations, sizes and rates. All of them are exact: there is no default unit for a duration.
enum Quantity {
    /// `500ms`, `30s`, `10m`, `1h`.
    static func duration(_ text: String) -> Duration? {
        guard let (number, unit) = split(text) else { return nil }
        switch unit {
        case "ms": return .milliseconds(number)
        case "s": return .seconds(number)
        case "m": return seconds(number, times: 60)
        case "h": return seconds(number, times: 3600)
        default: return nil
        }
    }

    /// Bytes: `4096`, `64KiB`, `1MiB`, `2GiB`.
    static func size(_ text: String) -> Int? {
        guard let (number, unit) = split(text) else { return nil }
        let factor: Int
        switch unit {
        case "", "B": factor = 1
        case "KiB": factor = 1 << 10
        case "MiB": factor = 1 << 20
        case "GiB": factor = 1 << 30
        default: return nil
        }
        let (size, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : size
    }

    /// A decimal number such as `20` or `0.5`; no exponent, no sign.
    static func rate(_ text: String) -> Double? {
        let isPlain = text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        return isPlain ? Double(text) : nil
    }

    /// A whole number, without a sign.
    static func count(_ text: String) -> Int? {
        guard let (number, unit) = split(text), unit.isEmpty else { return nil }
        return number
    }

    static func spell(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if attoseconds != 0 { return "\(duration.wholeMilliseconds)ms" }
        if seconds != 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
        if seconds != 0, seconds % 60 == 0 { return "\(seconds / 60)m" }
        return "\(seconds)s"
    }

    static func spell(size: Int) -> String {
        if size >= 1 << 30, size % (1 << 30) == 0 { return "\(size >> 30)GiB" }
        if size >= 1 << 20, size % (1 << 20) == 0 { return "\(size >> 20)MiB" }
        if size >= 1 << 10, size % (1 << 10) == 0 { return "\(size >> 10)KiB" }
        return "\(size)"
    }

    private static func split(_ text: String) -> (number: Int, unit: Substring)? {
        let digits = text.utf8.prefix { ASCII.isDigit($0) }
        guard let number = Int(Substring(digits)) else { return nil }
        return (number, text[digits.endIndex...])
    }

    private static func seconds(_ number: Int, times factor: Int) -> Duration? {
        let (seconds, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : .seconds(seconds)
    }
}

extension Duration {
    /// Reads the spelling of a configuration: `500ms`, `30s`, `10m`, `1h`.
    public init?(spelled text: String) {
        guard let duration = Quantity.duration(text) else { return nil }
        self = duration
    }
}

extension DecodingContext {
    /// Reads a duration inside `range`; anything else is reported and leaves `target` as it is.
    func duration(_ node: YAMLNode, _ range: ClosedRange<Duration>, into target: inout Duration) {
        let bounds = "\(Quantity.spell(range.lowerBound)) to \(Quantity.spell(range.upperBound))"
        read(node, "write a duration from \(bounds)", ["500ms", "30s", "10m", "1h"], into: &target) { text in
            Quantity.duration(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func size(_ node: YAMLNode, _ range: ClosedRange<Int>, into target: inout Int) {
        let bounds = "\(Quantity.spell(size: range.lowerBound)) to \(Quantity.spell(size: range.upperBound))"
        read(node, "write a size from \(bounds)", ["4096", "64KiB", "1MiB", "2GiB"], into: &target) { text in
            Quantity.size(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func count(_ node: YAMLNode, _ range: ClosedRange<Int>, into target: inout Int) {
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        read(node, "write a whole number from \(bounds)", [], into: &target) { text in
            Quantity.count(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Events a second.
    func rate(_ node: YAMLNode, into target: inout Double) {
        read(node, "write events a second from 0.01 to 10000000", ["20", "0.5"], into: &target) { text in
            Quantity.rate(text).flatMap { (0.01...10_000_000).contains($0) ? $0 : nil }
        }
    }

    /// - Parameter examples: of how it is written; those are told that would be taken here.
    private func read<Value>(
        _ node: YAMLNode, _ remedy: String, _ examples: [String], into target: inout Value,
        _ parse: (String) -> Value?
    ) {
        let taken = examples.filter { parse($0) != nil }
        var remedy = remedy
        if let last = taken.last {
            let others = taken.dropLast().joined(separator: ", ")
            remedy += ", such as " + (others.isEmpty ? last : "\(others) or \(last)")
        }
        if let value = value(node, remedy, parse) { target = value }
    }
}
