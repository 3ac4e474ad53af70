internal import Glibc
internal import SwitchyardAgent
internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardGateway
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor
internal import SwitchyardTokenStorage

/// An agent in this process, for one resource: where neither an agent runs nor a gateway is named. Its tokens are in memory
/// alone. Safe from any thread.
///
/// It listens in the folder of waiting sign-ins, which this user alone can open.
final class OwnAgent: Sendable {
    let socket: String
    private let admin: String
    private let folder: WaitingFolder
    private let group: EventLoopGroup
    private let gateway: Gateway

    /// - Throws: ``CommandError``. May block.
    init(for options: ResourceOptions, trustAnchor: String?, route: OutgoingRoute) throws {
        do throws(AgentFolder.FolderError) {
            folder = try WaitingFolder.make()
            let stem = "\(getpid())-\(Hexadecimal.encode(Random.bytes(2)))"
            (socket, admin) = (folder.socket("\(stem).a"), folder.socket("\(stem).b"))
        } catch {
            throw CommandError(error.description, hint: error.remedy)
        }
        let places = AgentPlaces(socket: socket, admin: admin, folders: [])
        let outcome = Configuration.load(
            agentText: Self.text(options, trustAnchor), places: places, route: route)
        guard let configuration = outcome.configuration else {
            throw CommandError(outcome.diagnostics.map { "\($0)" }.joined(separator: "; "))
        }
        group = try EventLoopGroup(count: 1)
        try group.start()
        do throws(GatewayError) {
            gateway = try Gateway(configuration, on: group, log: nil, agent: Agent(keeping: .memory))
        } catch {
            group.stop()
            throw CommandError("no sign-in can be made in this process: \(error)")
        }
    }

    /// JSON is YAML, so no text needs quotes of another kind.
    private static func text(_ options: ResourceOptions, _ trustAnchor: String?) -> String {
        var entry: JSONObject = ["url": .string(options.resource)]
        if !options.sendsResource { entry["resource_parameter"] = false }
        entry["ca"] = trustAnchor.map { .string($0) }
        return String(
            decoding: JSONValue.object(["resources": ["allow": [.object(entry)]]]).serialized, as: UTF8.self)
    }

    func stop() async {
        await gateway.stop(grace: .zero)
        for path in [socket, admin] { FilePath.remove(path) }
        group.stop()
    }
}
