internal import Glibc
internal import SwitchyardDesktop
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// `switchyard login`: a whole sign-in from a terminal.
struct LoginCommand: Command {
    static let name = "login"
    static let summary = "sign in from a terminal and print the tokens"
    static let options: [Option] =
        [
            .value("app", "ID", "the app, as registered with the gateway"),
            .value(
                "resource", "URL",
                "in place of an app: a resource such as an MCP server; without --gateway, this user's agent keeps its tokens"
            ),
            .value("scope", "\"…\"", "scopes, separated by spaces (default: the app's default_scope)"),
            .value("login-hint", "X", "the account that the issuer proposes"),
            .flag("no-browser", "print the address instead of opening a browser"),
            .file("api-key-file", "where the app's begin_from asks for an API key: the file that holds it"),
        ] + GatewayConnection.options
    static let help = Help(
        """
        Signs in: asks the gateway to begin, opens the browser, waits, and prints the token response as JSON on standard \
        output. Everything else goes to standard error. The browser may be on another machine than this terminal: then it \
        shows a short code, and this command asks for it.
        """,
        exits: [.done: "tokens were printed", .failed: "the sign-in failed", .usage: "wrong usage"],
        examples: [
            "switchyard login --app com.contoso.app1 --scope \"openid profile\" --gateway https://login.contoso.com",
            "switchyard login --resource https://mcp.example.com/mcp",
        ])

    private let begin: JSONObject
    private let opensBrowser: Bool
    private let gateway: GatewayConnection
    private let apiKey: String?

    init(_ options: Options) throws {
        let subject = try TokenSubject(options)
        var begin: JSONObject = [:]
        begin[subject.member.name] = subject.member.value
        begin["scope"] = options["scope"].map { .string($0) }
        begin["login_hint"] = options["login-hint"].map { .string($0) }
        self.begin = begin
        opensBrowser = !options.has("no-browser")
        gateway = subject.isResource ? try subject.connection(options) : try GatewayConnection(options)
        apiKey = try GatewayConnection.apiKey(options["api-key-file"])
    }

    func run() throws -> ExitStatus {
        try runToEnd { [begin, gateway, opensBrowser, apiKey] in
            let outcome = try await TerminalSignIn(gateway: gateway, apiKey: apiKey, opensBrowser: opensBrowser)
                .run(begin, with: HTTPClient(loop: .required))
            let declined = outcome["declined_scopes"]?.array?.compactMap(\.string) ?? []
            if !declined.isEmpty { Terminal.note("Declined: \(declined.joined(separator: " ").printable)") }
            if let tokens = outcome["token_response"] {
                try Terminal.say(
                    tokens,
                    orElse: "the tokens were given out once, and are lost here; make room, and sign in again")
            }
            return .done
        }
    }
}
