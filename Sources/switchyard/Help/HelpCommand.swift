internal import SwitchyardFiles

/// `switchyard help`: the program's documentation of itself, in the forms that packages need.
struct HelpCommand: Command {
    static let name = "help"
    static let summary = "show a command's help, or write manual pages and completions"
    static var operands: Operands { .optional("COMMAND", words: Switchyard.commands.map { $0.name }) }
    static let options: [Option] = [
        .word(
            "completions", "SHELL", of: ShellCompletion.allCases.map(\.rawValue),
            "print what makes this shell complete commands and options: bash, zsh or fish"),
        .directory("man-pages", "write the manual pages there, one for each command"),
    ]
    static let help = Help(
        "Shows the list of commands, or the help of one of them.",
        "The package installs manual pages and completions; without it, this command makes them.",
        examples: [
            "switchyard help check",
            "source <(switchyard help --completions bash)",
            "switchyard help --man-pages ~/.local/share/man/man1",
        ])

    private let command: (any Command.Type)?
    private let shell: ShellCompletion?
    private let directory: String?

    init(_ options: Options) throws {
        command = try options.operand.map { name in
            guard let command = Switchyard.commands.first(where: { $0.name == name }) else {
                throw UsageError(message: "there is no command \"\(name)\"")
            }
            return command
        }
        shell = try options["completions"].map { name in
            guard let shell = ShellCompletion(rawValue: name) else {
                let names = ShellCompletion.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(message: "there are no completions for \"\(name)\"; there are some for \(names)")
            }
            return shell
        }
        directory = options["man-pages"]
    }

    func run() throws -> ExitStatus {
        if let directory {
            for page in ManualPage.all { try Self.write(page, into: directory) }
        }
        if let shell { Terminal.say(shell.script) }
        if directory == nil, shell == nil { Terminal.say(command?.helpText ?? ProgramHelp.text) }
        return .done
    }

    private static func write(_ page: ManualPage, into directory: String) throws {
        let name = "\(page.name).1"
        do throws(FileError) {
            try Folder(directory).replace(name, with: Array(page.text.utf8), mode: .atMost(0o644))
        } catch {
            throw CommandError(
                "\(directory)/\(name) cannot be made: \(error.reason)",
                hint: "name a folder that is there and that you may write in")
        }
    }
}
