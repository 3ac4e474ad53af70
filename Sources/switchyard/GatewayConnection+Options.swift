internal import Glibc
internal import SwitchyardGatewayClient
internal import SwitchyardJSON

/// How a command reaches a gateway.
extension GatewayConnection {
    static let options: [Option] = [
        .value(
            "gateway", "URL",
            """
            the gateway: https://HOST[:PORT], or unix:PATH (default: $SWITCHYARD_GATEWAY, then the user's agent, then \
            unix:/run/switchyard/switchyard.sock)
            """),
        .file("ca", "an extra trust anchor in PEM (default: $SWITCHYARD_CA)"),
    ]

    init(_ options: Options) throws {
        let text = options["gateway"] ?? Environment["SWITCHYARD_GATEWAY"] ?? Self.defaultGateway
        do throws(GatewayFailure) {
            try self.init(text, trustAnchor: options["ca"] ?? Environment["SWITCHYARD_CA"])
        } catch {
            throw UsageError(message: error.description)
        }
    }

    private static var defaultGateway: String {
        if let runtime = Environment["XDG_RUNTIME_DIR"] {
            let agent = "\(runtime)/switchyard/agent.sock"
            if unsafe access(agent, F_OK) == 0 { return "unix:\(agent)" }
        }
        return "unix:/run/switchyard/switchyard.sock"
    }
}
