internal import SwitchyardConfiguration
internal import SwitchyardDesktop
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Tells this user's running agent that its files have changed, and waits until it has read them.
///
/// The agent sees changes by itself, a second or two later. A command that says "registered" must not return before the agent knows the app.
enum AgentNews {
    private static let patience = Duration.seconds(8)

    /// - Parameter apps: the apps that the agent should know afterwards.
    /// - Returns: the messages for the person; empty if all is well, and if no agent runs.
    static func tell(of apps: [AppID]) -> [String] {
        do {
            guard let folder = try? AgentFolder.find(), UnixSocket.isListening(at: folder.socket) else { return [] }
            let files = try AgentConfiguration(nil, in: folder)
            let outcome = files.read(leavesFaultyOut: true)
            guard let configuration = outcome.configuration else {
                return ["the agent cannot use its configuration: `switchyard check --config \(files.path)` says why"]
            }
            let admin = try AdminConnection(
                AdminConnection.address(in: configuration, files.path), trustAnchor: nil)
            try reload(admin)
            let known = Set(configuration.apps.map(\.id))
            return apps.filter { !known.contains($0) }.map { app in
                let fault = outcome.diagnostics.first(where: \.leavesFileOut).map { " (\($0))" } ?? ""
                return "the agent does not know \(app)\(fault): put its file into apps.d beside \(files.path)"
            }
        } catch {
            return ["the running agent could not be told: \(error); `switchyard reload` tells it"]
        }
    }

    private static func reload(_ admin: AdminConnection) throws {
        try runToEnd {
            let client = HTTPClient(loop: .required)
            let end = Instant.now() + patience
            while true {
                let answer: GatewayResponse?
                do {
                    answer = try await admin.post("/v1/reload", with: client)
                } catch {
                    // systemd may be about to start it.
                    guard Instant.now() < end else { throw error }
                    answer = nil
                }
                if let answer {
                    if answer.status == 200 { return }
                    // 503: it is busy with another reload.
                    guard answer.status == 503, Instant.now() < end else { throw admin.refusal("reload", answer) }
                }
                await EventLoop.sleep(until: .now() + .milliseconds(100))
            }
        }
    }
}
