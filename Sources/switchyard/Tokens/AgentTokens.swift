internal import Glibc
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardText

/// A token that an agent gave.
struct AgentToken: Sendable {
    let text: String
    /// Seconds since 1970.
    let expiresOn: Int64
    /// Whether each call with it needs a proof (`--format curl`).
    let isBound: Bool
    /// The person's name at the issuer, if known.
    let username: String?
    /// The whole answer.
    let json: JSONObject

    /// Fails unless the token is visible ASCII (RFC 6749 appendix A), and there. It is printed into header fields and into the
    /// lines that git reads, where a line break in it would be a command.
    /// - Parameter isIDToken: whether the ID token is meant.
    init?(_ json: JSONObject, isIDToken: Bool = false) {
        guard let text = json[isIDToken ? "id_token" : "access_token"]?.string, !text.isEmpty,
            text.allBytes(ASCII.isPrintable),
            let expiresOn = json[isIDToken ? "id_token_expires_on" : "expires_on"]?.integer
        else { return nil }
        self.text = text
        self.expiresOn = expiresOn
        isBound = !isIDToken && json["token_type"]?.string?.asciiLowercased == "dpop"
        username = json["account"]?.object?["username"]?.string
        self.json = json
    }
}

extension GatewayConnection {
    /// Connects to this user's agent. Starts it if it is configured and the options name no other gateway. May block.
    init(agentBy options: Options) throws {
        if options["gateway"] == nil, Environment.setting("SWITCHYARD_GATEWAY") == nil, AgentStart.isConfigured {
            _ = try AgentStart.ensure()
        }
        try self.init(options)
    }
}

/// Calls of a program to its user's agent. Only from a task of the client's loop.
struct AgentTokens: Sendable {
    let agent: GatewayConnection
    let client: HTTPClient

    /// The parameters of a request for a token.
    struct Query: Sendable {
        let subject: TokenSubject
        var scope: String?
        var account: String?
        var forcesRefresh = false
        var claims: String?
        var wantsIDToken = false
        /// The `WWW-Authenticate` field with which an API refused the last token.
        var challenge: String?

        var body: JSONObject {
            var body: JSONObject = [:]
            body[subject.member.name] = subject.member.value
            body["scope"] = scope.map { .string($0) }
            body["account"] = account.map { .string($0) }
            body["claims"] = claims.map { .string($0) }
            if forcesRefresh { body["force_refresh"] = true }
            if wantsIDToken { body["id_token"] = true }
            body["www_authenticate"] = challenge.map { .string($0) }
            return body
        }
    }

    /// Gets a token, after a sign-in if one is needed and a person is there.
    /// - Parameters:
    ///   - mayAsk: whether a person can be asked.
    ///   - command: the command that asks for the same in a terminal.
    func token(_ query: Query, mayAsk: Bool, command: String) async throws -> AgentToken {
        let answer = try await agent.send(GatewayCall(.post, "/v1/tokens", body: query.body), with: client)
        if answer.status == 401, let request = answer.body["request"]?.object {
            let nobody = CommandError(
                "somebody has to sign in first, and there is neither a terminal nor a display here",
                hint: "run this in a terminal: \(command.printable)")
            guard mayAsk else { throw nobody }
            // The agent stores the tokens of the sign-in. If no person can read the address, it fails instead of
            // waiting.
            _ = try await TerminalSignIn(gateway: agent, withoutBrowser: Person.seesMessages ? nil : nobody)
                .run(request, with: client)
            // The sign-in brought fresh tokens, so the second call need not force a refresh.
            var query = query
            query.forcesRefresh = false
            query.challenge = nil
            return try Self.token(
                try await agent.send(GatewayCall(.post, "/v1/tokens", body: query.body), with: client), query)
        }
        return try Self.token(answer, query)
    }

    /// The header fields of one call, after a sign-in if one is needed and a person is there.
    func fields(
        _ query: Query, of call: (url: String, method: String), mayAsk: Bool, command: String
    ) async throws -> [String] {
        // Signs in where that is needed.
        _ = try await token(query, mayAsk: mayAsk, command: command)
        var body = query.body
        body["url"] = .string(call.url)
        body["method"] = .string(call.method)
        let answer = try await agent.send(GatewayCall(.post, "/v1/proofs", body: body), with: client)
        guard answer.status == 200 else { throw Self.failure("there are no header fields", answer) }
        let proof = answer.body["dpop"]?.string ?? ""
        guard let authorization = answer.body["authorization"]?.string, authorization.allBytes(ASCII.isPrintable),
            proof.allBytes(ASCII.isPrintable)
        else { throw CommandError("what answers is no agent, or an older one that makes no proofs") }
        return ["Authorization: \(authorization)"] + (proof.isEmpty ? [] : ["DPoP: \(proof)"])
    }

