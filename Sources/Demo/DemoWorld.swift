internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardDemoIssuer
internal import SwitchyardGateway
package import SwitchyardGatewayClient
internal import SwitchyardHTTP
package import SwitchyardHTTPClient
package import SwitchyardJSON
package import SwitchyardReactor
internal import SwitchyardTLS

/// A gateway and an issuer on loopback, and the actions of the demo's app.
package final class DemoWorld: Sendable {
    package let group: EventLoopGroup
    package let gatewayURL: String
    package let issuerURL: String
    package let certificates: DemoCertificates
    private let gateway: Gateway
    private let issuer: DemoIssuer
    /// Another issuer. The configuration names its keys for ``misledApp``'s issuer.
    private let stranger: DemoIssuer

    /// An app with sign-ins that cannot succeed: its issuer signs with other keys than the configuration names.
    static let misledApp = "com.contoso.misled"

    /// - Parameter prefersUsualPorts: 8443 and 8444 when they are free, so that addresses stay the same.
    package init(certificates: DemoCertificates, prefersUsualPorts: Bool) throws {
        group = try EventLoopGroup()
        try group.start()
        self.certificates = certificates
        let context = try ServerContext(identities: [certificates.identity], protocols: Server.protocols)
        let issuerPort = try Self.freePort(prefersUsualPorts ? 8444 : 0)
        issuer = try DemoIssuer(
            DemoIssuerConfiguration(address: .tcp(host: "127.0.0.1", port: issuerPort), tls: context))
        _ = try issuer.start(on: group)
        issuerURL = issuer.issuer
        stranger = try DemoIssuer(
            DemoIssuerConfiguration(address: .tcp(host: "127.0.0.1", port: 0), tls: context))
        _ = try stranger.start(on: group)
        let port = try Self.freePort(prefersUsualPorts ? 8443 : 0)
        gatewayURL = "https://localhost:\(port)"
        let configuration = try Self.configuration(
            certificates, port: port, issuer: issuerURL, stranger: stranger.issuer)
        gateway = try Gateway(configuration, on: group, log: nil)
    }

    var trustAnchor: String { certificates.authority }

    package func stop() async {
        await gateway.stop(grace: .seconds(2))
        await issuer.stop(grace: .seconds(1))
        await stranger.stop(grace: .seconds(1))
    }

    private static func freePort(_ usual: UInt16) throws -> UInt16 {
        if let socket = try? ListeningSocket(.tcp(host: "127.0.0.1", port: usual)) { return socket.port }
        return try ListeningSocket(.tcp(host: "127.0.0.1", port: 0)).port
    }

    /// An ordinary configuration, read by the same code as any other.
    private static func configuration(
        _ certificates: DemoCertificates, port: UInt16, issuer: String, stranger: String
    ) throws -> Configuration {
        let (authority, identity) = (certificates.authority, certificates.identity)
        let text = """
            public_url: https://localhost:\(port)
            listen:
              - address: 127.0.0.1:\(port)
                tls: { certificate: "\(identity.certificateChain)", key: "\(identity.privateKey)" }
                serve: [callbacks, api]
            store: memory
            issuers:
              - { name: demo, issuer: "\(issuer)", ca: "\(authority)" }
              - name: misled
                issuer: "\(issuer)"
                authorization_endpoint: "\(issuer)/authorize"
                token_endpoint: "\(issuer)/token"
                jwks_uri: "\(stranger)/jwks"
                ca: "\(authority)"
            apps:
              - id: com.contoso.mail
                name: Contoso Mail
                issuer: demo
                client_id: contoso-suite
                redirect_uris: ["https://localhost:\(port)/mail/auth", "msauth.com.contoso.mail://auth"]
                default_scope: openid profile mail.read
              - id: com.contoso.notes
                name: Contoso Notes
                issuer: demo
                client_id: contoso-suite
                redirect_uris: ["https://localhost:\(port)/notes/auth"]
              - id: \(misledApp)
                name: Misled Mail
                issuer: misled
                client_id: misled
                redirect_uris: ["https://localhost:\(port)/misled/auth"]
                default_scope: openid
            """
        let outcome = Configuration.load(text: text, file: "demo", directory: "", environment: [:])
        guard let configuration = outcome.configuration else {
            throw DemoError(outcome.diagnostics.map { "\($0)" }.joined(separator: "\n"))
        }
        return configuration
    }
}

// MARK: - What the app does

extension DemoWorld {
    /// Begins a sign-in for Contoso Mail.
    package func begin(_ more: JSONObject = [:], with client: HTTPClient) async throws -> PendingSignIn {
        var body: JSONObject = ["app": "com.contoso.mail"]
        for member in more.members { body[member.name] = member.value }
        let gateway = try GatewayConnection(gatewayURL, trustAnchor: trustAnchor)
        return try await PendingSignIn.begin({ body }, at: gateway, with: client)
    }
}
