/// A page of the manual in section 1, in the macros of man(7), made from the commands' own help.
struct ManualPage {
    /// The name that `man` finds it by.
    let name: String
    private var lines: [String] = []

    /// The program's own page, and one for each command.
    static var all: [ManualPage] { [ManualPage()] + Switchyard.commands.map { ManualPage($0) } }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// The program's.
    private init() {
        name = "switchyard"
        begin(summary: "an OAuth redirect router")
        section("Synopsis")
        synopsis(["COMMAND", "[OPTIONS]"])
        synopsis([ProgramHelp.help.label])
        synopsis([ProgramHelp.version.label])
        section("Description")
        paragraph(ProgramHelp.purpose)
        paragraph("Each command has a page of its own.")
        section("Commands")
        terms(Switchyard.commands.map { ("switchyard-\($0.name)(1)", $0.summary) })
        section("Options")
        options([ProgramHelp.help, ProgramHelp.version])
        section("Exit status")
        exits(ProgramHelp.exits)
        section("Environment")
        terms(ProgramHelp.environment.map { ($0.key, $0.value) })
        section("Files")
        terms(ProgramHelp.files.map { ($0.key, $0.value) })
        seeAlso(["systemctl(1)", "journalctl(1)"])
    }

    /// A command's.
    private init(_ command: any Command.Type) {
        let help = command.help
        name = "switchyard-\(command.name)"
        begin(summary: command.summary)
        section("Synopsis")
        synopsis([command.name] + command.usage)
        section("Description")
        for text in help.paragraphs { paragraph(text) }
        section("Options")
        options(command.allOptions)
        for part in help.sections {
            section(part.title)
            terms(part.terms.map { ($0.key, $0.value) })
        }
        section("Exit status")
        exits(help.exits.isEmpty ? ProgramHelp.exits : help.exits)
        section(help.examples.count == 1 ? "Example" : "Examples")
        for example in help.examples { lines += [".PP", ".EX", Self.plain(example), ".EE"] }
        seeAlso(["switchyard(1)"])
    }

    private mutating func begin(summary: String) {
        // Without a date: the page changes with the program and names its version.
        lines.append(#".TH \#(name.uppercased()) 1 "" "Switchyard \#(Switchyard.version)" "Switchyard""#)
        // Whole words can be searched for, and copied.
        lines += [".nh", ".ad l"]
        section("Name")
        lines.append("\(Self.plain(name)) \\- \(Self.plain(summary))")
    }

    private mutating func section(_ title: String) {
        lines.append(".SH \(Self.plain(title).uppercased())")
    }

    private mutating func synopsis(_ pieces: [String]) {
        lines += [".PP", "\\fBswitchyard\\fR " + pieces.map(Self.usage).joined(separator: " ")]
    }

    private mutating func paragraph(_ text: String) {
        lines += [".PP", Self.formatted(text)]
    }

    private mutating func terms(_ items: [(String, String)]) {
        for (term, meaning) in items { lines += [".TP", "\\fB\(Self.plain(term))\\fR", Self.formatted(meaning)] }
    }

    private mutating func options(_ options: [Option]) {
        for option in options { lines += [".TP", Self.usage(option.label), Self.formatted(option.summary)] }
    }

    private mutating func exits(_ exits: KeyValuePairs<ExitStatus, String>) {
        terms(exits.map { ("\($0.key.rawValue)", $0.value) })
    }

    private mutating func seeAlso(_ pages: [String]) {
        section("See also")
        lines.append(pages.map { "\\fB\(Self.plain($0))\\fR" }.joined(separator: ", "))
    }

    // MARK: Text

    /// Options bold, and placeholders in italics.
    private static func usage(_ label: String) -> String {
        let parts = label.split(separator: " ").map { word in
            let name = word.drop { $0 == "[" }
            return name.hasPrefix("--") || name.first?.isLowercase == true
                ? "\\fB\(plain(String(word)))\\fR" : "\\fI\(plain(String(word)))\\fR"
        }
        // An option stays with its value.
        return parts.joined(separator: "\\ ")
    }

    /// Makes text in backticks bold.
    private static func formatted(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            index.isMultiple(of: 2) ? plain(String(part)) : "\\fB\(plain(String(part)))\\fR"
        }.joined()
    }

    /// Characters that troff would take for its own are themselves.
    private static func plain(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "\"": escaped += "\\(dq"
            case "…": escaped += "..."
            default: escaped.append(character)
            }
        }
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }
}
