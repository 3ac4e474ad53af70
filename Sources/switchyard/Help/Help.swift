/// A command's description beside its options. Text in backticks is typed as it is.
struct Help {
    let paragraphs: [String]
    let sections: [HelpSection]
    /// The meaning of its exit statuses, where it goes beyond the meaning for every command.
    let exits: KeyValuePairs<ExitStatus, String>
    /// Whole commands; every command has one at least.
    let examples: [String]

    init(
        _ paragraphs: String..., sections: [HelpSection] = [], exits: KeyValuePairs<ExitStatus, String> = [:],
        examples: [String]
    ) {
        self.paragraphs = paragraphs
        self.sections = sections
        self.exits = exits
        self.examples = examples
    }
}

/// A list of words with their meanings, under a heading of its own.
struct HelpSection {
    let title: String
    let terms: KeyValuePairs<String, String>

    init(_ title: String, _ terms: KeyValuePairs<String, String>) {
        self.title = title
        self.terms = terms
    }
}

extension Command {
    /// Every command's options, with the one that all have.
    static var allOptions: [Option] { options + [.flag("help", "show this text")] }

    /// Its options and operand as a usage line shows them, one a piece.
    static var usage: [String] {
        let shown = options.map { $0.isRequired ? $0.label : "[\($0.label)]" }
        return switch operands {
        case .none: shown
        case .one(let name, _): [name] + shown
        case .optional(let name, _): ["[\(name)]"] + shown
        case .everything(let words): shown + [words]
        }
    }

    /// The text of `--help`.
    static var helpText: String {
        var parts = help.paragraphs.map { HelpText.wrapped($0) }
        parts.append(HelpText.usage("Usage: switchyard \(name)", usage))
        parts.append("Options:\n" + HelpText.list(allOptions.map { ($0.label, $0.summary) }))
        parts += help.sections.map { section in
            "\(section.title):\n" + HelpText.list(section.terms.map { ($0.key, $0.value) })
        }
        if !help.exits.isEmpty {
            parts.append("Exit status:\n" + HelpText.list(help.exits.map { ("\($0.key.rawValue)", $0.value) }))
        }
        let heading = help.examples.count == 1 ? "Example" : "Examples"
        parts.append("\(heading):\n" + help.examples.map { "  \($0)" }.joined(separator: "\n"))
        return parts.joined(separator: "\n\n")
    }
}

extension Option {
    /// How it is written, such as `--config FILE`.
    var label: String { value.map { "--\(name) \($0.placeholder)" } ?? "--\(name)" }
}

/// The description of the whole program: `switchyard --help`, and its manual page.
enum ProgramHelp {
    static let purpose =
        "Switchyard routes the end of a sign-in (an OAuth callback) to the one app that waits for it."
    static let version = Option.flag("version", "print the version")
    static let help = Option.flag("help", "list the commands; behind a command, show its options with an example")
    static let environment: KeyValuePairs = [
        "SWITCHYARD_GATEWAY": "the gateway that apps' commands ask when --gateway names none",
        "SWITCHYARD_CA": "the extra trust anchor when --ca names none",
        "STATE_DIRECTORY": "where `serve` keeps its database when the configuration names no store; systemd sets it",
        "CREDENTIALS_DIRECTORY": "where systemd puts credentials, for the configuration's key files",
    ]
    static let files: KeyValuePairs = [
        "/etc/switchyard/switchyard.yaml": "the configuration, which is the manual of its options as well",
        "/run/switchyard/switchyard.sock": "where the commands look for the gateway of this machine",
        "/var/lib/switchyard/requests.db": "the database of the systemd service",
    ]
    static let exits: KeyValuePairs<ExitStatus, String> = [
        .done: "done", .failed: "the work failed", .usage: "wrong usage or configuration",
    ]

    static var text: String {
        let commands = Switchyard.commands.map { ($0.name, $0.summary) }
        return """
            \(HelpText.wrapped(purpose))

            Usage: switchyard COMMAND [OPTIONS]

            Commands:
            \(HelpText.list(commands))

            `switchyard COMMAND --help` shows a command's options with an example.
            `switchyard --version` prints the version.

            Example:
              switchyard check --config /etc/switchyard/switchyard.yaml
            """
    }
}

/// Plain text as a terminal of 80 columns shows it.
enum HelpText {
    private static let width = 80
    /// Longer words stand on a line of their own.
    private static let widestTerm = 24

    static func wrapped(_ text: String, indent: Int = 0) -> String {
        lines(of: text.split(separator: " ").map(String.init), indent: indent).joined(separator: "\n")
    }

    /// `pieces` are kept whole, under the end of `command`.
    static func usage(_ command: String, _ pieces: [String]) -> String {
        let lines = lines(of: pieces, indent: command.count + 1).joined(separator: "\n")
        return command + lines.dropFirst(command.count)
    }

    static func list(_ items: [(String, String)]) -> String {
        let column = 4 + (items.map(\.0.count).filter { $0 <= widestTerm }.max() ?? 0)
        return items.map { term, meaning in
            let text = wrapped(meaning, indent: column)
            return term.count > widestTerm
                ? "  \(term)\n\(text)" : "  \(term)".padded(to: column) + text.dropFirst(column)
        }.joined(separator: "\n")
    }

    private static func lines(of words: [String], indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in words {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(margin + line)
                line = word
            } else {
                line += line.isEmpty ? word : " " + word
            }
        }
        return line.isEmpty ? lines : lines + [margin + line]
    }
}
