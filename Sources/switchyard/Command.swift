internal import SwitchyardJSON

/// What a command exits with.
enum ExitStatus: Int32 {
    case done = 0
    /// The work failed.
    case failed = 1
    /// Wrong usage or configuration.
    case usage = 2
}

/// One command of the program.
protocol Command {
    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// The whole help, with an example.
    static var help: String { get }
    static var options: [Option] { get }
    /// What stands behind the options.
    static var operands: Operands { get }

    init(_ options: Options) throws
    func run() throws -> ExitStatus
}

extension Command {
    static var operands: Operands { .none }
}

/// An option that a command takes.
struct Option {
    let name: String
    let takesValue: Bool

    static func value(_ name: String) -> Option { Option(name: name, takesValue: true) }
    static func flag(_ name: String) -> Option { Option(name: name, takesValue: false) }
}

enum Operands {
    case none
    /// Exactly one; the name is for messages.
    case one(String)
}

struct UsageError: Error {
    let message: String
}

/// A command's arguments, read in GNU's manner: `--name VALUE`, `--name=VALUE`, `--` ends the options.
struct Options {
    private var values: [String: String] = [:]
    private(set) var operand: String?

    init(_ arguments: [String], allowed: [Option], operands: Operands) throws {
        var rest = arguments[...]
        var readsOptions = true
        while let argument = rest.popFirst() {
            if readsOptions, argument == "--" {
                readsOptions = false
            } else if readsOptions, argument.hasPrefix("-"), argument.count > 1 {
                try read(argument, &rest, allowed)
            } else {
                guard case .one = operands, operand == nil else {
                    throw UsageError(message: "unexpected argument \"\(argument)\"")
                }
                operand = argument
            }
        }
        if case .one(let name) = operands, operand == nil { throw UsageError(message: "\(name) is missing") }
    }

    private mutating func read(_ argument: String, _ rest: inout ArraySlice<String>, _ allowed: [Option]) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = allowed.first(where: { "--" + $0.name == parts[0] }) else {
            let names = allowed.map { "--" + $0.name }.joined(separator: ", ")
            throw UsageError(message: "unknown option \"\(parts[0])\"; there is \(names), --help")
        }
        guard values[option.name] == nil else { throw UsageError(message: "\(parts[0]) was given twice") }
        if !option.takesValue {
            guard parts.count == 1 else { throw UsageError(message: "\(parts[0]) takes no value") }
            values[option.name] = ""
        } else if parts.count == 2 {
            values[option.name] = parts[1]
        } else {
            guard let value = rest.popFirst() else { throw UsageError(message: "\(parts[0]) needs a value") }
            values[option.name] = value
        }
    }

    subscript(name: String) -> String? { values[name] }

    func required(_ name: String) throws -> String {
        guard let value = values[name] else { throw UsageError(message: "--\(name) is missing") }
        return value
    }

    func has(_ name: String) -> Bool { values[name] != nil }
}

/// Why a command's work failed.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    /// What can be done about it; nil where the words say it already.
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
