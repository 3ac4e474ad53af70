internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardReactor
internal import SwitchyardText

/// `switchyard browse`: asks the machine that a session came from to open an address, or has a gateway take the callback of
/// a tool's sign-in.
struct BrowseCommand: Command {
    static let name = "browse"
    static let summary = "open an address in the browser of the machine that you came from"
    static let options: [Option] = [
        .value(
            "gateway", "URL",
            "the gateway at the tool's redirect URI: https://HOST[:PORT] (default: $SWITCHYARD_BROWSE_GATEWAY)"),
        .file("ca", "an extra trust anchor in PEM (default: $SWITCHYARD_BROWSE_CA, then $SWITCHYARD_CA)"),
        .value("proxy", "URL", "the proxy on the way to the gateway (default: $SWITCHYARD_PROXY, then none)"),
        .value("port", "PORT", "where the tool waits on 127.0.0.1 (default: the only port on which it listens)"),
    ]
    static let operands = Operands.one("URL")
    static let help = Help(
        """
        In a session of `switchyard ssh`, sends an address to the machine that the session came from. Where none is connected, \
        prints the address, and keeps a sign-in's for ten minutes, for `switchyard paste`. For BROWSER; it does not wait for \
        what becomes of the address.
        """,
        """
        With --gateway, for a tool whose redirect URI is the gateway's (an app with issuer: any): begins a request with the \
        tool's own state, prints the address for any browser, and returns. A process in the background waits for the callback \
        and for `switchyard release CODE`, and brings the callback to the tool on 127.0.0.1, once. `switchyard run` sets \
        BROWSER to that.
        """,
        exits: [
            .done: "it was sent or printed",
            .failed: "the named session is gone, or the gateway did not begin the sign-in", .usage: "wrong usage",
        ],
        examples: [
            "switchyard browse https://login.contoso.com/authorize?…",
            "switchyard browse --gateway https://login.contoso.com https://id.example/authorize?…",
        ])

    /// Names the socket of one session; set by that session's own `browse`.
    static let variable = "SWITCHYARD_BROWSE_SOCKET"
    /// The defaults of the options, which `switchyard run` sets.
    static let gatewayVariable = "SWITCHYARD_BROWSE_GATEWAY"
    static let trustAnchorVariable = "SWITCHYARD_BROWSE_CA"
    static let portVariable = "SWITCHYARD_BROWSE_PORT"

    private let address: String
    /// nil without a gateway.
    private let tool: ToolBrowse?

    init(_ options: Options) throws {
        address = options.operand ?? ""
        guard let named = options["gateway"] ?? Environment.setting(Self.gatewayVariable) else {
            if options["port"] != nil { throw UsageError(message: "--port without --gateway") }
            tool = nil
            return
        }
        let port = try Self.port(options["port"] ?? Environment.setting(Self.portVariable))
        let anchor = try GatewayConnection.trustAnchor(
            options["ca"] ?? Environment.setting(Self.trustAnchorVariable), for: named)
        do throws(GatewayCallError) {
            let route: OutgoingRoute
            do {
                route = try GatewayConnection.route(options["proxy"])
            } catch {
                throw GatewayCallError.local((error as? UsageError)?.message ?? "\(error)")
            }
            tool = ToolBrowse(
                gateway: try GatewayConnection(named, trustAnchor: anchor, route: route), trustAnchor: anchor,
                proxy: options["proxy"], port: port)
        } catch {
            throw UsageError(message: error.description)
        }
    }

    /// - Throws: ``UsageError``.
    static func port(_ text: String?) throws -> UInt16? {
        guard let text else { return nil }
        guard let port = UInt16(text), port > 0 else {
            throw UsageError(message: "--port \(text.quotable): write a number from 1 to 65535")
        }
        return port
    }

    func run() throws -> ExitStatus {
        if Environment.setting(ToolWait.variable) != nil { return try Self.waitForTool() }
        if let tool, let signIn = ToolSignIn(address, gateway: tool.gateway.name) {
            try runToEnd { try await tool.begin(signIn) }
            return .done
        }
        let named = Environment[Self.variable]
        if let socket = named ?? FarPaths.newestSocket {
            let isSent = try runToEnd { [address] in await Self.send(address, to: socket) }
            if isSent { return .done }
            // Its caller knows other ways.
            guard named == nil else { return .failed }
        }
        Self.record(address)
        return .done
    }

    /// The process in the background, which gets the sign-in on standard input.
    private static func waitForTool() throws -> ExitStatus {
        guard let bytes = try? Descriptor.readAll(STDIN_FILENO, maximum: 64 << 10), let wait = ToolWait(bytes) else {
            throw UsageError(message: "$\(ToolWait.variable) is set, and no sign-in comes on standard input")
        }
        try runToEnd { try await wait.run() }
        return .done
    }

    private static func send(_ address: String, to socket: String) async -> Bool {
        let request = OutgoingRequest(
            .post, "http://localhost/browse", headers: [("Content-Type", "text/plain")], body: Array(address.utf8),
            timeout: .seconds(20), unixSocket: socket, allowsPlainHTTP: true)
        guard let answer = try? await HTTPClient(loop: .required).send(request) else { return false }
        return (200..<300).contains(answer.status)
    }

    /// Records an address for `switchyard paste`, because no browser can be reached.
    private static func record(_ address: String) {
        Terminal.note(
            "Open this address in a browser:\n\n  \(UntrustedText.shown(address, limit: AddressJudge.maximumBytes))\n")
        let verdict = AddressJudge.judge(address)
        guard verdict.isOfSignIn else { return explain(verdict) }
        guard FarPaths.record({ $0.add(address, now: WallTime.now().seconds) }) else {
            Terminal.note("It cannot be kept for `switchyard paste`: \(FarPaths.recordedPath) cannot be written.")
            return explain(verdict)
        }
        explain(verdict)
    }

    /// Prints the next step for an address, or the reason why it is not followed and the way round.
    private static func explain(_ verdict: AddressVerdict) {
        switch verdict {
        case .signIn(let signIn) where signIn.isFormPost:
            Terminal.note("\(PasteError.formPost.words); \(PasteError.formPost.hint).")
        case .signIn:
            Terminal.note(
                "The page that it ends at will fail to load there. Then run `switchyard paste` here, and paste its address."
            )
        case .link(let url, let objection) where objection.isOfSignIn:
            Terminal.note("`switchyard paste` cannot bring this sign-in back: \(objection.words).")
            if let remedy = objection.remedy(for: url) { Terminal.note("What helps: \(remedy).") }
        case .localPage:
            Terminal.note(
                "It is a page of this machine, which a browser elsewhere cannot see: start from the sign-in's address.")
        case .link(_, let objection), .refused(let objection):
            Terminal.note("It is not followed: \(objection.words).")
        }
    }
}
