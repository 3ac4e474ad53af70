internal import Glibc
internal import SwitchyardDesktop
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
        let text = try options["gateway"] ?? Environment["SWITCHYARD_GATEWAY"] ?? Self.defaultGateway
        do throws(GatewayFailure) {
            try self.init(text, trustAnchor: options["ca"] ?? Environment["SWITCHYARD_CA"])
        } catch {
            throw UsageError(message: error.description)
        }
    }

    /// Of the machine.
    static let systemGateway = "unix:/run/switchyard/switchyard.sock"

    /// Whether there is an agent's socket for this user.
    static var hasAgent: Bool { get throws { try defaultGateway != systemGateway } }

    /// The user's agent where there is one, else that of the machine. A folder that somebody else could have put an agent of
    /// his own into is no reason to go elsewhere: that is told.
    private static var defaultGateway: String {
        get throws {
            do throws(AgentFolder.Problem) {
                if let folder = try AgentFolder.find(), unsafe access(folder.socket, F_OK) == 0 {
                    return "unix:\(folder.socket)"
                }
            } catch {
                throw CommandFailure(error.description, hint: "\(error.remedy), or name a gateway by --gateway")
            }
            if Host.isFlatpak, unsafe access(String(systemGateway.dropFirst(5)), F_OK) != 0 {
                throw AgentStart.isOutside
            }
            return systemGateway
        }
    }
}
