internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// The first half of a tool's sign-in by a gateway: it begins the request with the tool's own state, shows the address, and
/// leaves the waiting to a process of its own.
struct ToolBrowse: Sendable {
    let gateway: GatewayConnection
    let trustAnchor: String?
    let proxy: String?
    let port: UInt16?

    /// The longest wait for the process that waits. The sign-in goes on behind it.
    private static let patience = Duration.seconds(5)

    /// The parent's group is the tool's, also where the tool begins its browser in a group of its own.
    private static var toolGroup: Int32 {
        let parent = getppid()
        let group = parent > 1 ? getpgid(parent) : -1
        return group > 1 ? group : getpgrp()
    }

    /// Only from a task of an event loop.
    func begin(_ tool: ToolSignIn) async throws {
        let group = Self.toolGroup
        let listeners = port == nil ? ToolPort.listeners(of: group) : []
        let client = HTTPClient(loop: .required)
        var body: JSONObject = [
            "redirect_uri": .string(tool.redirectURI), "completion": "response", "state": .string(tool.state),
        ]
        body["host_label"] = Host.label.map { .string($0) }
        let fields = body
        let signIn = try await PendingSignIn.begin(
            { fields }, at: gateway, retry: .once, with: client, whenSetBack: ReleasePrompt.saySetback)
        guard let resumption = signIn.resumption else { throw CommandError("this machine is short of memory") }
        let wait = ToolWait(
            gateway: gateway.name, trustAnchor: trustAnchor, proxy: proxy, port: port, group: group,
            listeners: listeners,
            title: "a tool's sign-in at \(tool.issuerHost)", resumption: resumption)
        do {
            try await leave(wait)
        } catch {
            _ = try? await signIn.end(with: client)
            throw error
        }
        let shown = UntrustedText.shown(tool.url, limit: AddressJudge.maximumBytes)
        Terminal.note("Open this address in a browser:\n\n  \(shown)\n")
        AddressCode.show(tool.url)
        let ports = Set(listeners.map(\.port)).sorted()
        if ports.count > 1 {
            Terminal.note(
                "switchyard: the tool listens on several ports (\(ports.map(String.init).joined(separator: ", "))), so its "
                    + "callback reaches none: begin again with --port")
        }
        Terminal.note(
            "Sign-in \(signIn.reference) waits. If its page shows a code, type in another terminal: switchyard release CODE"
        )
    }

    /// Starts the process that waits, and returns once `switchyard release` reaches it. The tool may wait for the end of what it reads from this one, so only a terminal stays
    /// open.
    private func leave(_ wait: ToolWait) async throws {
        guard let program = OwnProcess.program, let null = try? OpenFile("/dev/null", for: .device) else {
            throw CommandError("this program cannot be started again: /proc is not there")
        }
        let channel = try ChildChannel(on: .required)
        let environment = ChildProcess.ownEnvironment + ["\(ToolWait.variable)=1"]
        let error = isatty(STDERR_FILENO) == 1 ? STDERR_FILENO : null.descriptor
        do {
            defer { channel.closeDescriptor() }
            _ = try ChildProcess.start(
                program, ["switchyard", BrowseCommand.name, "-"], environment, input: channel.descriptor,
                output: null.descriptor, error: error, leadsSession: true, bond: .none)
        }
        let bytes = wait.serialized
        guard case .bytes(bytes.count) = channel.socket.write(bytes, from: 0) else {
            throw CommandError("the process that waits does not take its work")
        }
        channel.socket.shutDownWriting()
        channel.socket.deadline = .now() + Self.patience
        // Its end, without a word, is told where it happens.
        _ = await channel.socket.nextPiece()
    }
}
