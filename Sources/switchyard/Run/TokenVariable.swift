internal import SwitchyardBridge
internal import SwitchyardDesktop
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardReactor
internal import SwitchyardText

/// A variable of another program that holds an access token of a resource: for tools that read one, as Codex does
/// (`bearer_token_env_var`).
struct TokenVariable: Sendable {
    let name: String
    let resource: TokenSubject

    static let option = Option.values(
        "token-env", "NAME=URL",
        "give the program an access token of the resource URL in the variable NAME; may be repeated")

    /// - Throws: ``UsageError``.
    static func read(_ texts: [String]) throws -> [TokenVariable] {
        var names: Set<String> = []
        return try texts.map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, isName(parts[0]) else {
                throw UsageError(
                    message:
                        "--token-env \"\(text.printable)\": write NAME=URL, such as LINEAR_TOKEN=https://mcp.linear.app/mcp"
                )
            }
            guard names.insert(parts[0]).inserted else {
                throw UsageError(message: "--token-env names \(parts[0]) twice")
            }
            return TokenVariable(name: parts[0], resource: try TokenSubject(resource: parts[1], of: "--token-env"))
        }
    }

    /// The tokens by the names of their variables, after a sign-in where one is needed and a person is there.
    static func tokens(for variables: [TokenVariable]) throws -> [(name: String, token: String)] {
        guard !variables.isEmpty else { return [] }
        let agent = try agent()
        let mayAsk = Person.isThere
        return try variables.map { variable in
            let query = AgentTokens.Query(subject: variable.resource)
            let url = variable.resource.option.value
            let token = try runToEnd {
                try await AgentTokens(agent: agent, client: HTTPClient(loop: .required)).token(
                    query, mayAsk: mayAsk, command: "switchyard login --resource \(FarSideScript.word(url))")
            }
            guard !token.isBound else {
                throw CommandError(
                    "the token of \(url.printable) is bound to a key (DPoP), so a program cannot use it from a variable",
                    hint: "use `switchyard mcp`, or `switchyard token --format curl` for each call")
            }
            return (variable.name, token.text)
        }
    }

    /// The gateway of the environment that is no agent: an agent is at a socket of this machine.
    static var gatewayOfEnvironment: String? {
        Environment.setting("SWITCHYARD_GATEWAY").flatMap { $0.hasPrefix("unix:") ? nil : $0 }
    }

    /// This user's agent, which needs no configuration for resources. `--gateway` is for sign-ins of the program itself.
    private static func agent() throws -> GatewayConnection {
        let socket: String
        if let given = Environment.setting("SWITCHYARD_GATEWAY"), given.hasPrefix("unix:") {
            socket = given
        } else {
            socket = "unix:\(try AgentStart.ensure().socket)"
        }
        do throws(GatewayCallError) {
            return try GatewayConnection(socket, trustAnchor: nil, route: .direct)
        } catch {
            throw UsageError(message: error.description)
        }
    }

    /// A name that shells take (POSIX.1-2017, section 8.1).
    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !ASCII.isDigit(first) else { return false }
        return text.allBytes { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }
}
