internal import SwitchyardDesktop
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// `switchyard open`: relays a callback string. A desktop calls it for a scheme of an app.
struct OpenCommand: Command {
    static let name = "open"
    static let summary = "relay a callback string to the app that waits for it"
    static let options: [Option] =
        [.value("source", "ID", "who relays it: a label, never a proof")] + GatewayConnection.options
    static let operands = Operands.one("URL")
    static let help = Help(
        """
        Relays a callback that reached this machine as a string (a custom scheme, or loopback) to its gateway. Without one, \
        it begins this user's agent. A desktop calls this for the schemes of `switchyard register`.
        """,
        exits: [
            .done: "it was handled", .failed: "no app has the address, or the gateway cannot be asked",
            .usage: "wrong usage",
        ],
        examples: ["switchyard open 'msauth.com.contoso.app1://auth?code=…&state=…' --source org.mozilla.firefox"])

    private let url: String
    private let source: String?
    /// nil for this user's agent, or the machine's gateway.
    private let gateway: GatewayConnection?

    init(_ options: Options) throws {
        // The address may hold a code, and all users of this machine can see a process's arguments.
        OwnProcess.hideArguments(from: 2)
        url = options.operand ?? ""
        guard url.utf8.count <= Self.longest else {
            throw UsageError(
                message: "an address of \(url.utf8.count) bytes is no callback: none is longer than 60 KiB")
        }
        source = options["source"]
        let isNamed = options["gateway"] != nil || Environment.setting("SWITCHYARD_GATEWAY") != nil
        gateway = isNamed ? try GatewayConnection(options) : nil
    }

    /// The longest address, in bytes. A gateway refuses longer ones before it has read them, so the connection would
    /// seem to break.
    private static let longest = 60 << 10

    /// The gateways to ask, in order.
    private func gateways() throws -> [GatewayConnection] {
        if let gateway { return [gateway] }
        let system = try GatewayConnection(GatewayConnection.systemGateway, trustAnchor: nil)
        let hasSystem = UnixSocket.isListening(at: String(GatewayConnection.systemGateway.dropFirst(5)))
        if hasSystem, !AgentStart.isConfigured, try !GatewayConnection.hasAgent {
            return [system]
        }
        let agent = try GatewayConnection("unix:\(AgentStart.ensure().socket)", trustAnchor: nil)
        return hasSystem ? [agent, system] : [agent]
    }

    func run() throws -> ExitStatus {
        let answer: GatewayResponse
        do {
            let gateways = try gateways()
            answer = try runToEnd { [url, source] in
                try await Self.relay(url, source, to: gateways, with: HTTPClient(loop: .required))
            }
        } catch {
            DesktopNotice.outOfReach.show()
            throw error
        }
        if answer.body["handled"]?.bool == true {
            Terminal.note("handled by \((answer.body["app"]?.string ?? "an app").printable)")
            return .done
        }
        guard let reason = answer.body["reason"]?.string else {
            DesktopNotice.outOfReach.show()
            throw GatewayCallError.refused(GatewayRefusal("the gateway did not take the callback", answer))
        }
        // The address may hold a code: it is not repeated.
        let unreached = answer.body["app"]?.string
        Terminal.error(
            "not handled: \(reason.printable)",
            hint: unreached.map { "\($0.printable) cannot be reached; start it, and open the same address again" }
                ?? Self.hints[reason])
        let isShown = (unreached == nil ? DesktopNotice(reason: reason) : .appIsGone).show()
        // After a failure, xdg-open tries one browser after the other, and each would get the code in its history and
        // arguments. The person has been told.
        return isShown && OwnProcess.parentName == "xdg-open" ? .done : .failed
    }

    /// A gateway answers within 45 s: a program that an app's handler starts has 30 s, and others may be asked before it.
    private static let responseTime = Duration.seconds(60)

    /// The first gateway that knows the callback answers for it.
    private static func relay(
        _ url: String, _ source: String?, to gateways: [GatewayConnection], with client: HTTPClient
    ) async throws -> GatewayResponse {
        var body: JSONObject = ["url": .string(url)]
        body["source_application"] = source.map { .string($0) }
        body["activation_token"] = activationToken.map { .string($0) }
        var call = GatewayCall(.post, "/v1/callbacks", body: body, responseTime: responseTime)
        // Which app could not be reached.
        call.prefersContent = true
        var answer: GatewayResponse?
        for gateway in gateways {
            let next: GatewayResponse
            do throws(GatewayCallError) {
                next = try await gateway.send(call, with: client)
            } catch {
                // An agent that was just about to end: the same callback twice is one.
                guard error.isPassing else { throw error }
                await EventLoop.sleep(until: .now() + .milliseconds(300))
                let second = try await gateway.send(call, with: client)
                let isOwn = error.wasSent && second.body["reason"]?.string == "already_consumed"
                // The gateway took the first try, but its answer was lost.
                next = isOwn ? GatewayResponse(status: 200, body: ["handled": true]) : second
            }
            answer = next
            guard next.body["reason"]?.string == "not_mine" else { break }
        }
        guard let answer else { preconditionFailure("there is a gateway to ask") }
        return answer
    }

    /// The token with which the compositor, or an X11 window manager, lets the app raise its window. nil if the desktop
    /// gave no token, or an invalid one.
    private static var activationToken: String? {
        let token = Environment["XDG_ACTIVATION_TOKEN"] ?? Environment["DESKTOP_STARTUP_ID"] ?? ""
        return (1...512).contains(token.utf8.count) && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            ? token : nil
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

extension GatewayCallError {
    /// Whether the gateway may have the whole call.
    fileprivate var wasSent: Bool {
        switch self {
        case .unreachable(_, let error): error.wasSent
        case .answeredByAnother: true
        case .invalidAddress, .refused, .expired, .malformedResponse, .local, .canceled: false
        }
    }
}
