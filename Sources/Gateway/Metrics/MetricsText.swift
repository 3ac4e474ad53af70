/// Samples as text: OpenMetrics 1.0, or version 0.0.4 of Prometheus's format. A value without I/O.
struct MetricsText: Sendable {
    enum Format: Sendable {
        case openMetrics
        case prometheus

        /// Chooses the form by an `Accept` header (RFC 9110 section 12.5.1): OpenMetrics for a client that names it in
        /// our version, or without one.
        init(accept: [String]) {
            self = accept.contains(where: Self.namesOpenMetrics) ? .openMetrics : .prometheus
        }

        var contentType: String {
            switch self {
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            }
        }

        private static func namesOpenMetrics(_ value: String) -> Bool {
            value.lowercased().split(separator: ",").contains { range in
                let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
                guard parts.first == "application/openmetrics-text" else { return false }
                return parts.dropFirst().allSatisfy { parameter in
                    if parameter.hasPrefix("version=") {
                        return ["version=1.0.0", "version=0.0.1"].contains(parameter)
                    }
                    // A weight of zero says that it is not wanted.
                    if parameter.hasPrefix("q=") { return parameter.dropFirst(2).contains { ("1"..."9").contains($0) } }
                    return true
                }
            }
        }
    }

    typealias Label = (name: StaticString, value: String)

    let format: Format
    private(set) var bytes: [UInt8] = []

    init(_ format: Format) {
        self.format = format
    }

    /// Writes the lines before the samples of a family.
    mutating func begin(_ family: MetricFamily) {
        let name = format == .openMetrics ? family.name : family.name + family.suffix
        // The older format has no type for a metric that only names a program.
        let kind = format == .prometheus && family.kind == .info ? .gauge : family.kind
        append("# TYPE \(name) \(kind.rawValue)\n")
        if format == .openMetrics, let unit = family.unit { append("# UNIT \(name) \(unit)\n") }
        append("# HELP \(name) \(family.help)\n")
    }

    mutating func sample(_ family: MetricFamily, _ labels: Label..., value: Int) {
        sample(family.name, family.suffix, labels, "\(value)")
    }

    mutating func histogram(_ family: MetricFamily, _ label: Label, _ times: Histogram) {
        var sum = 0
        for (index, count) in times.counts.enumerated() {
            sum += count
            let bound = index < times.bounds.count ? "\(times.bounds[index])" : "+Inf"
            sample(family.name, "_bucket", [label, ("le", bound)], "\(sum)")
        }
        sample(family.name, "_sum", [label], "\(times.seconds)")
        sample(family.name, "_count", [label], "\(sum)")
    }

    /// Ends the text.
    mutating func end() {
        if format == .openMetrics { append("# EOF\n") }
    }

    private mutating func sample(_ name: String, _ suffix: String, _ labels: [Label], _ value: String) {
        append(name)
        append(suffix)
        var separator = "{"
        for label in labels {
            append(separator)
            append(label.name.description)
            append("=\"")
            appendEscaped(label.value)
            append("\"")
            separator = ","
        }
        if !labels.isEmpty { append("}") }
        append(" ")
        append(value)
        append("\n")
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func appendEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\n"): append("\\n")
            default: bytes.append(byte)
            }
        }
    }
}
