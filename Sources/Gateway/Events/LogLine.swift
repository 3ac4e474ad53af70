internal import SwitchyardConfiguration
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText

/// One line of the log: the event's name and its details by name.
struct LogLine: Sendable {
    enum Value: Sendable {
        case text(String)
        case number(Int)
        case flag(Bool)

        fileprivate var text: String {
            switch self {
            case .text(let text): text
            case .number(let number): String(number)
            case .flag(let flag): flag ? "true" : "false"
            }
        }
    }

    /// The event's name in the log.
    let event: LogEventName
    var reference: Reference?
    var app: AppID?
    var reason: String?
    /// The caller: an address, or a user of this machine.
    var from: String?
    /// The id of the trace that it is part of.
    var trace: String?
    /// When it happened; nil for now.
    var time: Timestamp?
    /// The fields that only this kind of event has.
    var details: [(name: StaticString, value: Value)] = []

    init(_ event: LogEventName) {
        self.event = event
    }

    /// When it happened, since 1970; never later than now by the clock of this machine.
    var milliseconds: Int64 {
        let now = WallTime.now().milliseconds
        return min(time?.milliseconds ?? now, now)
    }

    /// - Parameter time: milliseconds since 1970.
    func encoded(
        _ format: LogConfiguration.Format, _ level: LogConfiguration.Level, at time: Int64
    ) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(192)
        if format == .json { line.append(UInt8(ascii: "{")) }
        Self.append("at", .text(ISODate.format(time)), to: &line, format)
        Self.append("level", .text(level.rawValue), to: &line, format)
        Self.append("event", .text(event.rawValue), to: &line, format)
        if let reference { Self.append("reference", .text("\(reference)"), to: &line, format) }
        if let app { Self.append("app", .text(app.text), to: &line, format) }
        if let reason { Self.append("reason", .text(reason), to: &line, format) }
        if let from { Self.append("from", .text(from), to: &line, format) }
        if let trace { Self.append("trace", .text(trace), to: &line, format) }
        for detail in details { Self.append(detail.name, detail.value, to: &line, format) }
        if format == .json { line.append(UInt8(ascii: "}")) }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// The entry of the journal: its fields with NUL between them, and a line break behind them.
    /// - Parameter time: milliseconds since 1970.
    func journalEntry(
        _ format: LogConfiguration.Format, _ level: LogConfiguration.Level, at time: Int64
    ) -> [UInt8] {
        let priority =
            switch level {
            case .debug: "7"
            case .info: "6"
            case .warning: "4"
            case .error: "3"
            }
        var entry = Array("MESSAGE=".utf8) + encoded(format, level, at: time).dropLast()
        func add(_ name: String, _ value: String) {
            entry.append(0)
            entry.append(contentsOf: "\(name)=".utf8)
            // The message has it as it is.
            entry.append(contentsOf: value.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 })
        }
        add("PRIORITY", priority)
        add("SYSLOG_IDENTIFIER", "switchyard")
        add("SWITCHYARD_EVENT", event.rawValue)
        if let reference { add("SWITCHYARD_REFERENCE", "\(reference)") }
        if let app { add("SWITCHYARD_APP", app.text) }
        if let reason { add("SWITCHYARD_REASON", reason) }
        if let from { add("SWITCHYARD_FROM", from) }
        if let trace { add("SWITCHYARD_TRACE", trace) }
        for detail in details { add("SWITCHYARD_\(detail.name.description.uppercased())", detail.value.text) }
        entry.append(UInt8(ascii: "\n"))
        return entry
    }

    private static func append(
        _ name: StaticString, _ value: Value, to line: inout [UInt8], _ format: LogConfiguration.Format
    ) {
        switch format {
        case .logfmt:
            if !line.isEmpty { line.append(UInt8(ascii: " ")) }
            append(name, to: &line)
            line.append(UInt8(ascii: "="))
        case .json:
            if line.count > 1 { line.append(UInt8(ascii: ",")) }
            line.append(UInt8(ascii: "\""))
            append(name, to: &line)
            line.append(contentsOf: "\":".utf8)
        }
        switch value {
        case .number(let number): line.append(contentsOf: String(number).utf8)
        case .flag(let flag): line.append(contentsOf: (flag ? "true" : "false").utf8)
        case .text(let text) where format == .logfmt && isPlain(text): line.append(contentsOf: text.utf8)
        case .text(let text):
            var quoted = ""
            appendQuoted(text, to: &quoted)
            line.append(contentsOf: quoted.utf8)
        }
    }

    private static func append(_ name: StaticString, to line: inout [UInt8]) {
        line.append(contentsOf: name.description.utf8)
    }

    private static func isPlain(_ value: String) -> Bool {
        !value.isEmpty
            && value.allBytes {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
                    && $0 != UInt8(ascii: "\\")
            }
    }

    /// Appends a string of JSON, which logfmt takes too. Characters that would move a terminal's cursor, end the line
    /// or turn the direction of writing are escaped. So one event is always one line, and a terminal shows it
    /// unchanged.
    private static func appendQuoted(_ value: String, to line: inout String) {
        line += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                    for unit in UTF16.encode(scalar) ?? .init() { line += "\\u" + hexadecimal(unit) }
                default: line.unicodeScalars.append(scalar)
                }
            }
        }
        line += "\""
    }

    private static func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
