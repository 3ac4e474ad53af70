internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardGateway
internal import SwitchyardGatewayClient
internal import SwitchyardReactor

/// The program: finds the command and gives its exit status back.
@main
struct Switchyard {
    static let version = Gateway.version

    static var commands: [any Command.Type] {
        [
            ServeCommand.self, CheckCommand.self, DemoCommand.self, LoginCommand.self, OpenCommand.self,
            AgentCommand.self, RegisterCommand.self, UnregisterCommand.self,
            TokenCommand.self, AccountsCommand.self, LogoutCommand.self, RefreshCommand.self, RevokeCommand.self,
            IssuerCommand.self, IssuersCommand.self, ReloadCommand.self, StatusCommand.self, ExplainCommand.self,
            KeysCommand.self, MCPCommand.self,
            DoctorCommand.self, SSHCommand.self, BrowseCommand.self, PasteCommand.self, ReleaseCommand.self,
            RunCommand.self,
            HelpCommand.self,
        ]
    }

    static func main() {
        // A peer, or a pager, that goes away is an error to be returned, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        ProcessSecrecy.forbidCoreFiles()
        let arguments = Array(CommandLine.arguments.dropFirst())
        // git and docker know a helper by its name.
        if let helper = CommandLine.arguments.first.flatMap({ CredentialHelper(program: $0) }) {
            end(run(named: TokenCommand.name) { try TokenCommand(helper, verb: arguments.first ?? "get").run() })
        }
        // A tool knows its browser by a path alone.
        if CommandLine.arguments.first?.split(separator: "/").last == RunCommand.browserName[...] {
            end(run(BrowseCommand.self, arguments))
        }
        end(run(arguments))
    }

    /// Exits; a lost result becomes a failure, so a program that expects a token in a file learns that it is missing.
    /// Uses `_exit`, because event loops still run, and `exit` would clean up C libraries that they use. All output has
    /// been written at once.
    private static func end(_ status: ExitStatus) -> Never {
        if status == .done, let problem = Terminal.outputProblem {
            Terminal.error(Terminal.unwritten(problem).description, hint: nil)
            _exit(ExitStatus.failed.rawValue)
        }
        _exit(status.rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitStatus {
        guard let name = arguments.first else {
            Terminal.note(ProgramHelp.text)
            return .usage
        }
        switch name {
        case "--help", "-h":
            Terminal.say(ProgramHelp.text)
            return .done
        case "--version", "-V":
            guard arguments.count == 1 else {
                Terminal.error("unexpected argument \"\(arguments[1].printable)\"", hint: "--version stands alone")
                return .usage
            }
            Terminal.say("switchyard \(version)")
            return .done
        default: break
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            let nearest = Spelling.nearest(to: name, among: commands.map { $0.name })
            Terminal.error(
                "there is no command \"\(name.printable)\"",
                hint: (nearest.map { "did you mean `switchyard \($0)`? " } ?? "")
                    + "`switchyard --help` lists the commands")
            return .usage
        }
        return run(command, Array(arguments.dropFirst()))
    }

    private static func run(_ command: any Command.Type, _ arguments: [String]) -> ExitStatus {
        if command.asksForHelp(arguments) {
            Terminal.say(command.helpText)
            return .done
        }
        if command.serves { ProcessSecrecy.hideProcess() }
        return run(named: command.name) {
            let options = try Options(arguments, allowed: command.options, operands: command.operands)
            return try command.init(options).run()
        }
    }

    private static func run(named name: String, _ work: () throws -> ExitStatus) -> ExitStatus {
        do {
            return try work()
        } catch let error as UsageError {
            Terminal.error(error.message, hint: "`switchyard \(name) --help` shows the usage")
            return .usage
        } catch let error as CommandError {
            Terminal.error(error.description, hint: error.hint)
            return error.status
        } catch let error as GatewayCallError {
            // It may hold words of the gateway.
            Terminal.error("\(error)".printable, hint: error.hint)
            return .failed
        } catch {
            Terminal.error("\(error)", hint: nil)
            return .failed
        }
    }
}
