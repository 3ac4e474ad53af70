internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardText

/// How a command reaches the admin listener of a running gateway: at `--admin`, or where its configuration has it.
struct AdminConnection: Sendable {
    static let options: [Option] = [
        .file(
            "config",
            """
            the gateway's configuration, which also says where its admin listener is (default: \
            /etc/switchyard/switchyard.yaml, unless the gateway is named; where there is none, this user's agent is meant, \
            as by its agent.yaml, which may be missing)
            """),
        .value("admin", "URL", "its admin listener: http://127.0.0.1:PORT, https://… or unix:PATH"),
        .file("ca", "an extra trust anchor in PEM for https (default: $SWITCHYARD_CA)"),
    ]

    /// The address, for people.
    let name: String
    private let gateway: GatewayConnection

    /// - Parameter trustAnchor: path of a PEM file; nil for the one that the environment names.
    /// - Throws: ``UsageError``.
    init(_ address: String, trustAnchor: String?) throws {
        name = address
        let trustAnchor = try GatewayConnection.trustAnchor(trustAnchor, for: address)
        do throws(GatewayCallError) {
            gateway = try GatewayConnection(address, trustAnchor: trustAnchor)
        } catch {
            throw UsageError(message: "--admin: \(error.description)")
        }
    }

    /// By a command's options. Reads the configuration only where they do not name the listener.
    /// - Throws: ``UsageError``, ``CommandError``.
    init(_ options: Options) throws {
        if let address = options["admin"] {
            try self.init(address, trustAnchor: options["ca"])
            return
        }
        // An agent's socket does not depend on its file, so a faulty file does not matter.
        if options["config"] == nil, let agent = Self.usualAgent {
            try self.init("unix:\(agent.admin)", trustAnchor: nil)
            return
        }
        let path = options["config"] ?? ConfigurationFile.standardPath
        let outcome = try ConfigurationFile.readOfRunning(path)
        guard let configuration = outcome.configuration else {
            Terminal.note(outcome.diagnostics.errors)
            if FilePath.exists(Self.usualSocket) {
                Terminal.note("asking the gateway at \(Self.usualSocket), whatever is wrong with \(path)")
                try self.init("unix:\(Self.usualSocket)", trustAnchor: nil)
                return
            }
            throw CommandError(
                "\(path) does not say where the gateway's admin listener is",
                hint: "name the listener: --admin http://127.0.0.1:PORT or unix:PATH", status: .usage)
        }
        try self.init(try Self.address(in: configuration, path), trustAnchor: options["ca"])
    }

    /// The admin socket of the package's configuration.
    private static let usualSocket = "/run/switchyard/admin.sock"

    /// The default without a configuration or a listener: this user's agent, if it exists and this machine has no
    /// gateway configured.
    private static var usualAgent: AgentFolder? {
        guard !FilePath.exists(ConfigurationFile.standardPath) else { return nil }
        return try? AgentFolder.find()
    }

    /// The configuration of that, which may be missing where it is the agent's.
    static var usualConfiguration: String {
        usualAgent.flatMap { _ in AgentFolder.configuration } ?? ConfigurationFile.standardPath
    }

    /// The address of a configuration's admin listener.
    /// - Parameter alternative: the other remedy if there is no such listener.
    /// - Throws: ``CommandError``, which says what to write.
    static func address(
        in configuration: Configuration, _ path: String, orElse alternative: String? = nil
    ) throws -> String {
        guard let listener = configuration.listeners.first(where: { $0.serve.contains(.admin) }) else {
            throw CommandError(
                "\(path) has no listener that serves admin",
                hint:
                    "add these two lines below listen: and restart the gateway\(alternative.map { ", \($0)" } ?? ""):\n"
                    + "  - address: 127.0.0.1:9901\n    serve: [admin]")
        }
        switch listener.address {
        case .tcp(_, port: 0):
            throw CommandError(
                "the admin listener in \(path) has port 0, so the gateway alone knows its port",
                hint: "give it a port, or name it by --admin; the gateway's log has the port at its start")
        case .tcp: return (listener.tls.isEmpty ? "http://" : "https://") + "\(listener.address)"
        case .unix: return "\(listener.address)"
        }
    }

