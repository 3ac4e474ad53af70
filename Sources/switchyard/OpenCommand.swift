internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// `switchyard open`: relays a callback string.
struct OpenCommand: Command {
    static let name = "open"
    static let summary = "relay a callback string to the app that waits for it"
    static let options: [Option] =
        [.value("source", "ID", "who relays it: a label, never a proof")] + GatewayConnection.options
    static let operands = Operands.one("URL")
    static let help = Help(
        "Relays a callback that reached this machine as a string (a custom scheme, or loopback) to its gateway.",
        exits: [
            .done: "it was handled", .failed: "nobody owns it, or the gateway cannot be asked", .usage: "wrong usage",
        ],
        examples: ["switchyard open 'msauth.com.contoso.app1://auth?code=…&state=…' --source org.mozilla.firefox"])

    private let url: String
    private let source: String?
    private let gateway: GatewayConnection

    init(_ options: Options) throws {
        url = options.operand ?? ""
        source = options["source"]
        gateway = try GatewayConnection(options)
    }

    func run() throws -> ExitStatus {
        var body: JSONObject = ["url": .string(url)]
        body["source_application"] = source.map { .string($0) }
        let answer = try runToEnd { [body, gateway] in
            try await gateway.send(
                GatewayCall(.post, "/v1/callbacks", body: body), with: HTTPClient(loop: .required))
        }
        if answer.body["handled"]?.bool == true {
            Terminal.note("handled by \((answer.body["app"]?.string ?? "an app").printable)")
            return .done
        }
        guard let reason = answer.body["reason"]?.string else {
            throw GatewayFailure.refused(GatewayRefusal("the gateway did not take the callback", answer))
        }
        // The address may hold a code: it is not repeated.
        Terminal.error("not handled: \(reason.printable)", hint: Self.hints[reason])
        return .failed
    }

    private static let hints = [
        "not_mine": "no app of this gateway has that redirect URI; `switchyard check` prints those that have one",
        "no_pending_request": "no app waits for this sign-in; do not copy the address elsewhere, begin a new sign-in",
        "already_consumed": "the sign-in has had its callback; begin a new one if the app still waits",
        "state_mismatch": "the callback belongs to another redirect URI; nothing was changed",
        "expired": "the sign-in took too long; begin a new one",
        "malformed": "the address is no authorization response",
    ]
}

extension EventLoop {
    /// The loop of the task that asks.
    static var required: EventLoop {
        guard let loop = current else { preconditionFailure("only from a task of an event loop") }
        return loop
    }
}
