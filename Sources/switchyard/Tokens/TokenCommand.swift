internal import SwitchyardBridge
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor
internal import SwitchyardText

/// `switchyard token`: a token of this user, for any program.
struct TokenCommand: Command {
    /// How it is printed.
    enum Format: String, CaseIterable {
        case text, json, header, mcp, curl, kubernetes, docker, git
    }

    static let name = "token"
    static let summary = "print a token for any program, signing in first where that is needed"
    static let options: [Option] =
        TokenSubject.options + [
            .value("scope", "\"…\"", "scopes, separated by spaces (default: the app's default_scope)"),
            .value("account", "X", "whose token, by identifier or user name, where several people have signed in"),
            .word(
                "format", "FORMAT", of: Format.allCases.map(\.rawValue),
                "text (the default), json, header, mcp (header fields as JSON, as MCP clients ask a helper), curl (those of one call), or what kubernetes, docker or git ask a helper for"
            ),
            .flag("id-token", "the ID token instead of the access token, as API servers with --oidc-client-id want it"),
            .flag("force-refresh", "a fresh one, though the last one would still do"),
            .value(
                "www-authenticate", "CHALLENGE",
                "the value of this field in the answer of an API that refused the last one"),
            .value("url", "URL", "for curl: the address of the call"),
            .value("method", "METHOD", "for curl: the method of the call (default: GET)"),
            .value("host", "HOST", "for docker and git: the only host that may have it; several with commas"),
            .value("username", "NAME", "for docker and git: what stands beside it (default: oauth2)"),
        ] + GatewayConnection.options
    static let operands = Operands.optional("VERB", words: ["get", "store", "erase", "list"])
    static let help = Help(
        """
        Prints an access token. This user's agent takes it from its cache, or refreshes it; where somebody has to sign in \
        first, and a terminal or a display is there, this opens the browser, and says on standard error what to do.
        """,
        """
        With `docker` and `git` it is a credential helper: the verb comes from them, and the question on standard input. It \
        answers for the hosts of `--host` only, since either asks for any address that it meets. Called by the name \
        docker-credential-APP@HOST or git-credential-APP@HOST, through a link, it needs no options.
        """,
        """
        With `--resource` the URL is all that has to be known: the agent finds the authorization server, and registers itself \
        there if need be. Without `--app` and `--resource`, $CLAUDE_CODE_MCP_SERVER_URL names the resource.
        """,
        exits: [
            .done: "a token was printed, or there was nothing to say", .failed: "there is no token",
            .usage: "wrong usage",
        ],
        examples: [
            "curl -H \"$(switchyard token --app mail --format header)\" https://api.contoso.com/me",
            "git config --global credential.https://git.contoso.com.helper "
                + "'!switchyard token --app com.contoso.git --format git --host git.contoso.com'",
            "switchyard token --app mail --format curl --url https://api.contoso.com/me | curl -H @- https://api.contoso.com/me",
            "switchyard token --resource https://mcp.example.com/mcp --format mcp",
            "switchyard token --app com.contoso.cluster --id-token --format kubernetes",
            "switchyard token --app mail --www-authenticate "
                + "'Bearer error=\"insufficient_user_authentication\", max_age=300'",
        ])

    private let query: AgentTokens.Query
    private let format: Format
    private let helper: CredentialHelper?
    private let verb: String?
    private let username: String
    /// The call that the printed header fields are for; nil for another format.
    private let call: (url: String, method: String)?
    private let agent: GatewayConnection
    /// Signs in for the requested tokens, at a terminal.
    private let commandForTerminal: String

