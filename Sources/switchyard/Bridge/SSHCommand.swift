internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardReactor

/// `switchyard ssh`: the system's ssh, with this machine's browser for the far machine's sign-ins.
struct SSHCommand: Command {
    static let name = "ssh"
    static let summary = "ssh, with this machine's browser for sign-ins over there"
    static let options: [Option] = [
        .value(
            "trust", "HOST/CLIENT",
            "open sign-ins of this client ID at this issuer's host without asking; may be repeated"),
        .flag("open-links", "open other https addresses of the far machine too"),
        .flag("no-browser", "print the addresses of pages instead of opening a browser"),
    ]
    static let operands = Operands.everything("[SSH OPTIONS] HOST [COMMAND]")
    static let help = Help(
        """
        Runs the system's ssh with its own options, agent and configuration, and lets tools on the far machine that listen \
        on their own loopback (`az login`, `gcloud auth login`, `kubectl oidc-login`) sign in with this machine's browser. \
        They need not know of it: BROWSER leads here, and a sign-in's address in what they print is seen.
        """,
        """
        Before the browser goes to the issuer, a page asks whether you have just started that sign-in there. Then this machine \
        listens on the tool's own port, for that one callback, and brings it to the tool. Continue only then: whoever \
        controls the far machine gets what you allow, and cannot sign in without you.
        """,
        sections: [
            HelpSection(
                "On the far machine",
                [
                    "BROWSER": "a program that sends an address here; it is there as long as the session",
                    "~/.switchyard": "the session's folder, and a path that leads to the newest session, for tmux",
                ])
        ],
        exits: [.done: "as ssh: the exit status of the command there, or 255"],
        examples: [
            "switchyard ssh devbox", "switchyard ssh -p 2222 me@devbox az login",
            "switchyard ssh --trust login.microsoftonline.com/04b07795-8ddb-461a-bbee-02f9e1bf7b46 devbox",
        ])

    private let arguments: SSHArguments

    init(_ options: Options) throws {
        do throws(SSHArguments.ParseError) {
            arguments = try SSHArguments(options.words)
        } catch {
            throw UsageError(message: error.words)
        }
    }

    static func asksForHelp(_ arguments: [String]) -> Bool {
        arguments.first == "-h" || (try? SSHArguments(arguments).wantsHelp) ?? false
    }

    func run() throws -> ExitStatus {
        guard !arguments.isForSSHAlone else { throw becomeSSH() }
        let session = try BridgeSession(arguments)
        // Exactly ssh's, which knows more than three.
        _exit(try session.run())
    }

    /// Replaces this process by ssh, if no session could want a browser.
    private func becomeSSH() -> CommandError {
        let rest = arguments.host.isEmpty ? [] : ["--", arguments.host] + arguments.command
        signal(SIGPIPE, SIG_DFL)
        return CommandError("\(ChildProcess.become("ssh", ["ssh"] + arguments.options + rest))")
    }
}

extension SSHArguments.ParseError {
    fileprivate var words: String {
        switch self {
        case .noHost: "HOST is missing"
        case .unknownOption(let option):
            "unknown option \"\(option)\"; there is --trust, --open-links, --no-browser, --help, and what ssh has"
        case .missingValue(let option): "\(option) needs a value"
        case .takesNoValue(let option): "\(option) takes no value"
        case .badPair(let pair): "--trust \(pair.quotable) is no ISSUER_HOST/CLIENT_ID"
        }
    }
}