    // MARK: Calls

    /// Only from a task of the client's loop. Returns answers with any status.
    /// - Throws: ``CommandError`` if no gateway answers.
    func get(_ path: String, with client: HTTPClient) async throws -> GatewayResponse {
        try await send(GatewayCall(.get, path), with: client)
    }

    func post(_ path: String, _ body: JSONObject = [:], with client: HTTPClient) async throws -> GatewayResponse {
        try await send(GatewayCall(.post, path, body: body), with: client)
    }

    /// Follows a stream of server-sent events until `take` has enough or the gateway ends it.
    /// - Parameters:
    ///   - silence: the longest wait for a byte, the gateway's own signs of life included.
    ///   - take: called with each event; false ends it.
    /// - Returns: nil, or the answer that is no stream.
    func follow(
        _ path: String, silence: Duration, with client: HTTPClient, _ take: @escaping (EventStreamParser.Event) -> Bool
    ) async throws -> GatewayResponse? {
        do throws(GatewayCallError) {
            return try await gateway.follow(path, silence: silence, with: client, take)
        } catch {
            throw failure(error)
        }
    }

    private func send(_ call: GatewayCall, with client: HTTPClient) async throws -> GatewayResponse {
        do throws(GatewayCallError) {
            return try await gateway.send(call, with: client)
        } catch {
            throw failure(error)
        }
    }

    /// Describes an unexpected answer.
    /// - Parameter what: the action that failed, such as "tell its status".
    func refusal(_ what: String, _ answer: GatewayResponse) -> CommandError {
        guard ![401, 404, 421].contains(answer.status) else {
            return CommandError(
                "what answers at \(name) cannot \(what)",
                hint: "name the listener that serves admin alone, of a gateway of this version (\(Switchyard.version))")
        }
        return CommandError("the gateway at \(name) did not \(what)", answer.status, answer.body)
    }

    // MARK: No answer

    private func failure(_ failure: GatewayCallError) -> CommandError {
        switch failure {
        case .unreachable(_, let error): unreachable(error)
        case .answeredByAnother(let status, _):
            CommandError(
                "what answers at \(name) is no gateway: its answer has the status \(status) and is no JSON",
                hint: "compare the address with the gateway's configuration, below listen")
        default: CommandError("\(failure)".printable)
        }
    }

    private static let start =
        "start it: systemctl start switchyard, or switchyard serve --config FILE; a user's agent: switchyard agent"

    private func unreachable(_ error: TransferError) -> CommandError {
        guard error.kind == .notConnected else {
            return CommandError("the gateway at \(name) gives no whole answer: \(error)")
        }
        if error.isUntrusted {
            return CommandError(
                "the certificate of \(name) is not believed: \(error)",
                hint: "name the authority that issued it, with --ca FILE or $SWITCHYARD_CA")
        }
        guard name.hasPrefix("unix:") else {
            return CommandError("no gateway can be reached at \(name): \(error)", hint: Self.start)
        }
        // libcurl's message names a host and a port, which a socket file does not have.
        let path = String(name.dropFirst(5))
        if !FilePath.exists(path) {
            return FilePath.isShutOff(path)
                ? Self.notAllowed(path)
                : CommandError("no gateway runs: there is no socket \(path)", hint: Self.start)
        }
        guard FilePath.isWritable(path) else { return Self.notAllowed(path) }
        return CommandError("no gateway listens at \(name) now", hint: Self.start)
    }

    private static func notAllowed(_ path: String) -> CommandError {
        CommandError(
            "this user may not connect to \(path)",
            hint: "be root, or a member of the group that `ls -l \(path)` names")
    }
}
