internal import SwitchyardConfiguration
internal import SwitchyardJSON

/// The exit statuses of all commands.
enum ExitStatus: Int32 {
    case done = 0
    /// The work failed.
    case failed = 1
    /// Wrong usage or configuration.
    case usage = 2
}

/// One command of the program. The list of them is ``Switchyard/commands``.
protocol Command {
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    static var options: [Option] { get }
    /// The arguments behind the options.
    static var operands: Operands { get }
    /// The rest of the help. Usage and options are printed from the properties above.
    static var help: Help { get }

    /// Whether the command is a server with keys or tokens of others in its memory. Such a process is hidden
    /// (``ProcessSecrecy``). The others stay visible, because an agent must know the program that asks.
    static var serves: Bool { get }

    /// Whether its help is wanted instead of its work.
    static func asksForHelp(_ arguments: [String]) -> Bool

    init(_ options: Options) throws
    func run() throws -> ExitStatus
}

extension Command {
    static var operands: Operands { .none }
    static var serves: Bool { false }

    static func asksForHelp(_ arguments: [String]) -> Bool {
        arguments.contains("--help") || arguments.contains("-h")
    }
}

/// An option that a command takes. The help, the manual pages and the completions of shells are all made from it.
struct Option {
    let name: String
    /// Nil for an option that is given or not.
    let value: Value?
    /// One sentence for the help, without its full stop.
    let summary: String
    let isRequired: Bool
    /// Whether it may be given more than once (``Options/all(_:)``).
    var isRepeatable = false

    struct Value {
        /// The placeholder for the value in the help, such as `FILE`.
        let placeholder: String
        let kind: Kind

        var isPath: Bool {
            switch kind {
            case .file, .directory: true
            case .text, .word: false
            }
        }
    }

    /// The kind of completion that a shell offers for a value.
    enum Kind {
        case text, file, directory
        case word(of: [String])
    }

    static func flag(_ name: String, _ summary: String) -> Option {
        Option(name: name, value: nil, summary: summary, isRequired: false)
    }

    static func value(_ name: String, _ placeholder: String, _ summary: String, required: Bool = false) -> Option {
        Option(name: name, value: Value(placeholder: placeholder, kind: .text), summary: summary, isRequired: required)
    }

    static func values(_ name: String, _ placeholder: String, _ summary: String) -> Option {
        var option = value(name, placeholder, summary)
        option.isRepeatable = true
        return option
    }

    static func file(_ name: String, _ summary: String, required: Bool = false) -> Option {
        Option(name: name, value: Value(placeholder: "FILE", kind: .file), summary: summary, isRequired: required)
    }

    static func directory(_ name: String, _ summary: String) -> Option {
        Option(
            name: name, value: Value(placeholder: "DIRECTORY", kind: .directory), summary: summary, isRequired: false)
    }

    static func word(_ name: String, _ placeholder: String, of words: [String], _ summary: String) -> Option {
        Option(
            name: name, value: Value(placeholder: placeholder, kind: .word(of: words)), summary: summary,
            isRequired: false)
    }
}

enum Operands {
    case none
    /// Exactly one; the name is for messages. The words are those that a shell offers.
    case one(String, words: [String] = [])
    /// One at most.
    case optional(String, words: [String] = [])
    /// Every word is the command's own to read, its options among them: most are another program's.
    case everything(String)

    var isAnyTaken: Bool {
        if case .none = self { false } else { true }
    }
}

struct UsageError: Error {
    let message: String
}

/// A command's arguments, read in GNU's manner: `--name VALUE`, `--name=VALUE`, `--` ends the options.
struct Options {
    private var values: [String: String] = [:]
    private var lists: [String: [String]] = [:]
    private(set) var operand: String?
    /// All of them, where the command reads them itself (``Operands/everything(_:)``).
    private(set) var words: [String] = []

    init(_ arguments: [String], allowed: [Option], operands: Operands) throws {
        if case .everything = operands {
            words = arguments
            return
        }
        var rest = arguments[...]
        var readsOptions = true
        while let argument = rest.popFirst() {
            if readsOptions, argument == "--" {
                readsOptions = false
            } else if readsOptions, argument.hasPrefix("-"), argument.count > 1 {
                try read(argument, &rest, allowed)
            } else {
                guard operands.isAnyTaken, operand == nil else {
                    throw UsageError(message: "unexpected argument \"\(argument)\"")
                }
                operand = argument
            }
        }
        if let missing = allowed.first(where: { $0.isRequired && values[$0.name] == nil }) {
            throw UsageError(message: "--\(missing.name) is missing")
        }
        if case .one(let name, _) = operands, operand == nil { throw UsageError(message: "\(name) is missing") }
    }

    private mutating func read(_ argument: String, _ rest: inout ArraySlice<String>, _ allowed: [Option]) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = allowed.first(where: { "--" + $0.name == parts[0] }) else {
            let names = (allowed.map(\.name) + ["help"]).map { "--" + $0 }.joined(separator: ", ")
            let nearest = Spelling.nearest(to: String(parts[0].dropFirst(2)), among: allowed.map(\.name))
            let proposal = nearest.map { "; did you mean --\($0)?" } ?? "; there is \(names)"
            throw UsageError(message: "unknown option \"\(parts[0])\"\(proposal)")
        }
        guard values[option.name] == nil else { throw UsageError(message: "\(parts[0]) was given twice") }
        guard let expected = option.value else {
            guard parts.count == 1 else { throw UsageError(message: "\(parts[0]) takes no value") }
            values[option.name] = ""
            return
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
            throw UsageError(message: "\(parts[0]) needs a value")
        }
        // An empty path comes from an unset variable of a script.
        guard !value.isEmpty || !expected.isPath else {
            throw UsageError(message: "\(parts[0]) names nothing: write a path, or leave it out")
        }
        if option.isRepeatable {
            lists[option.name, default: []].append(value)
        } else {
            values[option.name] = value
        }
    }

    /// The values of an option that may be given more than once, in their order.
    func all(_ name: String) -> [String] { lists[name] ?? [] }

    subscript(name: String) -> String? { values[name] }

    func required(_ name: String) throws -> String {
        guard let value = values[name] else { throw UsageError(message: "--\(name) is missing") }
        return value
    }

    func has(_ name: String) -> Bool { values[name] != nil }
}

/// The reason why a command's work failed.
struct CommandError: Error, CustomStringConvertible {
    let description: String
    /// The remedy; nil if the description names it already.
    let hint: String?
    let status: ExitStatus

    init(_ description: String, hint: String? = nil, status: ExitStatus = .failed) {
        self.description = description
        self.hint = hint
        self.status = status
    }

    /// From an error answer of the API.
    init(_ what: String, _ status: Int, _ body: JSONObject) {
        let reason = (body["error_description"] ?? body["error"])?.string?.printable ?? "status \(status)"
        self.init("\(what): \(reason)")
    }
}