    init(_ options: Options) throws {
        let format = try options["format"].map { text in
            guard let format = Format(rawValue: text) else {
                throw UsageError(
                    message: "--format is one of \(Format.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return format
        }
        self.format = format ?? .text
        let subject = try TokenSubject(options, readsEnvironment: true)
        if options.has("id-token"), [.docker, .git, .mcp].contains(self.format) {
            throw UsageError(message: "--id-token is for the formats text, json, header and kubernetes")
        }
        if subject.isResource, options.has("id-token") || [.kubernetes, .docker, .git].contains(self.format) {
            throw UsageError(
                message: "for a resource there are the formats text, json, header, mcp and curl, and no --id-token")
        }
        let hosts = options["host"].map { $0.split(separator: ",").map(String.init) } ?? []
        switch self.format {
        case .docker, .git:
            guard !hosts.isEmpty, case .app(let app) = subject else {
                throw UsageError(message: "--host is missing: a helper answers for the hosts that it is meant for only")
            }
            helper = CredentialHelper(kind: self.format == .git ? .git : .docker, app: app, hosts: hosts)
            verb = options.operand ?? "get"
        case .text, .json, .header, .mcp, .curl, .kubernetes:
            guard hosts.isEmpty, !options.has("username"), options.operand == nil else {
                throw UsageError(message: "--host, --username and a verb are for --format docker and git")
            }
            helper = nil
            verb = nil
        }
        guard (self.format == .curl) == (options["url"] != nil), self.format == .curl || options["method"] == nil else {
            throw UsageError(message: "--url names the call of --format curl, which needs it; --method is for it too")
        }
        if self.format == .curl,
            options.has("id-token") || options.has("force-refresh") || options["www-authenticate"] != nil
        {
            throw UsageError(
                message: "--format curl takes --app or --resource, --scope, --account, --url and --method only")
        }
        call = options["url"].map { (url: $0, method: options["method"] ?? "GET") }
        username = options["username"] ?? "oauth2"
        query = AgentTokens.Query(
            subject: subject, scope: options["scope"], account: options["account"],
            forcesRefresh: options.has("force-refresh"), wantsIDToken: options.has("id-token"),
            challenge: options["www-authenticate"])
        agent = try subject.connection(options)
        commandForTerminal = Self.command(subject, options)
    }

    /// By the name of a helper: git and docker give no more than a verb.
    init(_ helper: CredentialHelper, verb: String) throws {
        format = helper.kind == .git ? .git : .docker
        self.helper = helper
        self.verb = verb
        username = "oauth2"
        call = nil
        query = AgentTokens.Query(subject: .app(helper.app))
        let options = try Options([], allowed: GatewayConnection.options, operands: .none)
        agent = try GatewayConnection(agentBy: options)
        commandForTerminal = Self.command(.app(helper.app), options)
    }

    /// Builds the same call for a terminal: account, scopes and gateway, without the output format. The terminal's
    /// environment may differ from this one.
    private static func command(_ subject: TokenSubject, _ options: Options) -> String {
        let flags = options.has("id-token") ? ["--id-token"] : []
        let values: [(name: String, value: String?)] = [
            (subject.option.name, subject.option.value), ("scope", options["scope"]), ("account", options["account"]),
            ("www-authenticate", options["www-authenticate"]),
            ("gateway", options["gateway"] ?? Environment["SWITCHYARD_GATEWAY"]),
            ("ca", options["ca"] ?? Environment["SWITCHYARD_CA"]),
        ]
        let words = values.flatMap { name, value in value.map { ["--\(name)", FarSideScript.word($0)] } ?? [] }
        return (["switchyard token"] + words + flags + ["--format text >/dev/null"]).joined(separator: " ")
    }

    func run() throws -> ExitStatus {
        if let helper, let verb { return try help(helper, verb) }
        let mayAsk = Person.isThere && KubernetesExec.isInteractive
        if let call { return try printFields(of: call, mayAsk: mayAsk) }
        let token = try token(query, mayAsk: mayAsk)
        switch format {
        case .text: Terminal.say(exactly: token.text)
        case .json: Terminal.say(.object(token.json))
        case .header: Terminal.say(exactly: "Authorization: \(token.isBound ? "DPoP" : "Bearer") \(token.text)")
        case .mcp:
            Terminal.say(["Authorization": .string("\(token.isBound ? "DPoP" : "Bearer") \(token.text)")] as JSONValue)
        case .kubernetes: Terminal.say(KubernetesExec.credential(token))
        case .docker, .git, .curl: break
        }
        if let problem = Terminal.outputProblem {
            throw Terminal.unwritten(problem, "the agent has the token: ask again")
        }
        return .done
    }

    /// Prints a line for each field, as `curl -H @-` reads them.
    private func printFields(of call: (url: String, method: String), mayAsk: Bool) throws -> ExitStatus {
        let fields = try runToEnd { [agent, query, commandForTerminal] in
            try await AgentTokens(agent: agent, client: HTTPClient(loop: .required))
                .fields(query, of: call, mayAsk: mayAsk, command: commandForTerminal)
        }
        Terminal.say(exactly: fields.joined(separator: "\n"))
        if let problem = Terminal.outputProblem { throw Terminal.unwritten(problem, "ask again") }
        return .done
    }

    private func token(_ query: AgentTokens.Query, mayAsk: Bool) throws -> AgentToken {
        try runToEnd { [agent, commandForTerminal] in
            try await AgentTokens(agent: agent, client: HTTPClient(loop: .required))
                .token(query, mayAsk: mayAsk, command: commandForTerminal)
        }
    }

    // MARK: As a helper

    private func help(_ helper: CredentialHelper, _ text: String) throws -> ExitStatus {
        // Later versions of git and docker may know more verbs, and expect silence for those that a helper does not.
        guard let verb = CredentialHelper.Verb(rawValue: text) else { return .done }
        guard verb != .list else {
            Terminal.say(helper.kind == .docker ? "{}" : "")
            return .done
        }
        guard let input = StandardInput.text() else {
            throw CommandError("standard input cannot be read, or never ends")
        }
        let server = input.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        switch verb {
        case .store, .list: return .done
        case .erase:
            // The token was refused somewhere, so the next one must be new.
            guard helper.question(in: input) != nil else { return .done }
            var query = query
            query.forcesRefresh = true
            _ = try? token(query, mayAsk: false)
            return .done
        case .get:
            guard let question = helper.question(in: input) else {
                guard helper.kind == .docker else { return .done }
                Terminal.say(CredentialHelper.dockerHasNone)
                return .failed
            }
            Person.takeTerminalAsInput()
            let token = try token(query, mayAsk: Person.isThere && Environment["GIT_TERMINAL_PROMPT"] != "0")
            guard let answer = helper.answer(token, username: question.username ?? username, server: server) else {
                throw CommandError("the user name has a control character")
            }
            Terminal.say(exactly: answer)
            return .done
        }
    }
}

/// The interface between kubectl and its like and a program (client-go credential plugins).
enum KubernetesExec {
    /// The caller's information about itself, if any.
    private static var info: JSONObject? {
        Environment["KUBERNETES_EXEC_INFO"].flatMap { (try? JSONValue.parse(Array($0.utf8)))?.object }
    }

    /// Whether standard input is the person's.
    static var isInteractive: Bool { info?["spec"]?.object?["interactive"]?.bool ?? true }

    static func credential(_ token: AgentToken) -> JSONValue {
        [
            "apiVersion": .string(info?["apiVersion"]?.string ?? "client.authentication.k8s.io/v1"),
            "kind": "ExecCredential",
            "status": [
                "token": .string(token.text), "expirationTimestamp": .string(ISODate.format(seconds: token.expiresOn)),
            ],
        ]
    }
}
