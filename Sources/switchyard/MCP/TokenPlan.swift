internal import SwitchyardDesktop
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardMCP
internal import SwitchyardReactor

/// How `switchyard mcp` gets tokens, as its options say.
struct TokenPlan: Sendable {
    let options: ResourceOptions
    /// The gateway of `--gateway`.
    let gateway: GatewayConnection?
    let apiKey: String?
    let trustAnchor: String?
    /// As `--proxy` has it.
    let route: OutgoingRoute

    /// Finds the source. May start an agent, and takes a while then.
    ///
    /// A process that is to hold refresh tokens hides its memory. Before an agent it stays visible, because a `use_from` list may name
    /// this program.
    func source() async throws -> any TokenSource {
        let folder = try? AgentFolder.find()
        let isRunning = folder.map { UnixSocket.isListening(at: $0.socket) } ?? false
        let origin = TokenOrigin.choose(
            isAgentRunning: isRunning, isAgentConfigured: AgentStart.isConfigured, hasGateway: gateway != nil)
        switch origin {
        case .gateway:
            guard let gateway else { break }
            ProcessSecrecy.hideProcess()
            return GatewayTokenSource(gateway, apiKey: apiKey, options)
        case .agent(let mustStart):
            var found = folder
            if mustStart {
                found = try await Background.run { Result { try AgentStart.ensure() } }.get()
            }
            guard let found else { break }
            return AgentTokenSource(try GatewayConnection("unix:\(found.socket)", trustAnchor: nil), options)
        case .ownProcess: break
        }
        ProcessSecrecy.hideProcess()
        let own = try await Background.run { [self] in
            Result { try OwnAgent(for: options, trustAnchor: trustAnchor, route: route) }
        }.get()
        return AgentTokenSource(try GatewayConnection("unix:\(own.socket)", trustAnchor: nil), options, own: own)
    }
}