    private static func token(_ answer: GatewayResponse, _ query: Query) throws -> AgentToken {
        guard answer.status == 200 else { throw failure("there is no token", answer) }
        guard let token = AgentToken(answer.body, isIDToken: query.wantsIDToken) else {
            throw CommandError("what answers is no agent, or an older one that gives no ID tokens")
        }
        warn(answer)
        return token
    }

    /// Lists the app's signed-in accounts, as the agent describes them.
    func accounts(of subject: TokenSubject) async throws -> [JSONObject] {
        let answer = try await agent.send(GatewayCall(.get, "/v1/accounts?\(Self.query(subject))"), with: client)
        guard answer.status == 200 else { throw Self.failure("there are no accounts", answer) }
        Self.warn(answer)
        return answer.body["accounts"]?.array?.compactMap(\.object) ?? []
    }

    /// - Parameter account: an identifier, or a user name.
    /// - Returns: what became of the refresh token at the issuer, in words.
    func remove(_ account: String, of subject: TokenSubject) async throws -> String {
        let path = "/v1/accounts/\(Self.encoded(account))?\(Self.query(subject))"
        var call = GatewayCall(.delete, path)
        call.prefersContent = true
        let answer = try await agent.send(call, with: client)
        guard answer.status == 204 || answer.status == 200 else { throw Self.failure("nothing was taken away", answer) }
        return switch answer.body["revocation"]?.string {
        case "revoked": "The issuer has revoked the refresh token; access tokens that programs have end by themselves."
        case "nothing", nil: "Access tokens that programs have end by themselves."
        case "not_offered": "The issuer revokes no tokens; they end by themselves."
        default:
            "The issuer could not be told to revoke the refresh token (the agent's log says why); it ends by itself."
        }
    }

    /// Prints the agent's warning, which the person would otherwise notice only in the next session.
    private static func warn(_ answer: GatewayResponse) {
        guard let problem = answer.body["not_kept"]?.string else { return }
        Terminal.note("The agent has a sign-in in its memory only, until it ends: \(problem.printable)")
    }

    private static func query(_ subject: TokenSubject) -> String {
        "\(subject.option.name)=\(encoded(subject.option.value))"
    }

    private static func encoded(_ text: String) -> String { FormEncoding.encode(text).replacing("+", with: "%20") }

    private static func failure(_ what: String, _ answer: GatewayResponse) -> CommandError {
        let reason = (answer.body["error_description"] ?? answer.body["error"])?.string ?? "status \(answer.status)"
        return CommandError("\(what): \(reason.printable)", hint: hint(for: answer))
    }

    private static func hint(for answer: GatewayResponse) -> String? {
        switch answer.body["error"]?.string {
        case "account_required":
            "--account takes one of "
                + (answer.body["accounts"]?.array ?? []).compactMap { account in
                    (account.object?["username"] ?? account.object?["id"])?.string?.printable
                }.joined(separator: ", ")
        case "resource_not_allowed": "resources: in the agent's configuration lists what is allowed"
        case "access_denied": "the use_from in the agent's configuration says which programs may"
        case "cache_failed": "`switchyard doctor` looks at the keyring"
        case "not_found" where answer.status == 404, "invalid_request":
            "is it an agent that answers? --gateway names its socket; the apps are in its configuration"
        default: nil
        }
    }
}

/// Whether a person is there to sign in.
enum Person {
    /// Whether a person reads standard error.
    static var seesMessages: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether a person reads this program's output, or a browser can be opened.
    static var isThere: Bool {
        seesMessages || Environment.setting("DISPLAY") != nil || Environment.setting("WAYLAND_DISPLAY") != nil
    }

    /// Lets the person answer although standard input belongs to the calling program.
    static func takeTerminalAsInput() {
        guard let terminal = try? OpenFile("/dev/tty", for: .readingAnyKind) else { return }
        dup2(terminal.descriptor, STDIN_FILENO)
    }
}

/// The input of a calling program: all of standard input.
enum StandardInput {
    /// nil when there is more than that, or when it cannot be read.
    static func text(maximum: Int = 64 << 10) -> String? {
        guard let bytes = try? Descriptor.readAll(STDIN_FILENO, maximum: maximum) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
