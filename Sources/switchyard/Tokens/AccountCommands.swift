internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// `switchyard accounts`: lists the signed-in accounts.
struct AccountsCommand: Command {
    static let name = "accounts"
    static let summary = "list who has signed in to an app of this user's agent"
    static let options: [Option] =
        TokenSubject.options + [
            .flag("json", "as JSON")
        ] + GatewayConnection.options
    static let help = Help(
        """
        Lists who has signed in, one line for each: identifier, user name and name, with tabs between. Apps of one client ID have the same accounts.
        """,
        exits: [.done: "they were printed", .failed: "the agent did not say", .usage: "wrong usage"],
        examples: ["switchyard accounts --app mail"])

    private let subject: TokenSubject
    private let isJSON: Bool
    private let agent: GatewayConnection

    init(_ options: Options) throws {
        subject = try TokenSubject(options)
        isJSON = options.has("json")
        agent = try subject.connection(options)
    }

    func run() throws -> ExitStatus {
        let accounts = try runToEnd { [agent, subject] in
            try await AgentTokens(agent: agent, client: HTTPClient(loop: .required)).accounts(of: subject)
        }
        if isJSON {
            Terminal.say(["accounts": .array(accounts.map { .object($0) })])
            return .done
        }
        for account in accounts {
            Terminal.say(
                ["id", "username", "name"].compactMap { account[$0]?.string?.printable }.joined(separator: "\t"))
        }
        if accounts.isEmpty { Terminal.note("Nobody has signed in.") }
        return .done
    }
}

/// `switchyard logout`: takes accounts away.
struct LogoutCommand: Command {
    static let name = "logout"
    static let summary = "take the tokens of an account away from this user's agent"
    static let options: [Option] =
        TokenSubject.options + [
            .value("account", "X", "whose, by identifier or user name (default: the only one)"),
            .flag("all", "all accounts of the app"),
        ] + GatewayConnection.options
    static let help = Help(
        """
        Forgets an account and its tokens, for all apps of the client ID, and asks the issuer to revoke the refresh token, \
        where it can. The browser stays signed in at the issuer, and access tokens that programs were given already end by \
        themselves.
        """,
        exits: [.done: "they are gone", .failed: "they are not", .usage: "wrong usage"],
        examples: [
            "switchyard logout --app mail", "switchyard logout --app mail --all",
            "switchyard logout --resource https://mcp.example.com/mcp",
        ])

    private let subject: TokenSubject
    private let account: String?
    private let isForAll: Bool
    private let agent: GatewayConnection

    init(_ options: Options) throws {
        subject = try TokenSubject(options)
        account = options["account"]
        isForAll = options.has("all")
        guard account == nil || !isForAll else { throw UsageError(message: "--account and --all exclude each other") }
        agent = try subject.connection(options)
    }

    func run() throws -> ExitStatus {
        try runToEnd { [agent, subject, account, isForAll] in
            let tokens = AgentTokens(agent: agent, client: HTTPClient(loop: .required))
            if let account {
                Terminal.note("Signed out here. \(try await tokens.remove(account, of: subject))")
                return ExitStatus.done
            }
            let accounts = try await tokens.accounts(of: subject)
            let ids = accounts.compactMap { $0["id"]?.string }
            guard isForAll || ids.count < 2 else {
                let names = accounts.compactMap { ($0["username"] ?? $0["id"])?.string?.printable }
                throw CommandError(
                    "several people have signed in",
                    hint: "--all, or --account with one of \(names.joined(separator: ", "))")
            }
            for id in ids { Terminal.note("Signed out here. \(try await tokens.remove(id, of: subject))") }
            if ids.isEmpty { Terminal.note("Nobody had signed in.") }
            return ExitStatus.done
        }
    }
}

