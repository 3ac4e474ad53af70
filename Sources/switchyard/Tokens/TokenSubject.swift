internal import SwitchyardDesktop
internal import SwitchyardGatewayClient
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The subject of tokens: an app that is registered with the agent, or a resource that is known by its URL alone.
enum TokenSubject: Sendable {
    case app(String)
    case resource(String)

    static let options: [Option] = [
        .value("app", "ID", "the app, as the agent knows it"),
        .value("resource", "URL", "in place of an app: a resource such as an MCP server"),
    ]

    /// The variable in which Claude Code names the server that it wants header fields for (code.claude.com/docs/en/mcp,
    /// headersHelper, read 2026-11-28).
    static let variable = "CLAUDE_CODE_MCP_SERVER_URL"

    /// - Parameter readsEnvironment: whether ``variable`` counts where the options name nothing.
    init(_ options: Options, readsEnvironment: Bool = false) throws {
        switch (options["app"], options["resource"]) {
        case (let app?, nil): self = .app(app)
        case (nil, let url?): self = .resource(try Self.checked(url, "--resource"))
        case (_?, _?): throw UsageError(message: "--app and --resource exclude each other")
        case (nil, nil):
            guard readsEnvironment, let url = Environment.setting(Self.variable) else {
                throw UsageError(message: "--app is missing, or --resource")
            }
            self = .resource(try Self.checked(url, "$\(Self.variable)"))
        }
    }

    /// - Parameter name: of the option that has the address.
    init(resource text: String, of name: String) throws { self = .resource(try Self.checked(text, name)) }

    private static func checked(_ text: String, _ name: String) throws -> String {
        do throws(ResourceURLError) {
            return try ResourceURL(text, allowingLoopbackHTTP: true).text
        } catch {
            throw UsageError(message: "\(name): the address \"\(text.printable)\" \(error)")
        }
    }

    /// Its member in calls of the API.
    var member: (name: String, value: JSONValue) {
        switch self {
        case .app(let id): ("app", .string(id))
        case .resource(let url): ("resource", .string(url))
        }
    }

    /// Its option and the value, for a command to be typed.
    var option: (name: String, value: String) {
        switch self {
        case .app(let id): ("app", id)
        case .resource(let url): ("resource", url)
        }
    }

    var isResource: Bool { if case .resource = self { true } else { false } }

    /// The connection to the agent that has its tokens. An agent needs no configuration for resources, so one is started
    /// unless the options name a gateway.
    func connection(_ options: Options) throws -> GatewayConnection {
        if isResource, options["gateway"] == nil, Environment.setting("SWITCHYARD_GATEWAY") == nil {
            _ = try AgentStart.ensure()
        }
        return try GatewayConnection(agentBy: options)
    }
}
