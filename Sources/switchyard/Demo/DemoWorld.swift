internal import Configuration
internal import DemoIssuer
internal import Gateway
internal import HTTPClient
internal import JSON
internal import Reactor
internal import TLS

/// A gateway and an issuer on loopback, and what the demo's app does with them.
final class DemoWorld: Sendable {
    let group: EventLoopGroup
    let gatewayURL: String
    let issuerURL: String
    let trustAnchor: String
    private let gateway: Gateway
    private let issuer: DemoIssuer

    /// - Parameter prefersUsualPorts: 8443 and 8444 when they are free, so that addresses stay the same.
    init(certificates: String, prefersUsualPorts: Bool) throws {
        group = try EventLoopGroup()
        group.start()
        trustAnchor = "\(certificates)/ca.pem"
        let identity = ServerIdentity(
            certificateChain: "\(certificates)/server.pem", privateKey: "\(certificates)/server.key")
        let context = try ServerContext(identities: [identity], protocols: ServerContext.http1)
        let issuerPort = try Self.freePort(prefersUsualPorts ? 8444 : 0)
        issuer = try DemoIssuer(
            DemoIssuerConfiguration(address: .tcp(host: "127.0.0.1", port: issuerPort), tls: context))
        _ = try issuer.start(on: group)
        issuerURL = issuer.issuer
        let port = try Self.freePort(prefersUsualPorts ? 8443 : 0)
        gatewayURL = "https://localhost:\(port)"
        let configuration = try Self.configuration(certificates, port: port, issuer: issuerURL)
        gateway = try Gateway(configuration, on: group, log: EventLog(descriptor: nil))
    }

    func stop() async {
        await gateway.stop(grace: .seconds(2))
        await issuer.stop(grace: .seconds(1))
    }

    private static func freePort(_ usual: UInt16) throws -> UInt16 {
        if let socket = try? ListeningSocket(.tcp(host: "127.0.0.1", port: usual)) { return socket.port }
        return try ListeningSocket(.tcp(host: "127.0.0.1", port: 0)).port
    }

    /// An ordinary configuration, read by the same code as any other.
    private static func configuration(_ certificates: String, port: UInt16, issuer: String) throws -> Configuration {
        let text = """
            public_url: https://localhost:\(port)
            listen:
              - address: 127.0.0.1:\(port)
                tls: { certificate: "\(certificates)/server.pem", key: "\(certificates)/server.key" }
                serve: [callbacks, api]
            store: memory
            issuers:
              - { name: demo, issuer: "\(issuer)", ca: "\(certificates)/ca.pem" }
            apps:
              - id: com.contoso.mail
                name: Contoso Mail
                issuer: demo
                client_id: contoso-suite
                redirect_uris: ["https://localhost:\(port)/mail/auth", "msauth.com.contoso.mail://auth"]
                default_scope: openid profile mail.read
                release: none
              - id: com.contoso.notes
                name: Contoso Notes
                issuer: demo
                client_id: contoso-suite
                redirect_uris: ["https://localhost:\(port)/notes/auth"]
                release: none
            """
        let outcome = Configuration.load(text: text, file: "demo", directory: "", environment: [:])
        guard let configuration = outcome.configuration else {
            throw CommandFailure(outcome.diagnostics.map { "\($0)" }.joined(separator: "\n"))
        }
        return configuration
    }
}

// MARK: - What the app does

extension DemoWorld {
    struct Begun: Sendable {
        let id: String
        let resultToken: String
        let startURL: String
        let reference: String
    }

    /// Begins a sign-in for Contoso Mail.
    func begin(_ more: JSONObject = [:], with client: HTTPClient) async throws -> Begun {
        var body: JSONObject = ["app": "com.contoso.mail"]
        for member in more.members { body[member.name] = member.value }
        let (status, answer) = try await connection().call(.post, "/v1/requests", body: body, with: client)
        guard status == 201, let id = answer["id"]?.string, let token = answer["result_token"]?.string,
            let url = answer["start_url"]?.string, let reference = answer["reference"]?.string
        else { throw CommandFailure("the sign-in did not begin", status, answer) }
        return Begun(id: id, resultToken: token, startURL: url, reference: reference)
    }

    /// Waits for the outcome by long poll; an empty object when the request expired.
    func wait(for begun: Begun, with client: HTTPClient) async throws -> JSONObject {
        while true {
            let (status, body) = try await connection().call(
                .get, "/v1/requests/\(begun.id)", token: begun.resultToken, wait: 50, with: client)
            switch status {
            case 200: return body
            case 202: continue
            default: return [:]
            }
        }
    }

    func acknowledge(_ begun: Begun, with client: HTTPClient) async throws -> Int {
        try await connection().call(.delete, "/v1/requests/\(begun.id)", token: begun.resultToken, with: client).status
    }

    private func connection() throws -> GatewayConnection {
        try GatewayConnection(gatewayURL, trustAnchor: trustAnchor)
    }
}
