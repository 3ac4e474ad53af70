internal import SwitchyardGatewayClient

/// A gateway of the configuration, and what is told to it.
struct GatewayAddress: Sendable {
    let connection: GatewayConnection
    let configuration: GatewayConfiguration

    init(_ configuration: GatewayConfiguration, trustAnchor: String?) throws(AuthenticationError) {
        self.configuration = configuration
        do throws(GatewayFailure) {
            connection = try GatewayConnection(configuration.address, trustAnchor: trustAnchor)
        } catch {
            throw AuthenticationError(.invalidConfiguration, .invalidParameter, error.description)
        }
    }
}
