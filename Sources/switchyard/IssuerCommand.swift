internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardReactor
internal import SwitchyardTLS

/// `switchyard issuer`: the demo's identity provider, by itself.
struct IssuerCommand: Command {
    static let name = "issuer"
    static let summary = "run the demo identity provider, on loopback only"
    static let options: [Option] = [
        .value("listen", "ADDRESS:PORT", "where it listens; port 0 chooses a free one", required: true),
        .file("tls-certificate", "PEM; with --tls-key, the issuer speaks https"),
        .file("tls-key", "PEM"),
        .value("client", "ID:SECRET", "a confidential client; every other client is public"),
        .flag("auto-approve", "sign in without asking (for benchmarks)"),
    ]
    static let help = Help(
        """
        Runs the small OpenID provider that the demo uses, to try an app against. It signs in anybody, so it refuses to \
        run on anything but loopback.
        """,
        sections: [
            HelpSection(
                "Addresses",
                [
                    "Entra ID":
                        "/{tenant}/v2.0, where the tenant is common, organizations, consumers, a GUID or a domain",
                    "APIs": "/api/mail takes access tokens with a scope such as api://mail/read or mail.read",
                ])
        ],
        examples: ["switchyard issuer --listen 127.0.0.1:9400"])

    private let configuration: DemoIssuerConfiguration

    init(_ options: Options) throws {
        let listen = try options.required("listen")
        guard let colon = listen.lastIndex(of: ":"), let port = UInt16(listen[listen.index(after: colon)...]) else {
            throw UsageError(message: "\"\(listen)\" is no ADDRESS:PORT")
        }
        let host = listen[..<colon].filter { $0 != "[" && $0 != "]" }
        var tls: ServerContext?
        switch (options["tls-certificate"], options["tls-key"]) {
        case (let certificate?, let key?):
            tls = try ServerContext(
                identities: [CertificateFiles(certificateChain: certificate, privateKey: key)],
                protocols: Server.protocols)
        case (nil, nil): break
        default: throw UsageError(message: "--tls-certificate and --tls-key belong together")
        }
        var configuration = DemoIssuerConfiguration(address: .tcp(host: host, port: port), tls: tls)
        configuration.autoApprove = options.has("auto-approve")
        if let client = options["client"] {
            let parts = client.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw UsageError(message: "--client takes ID:SECRET") }
            configuration.clients = [DemoClient(id: parts[0], secret: Secret(parts[1]))]
        }
        self.configuration = configuration
    }

    func run() throws -> ExitStatus {
        let signals = try SignalSource([SIGTERM, SIGINT])
        let group = try EventLoopGroup()
        try group.start()
        let issuer = try DemoIssuer(configuration)
        _ = try issuer.start(on: group)
        Terminal.note("issuer \(issuer.issuer)")
        try runToEnd {
            _ = try await signals.next(on: .required)
            await issuer.stop(grace: .seconds(2))
        }
        return .done
    }
}