/// The common part of `refresh` and `revoke`: an app with a client secret, and a token that stays out of the process
/// list.
private struct ConfidentialCall {
    static let options: [Option] =
        [
            .value("app", "ID", "the app, as registered with the gateway", required: true),
            .file("api-key-file", "where the app's begin_from asks for an API key: the file that holds it"),
        ] + GatewayConnection.options

    let app: String
    let gateway: GatewayConnection
    let apiKey: String?

    init(_ options: Options) throws {
        app = try options.required("app")
        gateway = try GatewayConnection(options)
        apiKey = try options["api-key-file"].map { path in
            guard let key = TextFile.firstLine(path) else {
                throw UsageError(message: "--api-key-file \(path) cannot be read, or holds no key")
            }
            return key
        }
    }

    /// - Parameter name: of the token in the call.
    func send(_ path: String, token name: String, _ more: JSONObject = [:]) throws -> GatewayResponse {
        let token = StandardInput.text()?.split(whereSeparator: \.isWhitespace).first.map(String.init)
        guard let token else { throw UsageError(message: "standard input holds no token") }
        var body = more
        body["app"] = .string(app)
        body[name] = .string(token)
        // A caller that gives up before the gateway does loses the refresh token's successor.
        let call = GatewayCall(.post, path, token: apiKey, body: body, responseTime: .seconds(600))
        let answer = try runToEnd { [gateway] in try await gateway.send(call, with: HTTPClient(loop: .required)) }
        if let error = answer.body["error"]?.object {
            let code = error["code"]?.string?.printable ?? "unknown"
            let reason = error["description"]?.string.map { ": \($0.printable)" } ?? ""
            throw CommandError("the issuer did not do it: \(code)\(reason)")
        }
        guard (200...204).contains(answer.status) else {
            throw GatewayCallError.refused(GatewayRefusal("the gateway did not do it", answer))
        }
        return answer
    }
}

/// `switchyard refresh`: new tokens by a refresh token, through the gateway that has the client's secret.
struct RefreshCommand: Command {
    static let name = "refresh"
    static let summary = "exchange a refresh token, for an app whose secret the gateway has"
    static let options: [Option] =
        [.value("scope", "\"…\"", "scopes, separated by spaces (default: all that was granted)")]
        + ConfidentialCall.options
    static let help = Help(
        """
        Reads the refresh token from standard input, and prints the token response as JSON. The new refresh token in it takes \
        the place of the old one, which may be spent.
        """,
        exits: [.done: "tokens were printed", .failed: "there are none", .usage: "wrong usage"],
        examples: ["switchyard refresh --app com.contoso.app1 < refresh-token"])

    private let call: ConfidentialCall
    private let scope: String?

    init(_ options: Options) throws {
        call = try ConfidentialCall(options)
        scope = options["scope"]
    }

    func run() throws -> ExitStatus {
        let answer = try call.send(
            "/v1/tokens", token: "refresh_token", scope.map { ["scope": .string($0)] } ?? [:])
        guard let tokens = answer.body["token_response"] else {
            throw CommandError("the gateway answered without a token response")
        }
        try Terminal.say(
            tokens,
            orElse: "the tokens are lost; where the old refresh token is spent, sign in again")
        return .done
    }
}

/// `switchyard revoke`: takes a token out of use, through the gateway that has the client's secret.
struct RevokeCommand: Command {
    static let name = "revoke"
    static let summary = "take a token out of use, for an app whose secret the gateway has"
    static let options: [Option] = ConfidentialCall.options
    static let help = Help(
        """
        Reads the token from standard input, and has its issuer revoke it (RFC 7009).
        """,
        exits: [.done: "it is revoked", .failed: "the issuer did not revoke it", .usage: "wrong usage"],
        examples: ["switchyard revoke --app com.contoso.app1 < refresh-token"])

    private let call: ConfidentialCall

    init(_ options: Options) throws { call = try ConfidentialCall(options) }

    func run() throws -> ExitStatus {
        _ = try call.send("/v1/revocations", token: "token")
        return .done
    }
}
