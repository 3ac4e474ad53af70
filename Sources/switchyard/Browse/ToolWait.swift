internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardCrypto
internal import SwitchyardFiles
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// The second half of a tool's sign-in, in a process of its own: it waits for the callback and its release, and brings the
/// callback to the tool.
struct ToolWait: Sendable {
    /// How the gateway is reached, in the words of the options.
    let gateway: String
    let trustAnchor: String?
    let proxy: String?
    let port: UInt16?
    /// The tool's process group.
    let group: Int32
    /// The sockets at which it listened when it opened the address.
    let listeners: Set<ToolListener>
    let title: String
    /// Goes on with the sign-in; gives access to its outcome.
    let resumption: Secret

    /// The variable that makes `switchyard browse` such a process. It reads the rest from standard input, because arguments
    /// and variables can be seen.
    static let variable = "SWITCHYARD_BROWSE_WAITS"

    var serialized: [UInt8] {
        var object: JSONObject = [
            "gateway": .string(gateway), "group": .integer(Int64(group)), "title": .string(title),
            "resumption": .string(resumption.exposedText),
        ]
        object["ca"] = trustAnchor.map { .string($0) }
        object["proxy"] = proxy.map { .string($0) }
        object["port"] = port.map { .integer(Int64($0)) }
        object["listeners"] = .array(
            listeners.map { .array([.integer(Int64($0.port)), .integer(Int64(clamping: $0.socket))]) })
        return JSONValue.object(object).serialized
    }

    /// - Parameter bytes: as ``serialized`` gave them; nil for anything else.
    init?(_ bytes: [UInt8]) {
        guard let object = (try? JSONValue.parse(bytes))?.object, let gateway = object["gateway"]?.string,
            let group = object["group"]?.integer, let title = object["title"]?.string,
            let resumption = object["resumption"]?.string
        else { return nil }
        self.gateway = gateway
        trustAnchor = object["ca"]?.string
        proxy = object["proxy"]?.string
        port = object["port"]?.integer.flatMap { UInt16(exactly: $0) }
        self.group = Int32(clamping: group)
        listeners = Set(
            (object["listeners"]?.array ?? []).compactMap { pair in
                guard let pair = pair.array, pair.count == 2, let port = pair[0].integer, let socket = pair[1].integer
                else { return nil }
                return UInt16(exactly: port).map { ToolListener(port: $0, socket: UInt64(clamping: socket)) }
            })
        self.title = title
        self.resumption = Secret(resumption)
    }

    init(
        gateway: String, trustAnchor: String?, proxy: String?, port: UInt16?, group: Int32,
        listeners: Set<ToolListener>, title: String, resumption: Secret
    ) {
        self.gateway = gateway
        self.trustAnchor = trustAnchor
        self.proxy = proxy
        self.port = port
        self.group = group
        self.listeners = listeners
        self.title = title
        self.resumption = resumption
    }

    /// Only from a task of an event loop.
    func run() async throws {
        let connection = try GatewayConnection(
            gateway, trustAnchor: trustAnchor, route: GatewayConnection.route(proxy))
        guard let signIn = PendingSignIn(resuming: resumption, at: connection) else {
            throw CommandError("the sign-in cannot go on: its data are not complete")
        }
        let client = HTTPClient(loop: .required)
        let waiting: WaitingSignIn?
        do throws(CommandError) {
            waiting = try WaitingSignIn.announce(signIn, title: title, with: client)
        } catch {
            Terminal.error(error.description, hint: error.hint)
            waiting = nil
        }
        defer { waiting?.end() }
        // The first half returns now: `switchyard release` finds this process.
        try? Descriptor.write([UInt8(ascii: "\n")], to: STDIN_FILENO)
        EventLoop.required.start { await endWithTool(signIn, client) }
        let outcome: JSONObject
        do {
            outcome = try await self.outcome(of: signIn, client)
        } catch {
            // The person has ended the tool, and needs no word about it.
            guard isToolThere else { return }
            throw error
        }
        try await bring(outcome, signIn)
    }

    private func outcome(of signIn: PendingSignIn, _ client: HTTPClient) async throws -> JSONObject {
        var progress = try await signIn.wait(with: client)
        if case .releaseRequired = progress {
            Terminal.note(
                "Sign-in \(signIn.reference): the browser shows a code. Type in another terminal: switchyard release CODE"
            )
            progress = try await signIn.wait(seen: .releaseRequired, with: client)
        }
        guard case .outcome(let outcome) = progress else {
            throw CommandError("the gateway asks for a code again, though it has one")
        }
        _ = try? await signIn.end(with: client)
        return outcome
    }

    /// Ends the sign-in when the tool has gone: nobody waits for its callback, and it would stand beside that of the next try.
    private func endWithTool(_ signIn: PendingSignIn, _ client: HTTPClient) async {
        while isToolThere { await EventLoop.sleep(until: .now() + Self.pause) }
        _ = try? await signIn.end(with: client)
    }

    private static let pause = Duration.seconds(1)

    /// Whether a process of the tool's group is left. At a port that the person names the tool may be another program, and
    /// the first process of a container is the whole container: to the kernel, its group stands for every process.
    private var isToolThere: Bool { port != nil || group <= 1 || kill(-group, 0) == 0 || errno != ESRCH }

    /// Brings the callback to the tool, once.
    private func bring(_ outcome: JSONObject, _ signIn: PendingSignIn) async throws(CommandError) {
        guard let url = outcome["url"]?.string else {
            let error = outcome["error"]?.object ?? [:]
            throw CommandError(
                "the sign-in \(signIn.reference) failed: \((error["code"]?.string ?? "unknown").quotable)",
                hint: "begin it again in the tool")
        }
        let parameters = outcome["parameters"]?.object?.members.compactMap { member in
            member.value.string.map { (name: member.name, value: $0) }
        }
        guard
            let target = ToolSignIn.target(
                of: url, redirectURI: signIn.redirectURI, parameters: parameters ?? [])
        else { throw CommandError("the gateway gave a callback of another redirect URI; the tool does not get it") }
        let tool = try ToolPort.find(port, listeners, of: group)
        let status = try await tool.send(target, on: .required)
        guard let status, status < 400 else {
            throw CommandError(
                "the tool at 127.0.0.1:\(tool.port) did not take the callback"
                    + (status.map { " (status \($0))" } ?? ""), hint: "begin the sign-in again in the tool")
        }
        Terminal.note("Sign-in \(signIn.reference): the tool has its callback.")
    }
}
