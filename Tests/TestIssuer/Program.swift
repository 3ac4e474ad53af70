internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardReactor
internal import SwitchyardTLS

/// `test-issuer`: an identity provider on loopback that does wrong what it is asked to, for tests.
/// `Tests/TestIssuer/README.md` says what it can be asked.
@main struct Program {
    private static let usage = """
        usage: test-issuer --listen ADDRESS:PORT [--tls-certificate FILE --tls-key FILE] [--client ID:SECRET[,ID:SECRET…]]
        """

    static func main() throws {
        signal(SIGPIPE, SIG_IGN)
        guard let configuration = try configuration(CommandLine.arguments.dropFirst()) else {
            print(usage)
            exit(2)
        }
        let group = try EventLoopGroup()
        try group.start()
        print("issuer", try TestIssuer(configuration).start(on: group))
        // A signal ends it.
        while true { _ = pause() }
    }

    private static func configuration(_ arguments: ArraySlice<String>) throws -> DemoIssuerConfiguration? {
        var options: [String: String] = [:]
        var rest = arguments
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            options[name] = value
        }
        guard let listen = options["--listen"], let colon = listen.lastIndex(of: ":"),
            let port = UInt16(listen[listen.index(after: colon)...])
        else { return nil }
        var tls: ServerContext?
        if let certificate = options["--tls-certificate"], let key = options["--tls-key"] {
            let identity = CertificateFiles(certificateChain: certificate, privateKey: key)
            tls = try ServerContext(identities: [identity], protocols: Server.protocols)
        }
        var configuration = DemoIssuerConfiguration(address: .tcp(host: String(listen[..<colon]), port: port), tls: tls)
        configuration.clients = (options["--client"] ?? "").split(separator: ",").compactMap { text in
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            return parts.count == 2 ? DemoClient(id: parts[0], secret: Secret(parts[1])) : nil
        }
        return configuration
    }
}
