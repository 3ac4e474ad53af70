internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardGatewayClient
internal import SwitchyardReactor

/// `switchyard run`: runs another program, with a browser of ours for sign-ins by a gateway.
struct RunCommand: Command {
    static let name = "run"
    static let summary = "run a program whose sign-ins come back by a gateway"
    static let options: [Option] =
        [
            .value("port", "PORT", "where the program waits on 127.0.0.1 (default: the only port on which it listens)"),
            TokenVariable.option,
        ]
        + GatewayConnection.options
    static let operands = Operands.everything("[OPTIONS] -- COMMAND [ARGUMENT …]")
    static let help = Help(
        """
        Becomes another program, with BROWSER set to a path that stands for `switchyard browse --gateway URL`. So a tool that \
        opens a browser for its sign-in gets an address printed, for a browser anywhere, and its callback from the gateway. \
        The tool's redirect URI must be one of the gateway's (an app with issuer: any). Signals and the exit status are the \
        program's own.
        """,
        """
        With `--token-env` the program has an access token of a resource in a variable, from this user's agent, which signs in first \
        if need be. All programs of this user can read it there, and it ends as tokens do. Without a gateway, BROWSER then stays as \
        it is.
        """,
        exits: [
            .done: "as the program", .failed: "there is no token, and the program was not run", .usage: "wrong usage",
        ],
        examples: [
            "switchyard run --gateway https://login.contoso.com -- codex mcp login linear",
            "switchyard run --token-env LINEAR_TOKEN=https://mcp.linear.app/mcp -- codex",
        ])

    /// The name by which a tool starts `switchyard browse`: BROWSER is one word, without options.
    static let browserName = "switchyard-browse"

    private let command: [String]
    private let gateway: String
    private let trustAnchor: String?
    private let proxy: String?
    private let port: UInt16?
    private let tokens: [TokenVariable]
    /// Whether the program's sign-ins come back by the gateway.
    private let setsBrowser: Bool

    static func asksForHelp(_ arguments: [String]) -> Bool {
        let own = arguments.prefix { $0 != "--" }
        return own.contains("--help") || own.contains("-h")
    }

    init(_ options: Options) throws {
        let words = options.words
        // A first word that is no option begins the command itself.
        let own = words.first?.hasPrefix("-") == false ? words[..<0] : words.prefix { $0 != "--" }
        let rest = words[own.endIndex...]
        command = Array(rest.first == "--" ? rest.dropFirst() : rest)
        guard !command.isEmpty else {
            throw UsageError(message: "COMMAND is missing: write it behind --, as in `switchyard run -- codex`")
        }
        let given = try Options(Array(own), allowed: Self.options, operands: .none)
        let connection = try GatewayConnection(given)
        gateway = connection.name
        trustAnchor = try GatewayConnection.trustAnchor(given["ca"], for: gateway)
        proxy = given["proxy"]
        port = try BrowseCommand.port(given["port"])
        tokens = try TokenVariable.read(given.all(TokenVariable.option.name))
        setsBrowser = tokens.isEmpty || given["gateway"] != nil || TokenVariable.gatewayOfEnvironment != nil
    }

    func run() throws -> ExitStatus {
        var mask = sigset_t()
        unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
        for (name, token) in try TokenVariable.tokens(for: tokens) { set(name, token) }
        // A sign-in blocks signals, and the program would inherit that.
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        if setsBrowser { try setBrowser() }
        // This program's own choice, which others do not expect.
        signal(SIGPIPE, SIG_DFL)
        let failure = ChildProcess.become(command[0], command)
        Terminal.error("\(command[0].quotable) cannot be run: \(failure)", hint: "is it installed, and in PATH?")
        // As a shell says it.
        _exit(failure.code == ENOENT ? 127 : 126)
    }

    private func setBrowser() throws {
        set("BROWSER", try browser())
        set(BrowseCommand.gatewayVariable, gateway)
        set(BrowseCommand.trustAnchorVariable, trustAnchor)
        set("SWITCHYARD_PROXY", proxy)
        set(BrowseCommand.portVariable, port.map { "\($0)" })
        if isatty(STDERR_FILENO) == 1 {
            // Some tools keep what their browser prints from the terminal.
            Terminal.note(
                "Sign-ins come back by \(gateway.quotable). If a page shows a code, type in another terminal: "
                    + "switchyard release CODE")
        }
    }

    /// - Parameter value: nil keeps what is there.
    private func set(_ name: String, _ value: String?) {
        if let value { unsafe setenv(name, value, 1) }
    }

    /// A link to this program in this user's folder, whose name makes it `switchyard browse`.
    private func browser() throws(CommandError) -> String {
        guard let program = OwnProcess.program else {
            throw CommandError("the path of this program is not known: /proc is not there")
        }
        do {
            let folder = try WaitingFolder.make()
            let path = "\(folder.path)/\(Self.browserName)"
            // Tools split BROWSER at blanks, and take a colon for the end of one browser.
            guard !path.contains(where: { $0 == ":" || $0.isWhitespace }) else {
                throw CommandError(
                    "\(path.quotable) has a blank or a colon, so BROWSER cannot name it",
                    hint: "export XDG_RUNTIME_DIR, a folder of this user's with mode 0700")
            }
            if FilePath.target(ofLink: path) != program {
                // Random: a container gives the number of a process that was killed here to another one.
                let draft = ".\(Self.browserName).\(Hexadecimal.encode(Random.bytes(4)))"
                guard unsafe symlink(program, "\(folder.path)/\(draft)") == 0 else {
                    throw CommandError("\(path) cannot be made: \(SystemError("symlink", code: errno))")
                }
                try Folder(folder.path).rename(draft, to: Self.browserName)
            }
            return path
        } catch let error as CommandError {
            throw error
        } catch let error as AgentFolder.FolderError {
            throw CommandError(error.description, hint: error.remedy)
        } catch {
            throw CommandError("BROWSER cannot be set: \(error)")
        }
    }
}
