internal import Glibc
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
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
        .value(
            "proxy", "URL",
            """
            the proxy on the way to a gateway on another machine: http://HOST:PORT, or `environment` for HTTPS_PROXY and \
            NO_PROXY (default: $SWITCHYARD_PROXY, then none)
            """),
    ]

    init(_ options: Options) throws {
        let text = try options["gateway"] ?? Environment.setting("SWITCHYARD_GATEWAY") ?? Self.defaultGateway
        let trustAnchor = try Self.trustAnchor(options["ca"], for: text)
        let route = try Self.route(options["proxy"])
        do throws(GatewayCallError) {
            try self.init(text, trustAnchor: trustAnchor, route: route)
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

    /// The key in the file of `--api-key-file`.
    static func apiKey(_ path: String?) throws -> String? {
        try path.map { path in
            guard let key = TextFile.firstLine(path) else {
                throw UsageError(message: "--api-key-file \(path) cannot be read, or holds no key")
            }
            return key
        }
    }

    /// The route that `--proxy` names, or the environment. An address in the environment may hold a user and a password; one
    /// in the arguments must not, since every user of the machine can read them.
    static func route(_ option: String?) throws -> OutgoingRoute {
        guard let text = option ?? Environment.setting("SWITCHYARD_PROXY") else { return .direct }
        let name = option == nil ? "$SWITCHYARD_PROXY" : "--proxy"
        if option != nil, OutgoingProxy.hasCredentials(text) {
            throw UsageError(message: "--proxy: a password in an argument; set SWITCHYARD_PROXY instead")
        }
        do throws(ProxyAddressError) {
            guard text != "environment" else { return try OutgoingRoute.environment(Environment.all).route }
            return OutgoingRoute(proxy: try OutgoingProxy(text))
        } catch {
            throw UsageError(message: "\(name): no proxy that can be used; write \(OutgoingProxy.form), or environment")
        }
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
