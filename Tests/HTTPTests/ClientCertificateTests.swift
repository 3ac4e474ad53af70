import SwitchyardCrypto
import SwitchyardHTTP
import SwitchyardTLS
import Testing

@Suite("TLS client certificates", .timeLimit(.minutes(1))) struct ClientCertificateTests {
    private let certificates: TestCertificates

    init() throws {
        certificates = try TestCertificates()
    }

    private func context(requests: Bool = true) throws -> ServerContext {
        try ServerContext(
            identities: [certificates.identity("a.example"), certificates.identity("b.example")],
            protocols: Server.protocols, requestsClientCertificate: requests)
    }

    /// Says of each request what its connection's client has shown, and whether one of `anchors` vouches for it.
    private func server(_ anchors: CertificateFiles..., context: ServerContext? = nil) throws -> TestServer {
        let trust = try TrustAnchors(pem: anchors.map { try certificates.pem($0) })
        return try TestServer(context: context ?? self.context()) { request in
            guard let certificate = request.connection.clientCertificate else {
                return Response(.ok, body: .bytes(Array("verdict: none".utf8)))
            }
            return Response(.ok, body: .bytes(Array("verdict: \(trust.vouch(for: certificate))".utf8)))
        }
    }

    private func visit(
        _ server: TestServer, _ client: CertificateFiles? = nil, _ options: [String] = ["-tls1_3"]
    ) throws -> String {
        let shown = client.map { ["-cert", $0.certificateChain, "-key", $0.privateKey] } ?? []
        let words = ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-ign_eof"] + shown + options
        return try Command.run(words, input: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").text
    }

    @Test(
        "a client may show a certificate or none; both are served, by name too",
        arguments: ["-tls1_2", "-tls1_3"], ["a.example", "b.example"])
    func requested(version: String, name: String) throws {
        let client = try certificates.issued("client")
        let server = try server(client)
        #expect(try visit(server, client, [version, "-servername", name]).contains("verdict: true"))
        #expect(try visit(server, nil, [version, "-servername", name]).contains("verdict: none"))
    }

    @Test("a client is asked only where the context says so", arguments: ["-tls1_2", "-tls1_3"])
    func notRequested(version: String) throws {
        let client = try certificates.issued("client")
        let server = try server(client, context: context(requests: false))
        #expect(try visit(server, client, [version, "-msg"]).contains("verdict: none"))
        #expect(try !visit(server, client, [version, "-msg"]).contains("CertificateRequest"))
    }

    @Test("a plain connection shows nothing")
    func plain() throws {
        let server = try TestServer { request in
            Response(.ok, body: .bytes(Array("\(request.connection.clientCertificate == nil)".utf8)))
        }
        let client = try TestClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readAnswer().body == "true")
    }

    @Test("a certificate counts when it is listed itself, or was issued by one that is")
    func vouchedFor() throws {
        let root = try certificates.issued("root", isAuthority: true)
        let middle = try certificates.issued("middle", by: root, isAuthority: true)
        let leaf = try certificates.issued("leaf", by: middle)
        let other = try certificates.issued("other", isAuthority: true)
        let sends = ["-tls1_3", "-cert_chain", middle.certificateChain]
        // The leaf alone, without its issuers; the one above it without the root; the root, when the client fills in.
        #expect(try visit(server(leaf), leaf).contains("verdict: true"))
        #expect(try visit(server(middle), leaf).contains("verdict: true"))
        #expect(try visit(server(other, root), leaf, sends).contains("verdict: true"))
        #expect(try visit(server(root), leaf).contains("verdict: false"))
        #expect(try visit(server(other), leaf, sends).contains("verdict: false"))
    }

    @Test("a sibling of a listed certificate, or one of the same name, does not count")
    func siblings() throws {
        let root = try certificates.issued("root", isAuthority: true)
        let (listed, sibling) = (try certificates.issued("one", by: root), try certificates.issued("two", by: root))
        #expect(try visit(server(listed), sibling).contains("verdict: false"))
        let namesake = try TestCertificates()
        #expect(
            try visit(server(listed), namesake.issued("one", by: namesake.issued("root", isAuthority: true)))
                .contains("verdict: false"))
        // A client's certificate without the right of an authority vouches for no other.
        #expect(try visit(server(listed), certificates.issued("below", by: listed)).contains("verdict: false"))
    }

    @Test("an expired one, one for servers, and one with a weak key do not count, even when listed")
    func unfit() throws {
        let root = try certificates.issued("root", isAuthority: true)
        let expired = try certificates.issued("expired", by: root, days: -1)
        let expiredRoot = try certificates.issued("expired-root", days: -1, isAuthority: true)
        for client in [
            expired, try certificates.issued("below-expired", by: expiredRoot),
            try certificates.issued("for-servers", by: root, usage: "serverAuth"),
            try certificates.issued("weak", by: root, key: ["rsa:1024"]),
        ] {
            let server = try server(root, expiredRoot)
            // This client has no scruples about its own key.
            let text = try visit(server, client, ["-tls1_3", "-cipher", "DEFAULT@SECLEVEL=0"])
            #expect(text.contains("verdict: false"))
            // The next one is judged by itself.
            #expect(try visit(server, certificates.issued("good", by: root)).contains("verdict: true"))
        }
        #expect(try visit(server(expired), expired).contains("verdict: false"))
        let anyUse = try certificates.issued("any-use", by: root, usage: nil)
        #expect(try visit(server(root), anyUse).contains("verdict: true"))
    }

    @Test("a client that cannot prove its key is refused in the handshake, and the next is served")
    func wrongKey() throws {
        let (one, two) = (try certificates.issued("one"), try certificates.issued("two"))
        let server = try server(one)
        let thief = CertificateFiles(certificateChain: one.certificateChain, privateKey: two.privateKey)
        #expect(try !visit(server, thief).contains("verdict: true"))
        #expect(try visit(server, one).contains("verdict: true"))
    }

    @Test("a client's key that is another certificate's is named before it connects anywhere")
    func foreignKey() throws {
        let (one, two) = (try certificates.issued("one"), try certificates.issued("two"))
        let files = CertificateFiles(certificateChain: one.certificateChain, privateKey: two.privateKey)
        let failure = #expect(throws: TLSError.self) { try ClientContext(identity: files) }
        #expect("\(try #require(failure))".contains(two.privateKey))
    }

    @Test("a chain of impossible length is refused in the handshake, and the next client is served")
    func endlessChain() throws {
        let client = try certificates.issued("client")
        let server = try server(client)
        let pem = try certificates.pem(client)
        let chain = certificates.file("chain.pem")
        // In DER each is about three quarters of its PEM; together they are well above 32 KiB.
        try certificates.write(chain, String(repeating: String(decoding: pem, as: UTF8.self), count: 150))
        for version in ["-tls1_2", "-tls1_3"] {
            #expect(try !visit(server, client, [version, "-cert_chain", chain]).contains("verdict"))
            #expect(try visit(server, client, [version]).contains("verdict: true"))
        }
    }

    @Test("a new context begins to ask, and stops to ask")
    func reload() throws {
        let client = try certificates.issued("client")
        let server = try server(client, context: context(requests: false))
        #expect(try visit(server, client).contains("verdict: none"))
        server.server.replaceContext(ofListener: 7, with: try context())
        #expect(try visit(server, client).contains("verdict: true"))
        server.server.replaceContext(ofListener: 7, with: try context(requests: false))
        #expect(try visit(server, client).contains("verdict: none"))
    }

    @Test(
        "trust anchors need a certificate in every file, and each readable",
        arguments: [
            "", "words", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "-----BEGIN CERTIFICATE-----\n",
        ])
    func badAnchors(text: String) throws {
        let good = try certificates.pem(certificates.issued("good"))
        #expect(throws: TLSError.self) { try TrustAnchors(pem: [Array(text.utf8)]) }
        #expect(throws: TLSError.self) { try TrustAnchors(pem: [good, Array(text.utf8)]) }
        // Text behind the last certificate is ignored; half a certificate is an error.
        let isBroken = text.hasPrefix("-----")
        let anchors = try? TrustAnchors(pem: [good + Array(text.utf8)])
        #expect((anchors == nil) == isBroken)
    }
}
