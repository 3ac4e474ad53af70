internal import Glibc
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardMCP
internal import SwitchyardOAuth
internal import SwitchyardReactor

/// `switchyard mcp`: a remote MCP server as a local one.
struct MCPCommand: Command {
    static let name = "mcp"
    static let summary = "run a remote MCP server as a local one"
    static let options: [Option] = [
        .values(
            "header", "'NAME: VALUE'",
            """
            a header field for each request; several times if need be. ${NAME} stands for a variable of the environment
            """),
        .value(
            "scope", "\"…\"", "the scopes of a sign-in, separated by spaces (default: those that the server asks for)"),
        .value(
            "account", "X", "whose token, by identifier or user name, where several people have signed in at the agent"
        ),
        .flag("no-resource", "leave the parameter `resource` out of a sign-in, because the server's issuer refuses it"),
        .value(
            "gateway", "URL",
            """
            the gateway that signs in where no agent runs: https://HOST[:PORT], or unix:PATH (default: $SWITCHYARD_GATEWAY)
            """),
        .file("api-key-file", "where the gateway's begin_from asks for an API key: the file that holds it"),
        .file("ca", "an extra trust anchor in PEM (default: $SWITCHYARD_CA)"),
        .value(
            "proxy", "URL",
            """
            the proxy on the way to the server and a gateway: http://HOST:PORT, or `environment` for HTTPS_PROXY and NO_PROXY \
            (default: $SWITCHYARD_PROXY, then none)
            """),
    ]
    static let operands = Operands.one("URL")
    static let help = Help(
        """
        Speaks the Model Context Protocol on standard input and output, as an MCP client starts it, and passes each message \
        to the server at URL (Streamable HTTP, revisions 2025-03-26 to 2026-07-28).
        """,
        """
        If the server wants a token, this user's agent gives it, else the gateway of --gateway, else a sign-in of this process, \
        whose tokens end with it. The address of a sign-in stands on standard error, in a notification of the desktop, and in the \
        error of a call that waits too long; some clients show it themselves. The sign-in goes on meanwhile, and the next call \
        uses its token. A code that the browser shows goes to `switchyard release CODE`.
        """,
        """
        Credentials in a header field are used as they are. Every user of the machine can read arguments, so name a variable of \
        the environment there.
        """,
        exits: [
            .done: "the client has closed standard input, or SIGTERM came", .failed: "the client no longer reads",
            .usage: "wrong usage",
        ],
        examples: [
            "switchyard mcp https://mcp.example.com/mcp",
            "switchyard mcp https://mcp.example.com/mcp --gateway https://login.contoso.com",
            "switchyard mcp https://api.example.com/mcp --header 'Authorization: Bearer ${API_TOKEN}'",
            "claude mcp add docs -- switchyard mcp https://mcp.example.com/mcp",
        ])

    private let remote: RemoteServer
    private let plan: TokenPlan

    init(_ options: Options) throws {
        let text = options.operand ?? ""
        let url: EndpointURL
        do throws(EndpointURLError) {
            url = try EndpointURL(text, allowingLoopbackHTTP: true)
        } catch {
            throw UsageError(
                message: "\"\(text.printable)\" is no server: write https://HOST[:PORT]/PATH (http on loopback only)")
        }
        let trustAnchor = try GatewayConnection.trustAnchor(options["ca"], for: text)
        let route = try GatewayConnection.route(options["proxy"])
        remote = RemoteServer(
            url: url, fields: try options.all("header").map(HeaderOption.init), trustAnchor: trustAnchor, route: route)
        plan = TokenPlan(
            options: ResourceOptions(
                resource: url.text, scope: options["scope"], account: options["account"],
                sendsResource: !options.has("no-resource")),
            gateway: try Self.gateway(options, route),
            apiKey: try GatewayConnection.apiKey(options["api-key-file"]),
            trustAnchor: trustAnchor, route: route)
    }

    private static func gateway(_ options: Options, _ route: OutgoingRoute) throws -> GatewayConnection? {
        guard let text = options["gateway"] ?? Environment.setting("SWITCHYARD_GATEWAY") else { return nil }
        let trustAnchor = try GatewayConnection.trustAnchor(options["ca"], for: text)
        do throws(GatewayCallError) {
            return try GatewayConnection(text, trustAnchor: trustAnchor, route: route)
        } catch {
            throw UsageError(message: error.description)
        }
    }

    func run() throws -> ExitStatus {
        let signals = try SignalSource([SIGTERM, SIGINT, SIGHUP])
        return try runToEnd { [remote, plan] in
            try await MCPBridge(to: remote, plan, on: .required).run(until: signals)
        }
    }
}

/// A field of `--header`.
struct HeaderOption: Sendable {
    let name: String
    let value: String

    /// The fields that the transport sets itself, in lower case.
    private static let ofTransport: Set<String> = [
        "accept", "connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive",
        "last-event-id", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// - Throws: ``UsageError``.
    init(_ text: String) throws {
        guard let colon = text.firstIndex(of: ":") else {
            throw UsageError(message: "--header \"\(text.printable)\": write NAME: VALUE")
        }
        name = String(text[..<colon])
        guard !name.isEmpty, name.utf8.allSatisfy({ Self.isTokenByte($0) }) else {
            throw UsageError(message: "--header: \"\(name.printable)\" is not the name of a header field")
        }
        let lower = name.lowercased()
        guard !Self.ofTransport.contains(lower), !lower.hasPrefix("mcp-param-"), !lower.hasPrefix("proxy-") else {
            throw UsageError(message: "--header: the transport sets \(name) itself; leave it out")
        }
        value = try Self.expand(text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
        guard !value.isEmpty else { throw UsageError(message: "--header: \(name) has no value") }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw UsageError(message: "--header: the value of \(name) has a control character")
        }
    }

    var isAuthorization: Bool { name.lowercased() == "authorization" }

    /// Every user of the machine can read the arguments of a process, so that a secret stands in a variable.
    private static func expand(_ text: Substring) throws -> String {
        var out = ""
        var rest = text
        while let start = rest.firstRange(of: "${") {
            out += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: "}") else {
                throw UsageError(message: "--header: ${ has no } behind it")
            }
            let name = String(rest[..<end])
            guard let value = Environment.setting(name) else {
                throw UsageError(message: "--header: the environment has no variable \"\(name.printable)\"")
            }
            out += value
            rest = rest[rest.index(after: end)...]
        }
        return out + rest
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
