internal import SwitchyardJSON

/// One check of the doctor and its result. Holds no secret.
struct Finding: Sendable {
    enum Level: String, Sendable, Comparable {
        case ok
        /// Sign-ins succeed, but less safely, or not for ever.
        case warning
        /// A sign-in would fail.
        case error

        static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .ok: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// The areas of the report, in its order.
    enum Area: String, CaseIterable, Sendable {
        case configuration
        case files
        case certificates
        case issuers
        case doors
        case store
        case machine
        case desktop

        var title: String {
            switch self {
            case .configuration: "Configuration"
            case .files: "Files"
            case .certificates: "Certificates"
            case .issuers: "Issuers"
            case .doors: "The way to this gateway"
            case .store: "Store"
            case .machine: "This machine"
            case .desktop: "This desktop"
            }
        }
    }

    let area: Area
    let level: Level
    /// The subject: a file, an issuer's name, an address; empty if the area says it all.
    let subject: String
    /// The finding itself.
    let what: String
    /// The consequence for the operator or the people.
    var why: String?
    var remedy: String?

    static func ok(_ area: Area, _ subject: String, _ what: String) -> Finding {
        Finding(area: area, level: .ok, subject: subject, what: what)
    }

    static func warning(_ area: Area, _ subject: String, _ what: String, why: String?, do remedy: String) -> Finding {
        Finding(area: area, level: .warning, subject: subject, what: what, why: why, remedy: remedy)
    }

    static func error(_ area: Area, _ subject: String, _ what: String, why: String?, do remedy: String) -> Finding {
        Finding(area: area, level: .error, subject: subject, what: what, why: why, remedy: remedy)
    }

    var json: JSONValue {
        var object: JSONObject = [
            "area": .string(area.rawValue), "level": .string(level.rawValue), "subject": .string(subject),
            "what": .string(what),
        ]
        object["why"] = why.map { .string($0) }
        object["do"] = remedy.map { .string($0) }
        return .object(object)
    }
}

/// Everything that was found, for a person or for a program.
struct DoctorReport: Sendable {
    let path: String
    let findings: [Finding]
    /// The repairs that `--fix` made.
    let repairs: [String]

    private func count(_ level: Finding.Level) -> Int { findings.filter { $0.level == level }.count }

    var status: ExitStatus { count(.error) > 0 ? .failed : .done }

    var json: JSONValue {
        .object([
            "configuration": .string(path), "errors": .integer(Int64(count(.error))),
            "warnings": .integer(Int64(count(.warning))), "findings": .array(findings.map(\.json)),
            "repairs": .array(repairs.map { .string($0) }),
        ])
    }

    func text(_ style: TerminalStyle) -> String {
        var lines: [String] = []
        for area in Finding.Area.allCases {
            let here = findings.filter { $0.area == area }.sorted { $0.level > $1.level }
            guard !here.isEmpty else { continue }
            lines += [style.bold(area.title)] + here.flatMap { self.lines(of: $0, style) } + [""]
        }
        if !repairs.isEmpty { lines += [style.bold("Repaired")] + repairs.map { "  \($0.printable)" } + [""] }
        lines.append(summary(style))
        return lines.joined(separator: "\n")
    }

    /// The level has a column of its own; the rest is in the column behind it, folded.
    private func lines(of finding: Finding, _ style: TerminalStyle) -> [String] {
        let word = finding.level.rawValue.padded(to: 7)
        let level =
            switch finding.level {
            case .ok: style.green(word)
            case .warning: style.yellow(word)
            case .error: style.red(word)
            }
        let indent = String(repeating: " ", count: 11)
        let subject = finding.subject.isEmpty ? "" : "\(finding.subject): "
        var lines = fold("\(subject)\(finding.what)", to: style.width - 11)
        lines = ["  \(level)  \(lines[0])"] + lines.dropFirst().map { indent + $0 }
        if let why = finding.why { lines += fold(why, to: style.width - 11).map { indent + style.dim($0) } }
        if let remedy = finding.remedy {
            let folded = fold(remedy, to: style.width - 14)
            lines += folded.enumerated().map { indent + ($0.offset == 0 ? "-> " : "   ") + $0.element }
        }
        return lines
    }

    private func summary(_ style: TerminalStyle) -> String {
        let (errors, warnings) = (count(.error), count(.warning))
        if errors > 0 {
            return style.red(
                style.bold("\(errors.counted("error")), \(warnings.counted("warning")): a sign-in would fail."))
        }
        if warnings > 0 { return style.yellow("No errors, \(warnings.counted("warning")): sign-ins should work.") }
        return style.green("All is well: \(findings.count.counted("check")), nothing to do.")
    }

    private func fold(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in String(paragraph).printable.split(separator: " ", omittingEmptySubsequences: false) {
                if !line.isEmpty, line.count + 1 + word.count > max(width, 40) {
                    lines.append(line)
                    line = ""
                }
                line += line.isEmpty ? word : " \(word)"
            }
            lines.append(line)
        }
        return lines
    }
}
