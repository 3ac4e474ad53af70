internal import Glibc
internal import SwitchyardDesktop
internal import SwitchyardFiles
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
        let text = try options["gateway"] ?? Environment.setting("SWITCHYARD_GATEWAY") ?? Self.defaultGateway
        let trustAnchor = try Self.trustAnchor(options["ca"], for: text)
        do throws(GatewayCallError) {
            try self.init(text, trustAnchor: trustAnchor)
        } catch {
            throw UsageError(message: error.description)
        }
    }

    /// The extra trust anchor for a gateway: what `--ca` names, or the environment. libcurl says of a file that is not there
    /// no more than its own number.
    static func trustAnchor(_ option: String?, for gateway: String) throws -> String? {
        guard let path = option ?? Environment.setting("SWITCHYARD_CA") else { return nil }
        guard !gateway.hasPrefix("https:") || FilePath.isReadable(path) else {
            let name = option == nil ? "$SWITCHYARD_CA" : "--ca"
            throw UsageError(message: "\(name): \(path) cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        return path
    }

    /// The machine's gateway.
    static let systemGateway = "unix:/run/switchyard/switchyard.sock"

    /// Whether there is an agent's socket for this user.
    static var hasAgent: Bool { get throws { try defaultGateway != systemGateway } }

    /// The user's agent if it exists, else the agent of the machine. If another user could have placed an agent in the
    /// folder, the command fails and says so; it does not fall back.
    private static var defaultGateway: String {
        get throws {
            do throws(AgentFolder.FolderError) {
                if let folder = try AgentFolder.find(), FilePath.exists(folder.socket) {
                    return "unix:\(folder.socket)"
                }
            } catch {
                throw CommandError(error.description, hint: "\(error.remedy), or name a gateway by --gateway")
            }
            if Host.isFlatpak, !FilePath.exists(String(systemGateway.dropFirst(5))) {
                throw AgentStart.isOutside
            }
            return systemGateway
        }
    }
}
