import SwitchyardCrypto
import SwitchyardHTTP
import SwitchyardTLS
import Testing

@Suite("TLS", .timeLimit(.minutes(1))) struct TLSTests {
    private let certificates: TestCertificates

    init() throws {
        certificates = try TestCertificates()
    }

    /// One handshake and, if it succeeds, one request.
    private func visit(_ server: TestServer, _ options: [String] = [], name: String? = nil) throws -> String {
        let sni = name.map { ["-servername", $0] } ?? ["-noservername"]
        let words = ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-ign_eof", "-msg"] + sni + options
        return try Command.run(words, input: "GET /secure HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").text
    }

    /// Whether a message with this in its title came from the server.
    private func received(_ text: String, _ title: String) -> Bool {
        text.split(separator: "\n").contains { $0.hasPrefix("<<<") && $0.contains(title) }
    }

    private static let served = "HTTP/1.1 200 OK"

    @Test(
        "TLS 1.2 and 1.3 are spoken, with the suites and groups of the design",
        arguments: [
            ["-tls1_3"], ["-tls1_2"], ["-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"],
            ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-GCM-SHA384"], ["-groups", "X25519"], ["-groups", "P-256"],
            ["-groups", "P-384"], ["-alpn", "http/1.1"], ["-alpn", "h2,http/1.1"],
        ])
    func accepted(options: [String]) throws {
        let server = try TestServer(context: certificates.context("a.example"))
        let text = try visit(server, options)
        #expect(text.contains(Self.served))
        #expect(text.contains("/secure "))
    }

    @Test(
        "AES-128 is chosen whatever the client's order, except ChaCha20 for a client that puts it first",
        arguments: [
            (["-tls1_3"], "TLS_AES_128_GCM_SHA256"),
            (["-ciphersuites", "TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256"], "TLS_AES_128_GCM_SHA256"),
            (["-ciphersuites", "TLS_AES_256_GCM_SHA384"], "TLS_AES_256_GCM_SHA384"),
            (
                ["-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256"],
                "TLS_CHACHA20_POLY1305_SHA256"
            ),
        ])
    func preferredSuite(options: [String], suite: String) throws {
        let server = try TestServer(context: certificates.context("a.example"))
        #expect(try visit(server, options).contains("Cipher is \(suite)\n"))
    }

    @Test(
        "older versions, suites without forward secrecy or AEAD, other groups and protocols are refused",
        arguments: [
            ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1", "-cipher", "ALL:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"], ["-tls1_2", "-cipher", "AES128-GCM-SHA256"],
            ["-groups", "P-521"], ["-alpn", "h2"], ["-alpn", "http/1.0"],
        ])
    func refused(options: [String]) throws {
        let server = try TestServer(context: certificates.context("a.example"))
        let text = try visit(server, options)
        #expect(text.contains("CONNECTED"))
        #expect(!text.contains(Self.served))
        #expect(received(text, "Alert") && received(text, "fatal"))
        // The next client is served.
        #expect(try visit(server).contains(Self.served))
    }

    @Test(
        "the certificate is chosen by the server name; for an unknown or absent one it is the first",
        arguments: [
            ("a.example", "a.example"), ("b.example", "b.example"), ("B.Example", "b.example"),
            ("x.c.example", "*.c.example"), ("x.y.c.example", "a.example"), ("other.example", "a.example"),
            (nil, "a.example"),
        ] as [(String?, String)])
    func serverName(name: String?, subject: String) throws {
        let server = try TestServer(context: certificates.context("a.example", "b.example", "*.c.example"))
        let text = try visit(server, name: name)
        #expect(text.contains("subject=CN = \(subject)\n"))
        #expect(text.contains(Self.served))
    }

    @Test("a connection ends with close_notify", arguments: ["-tls1_2", "-tls1_3"])
    func closeNotify(version: String) throws {
        let server = try TestServer(context: certificates.context("a.example"))
        let text = try visit(server, [version])
        #expect(received(text, "warning close_notify"))
    }

    @Test("new connections get the certificate of a reload, and a request knows that it came over TLS")
    func reload() throws {
        let server = try TestServer(context: certificates.context("old.example")) { request in
            Response(.ok, body: .bytes(Array("secure: \(request.connection.isSecure)".utf8)))
        }
        #expect(try visit(server).contains("subject=CN = old.example\n"))
        server.server.replaceContext(ofListener: 7, with: try certificates.context("new.example"))
        let text = try visit(server)
        #expect(text.contains("subject=CN = new.example\n"))
        #expect(text.contains("secure: true"))
    }

    @Test("a client that speaks no TLS is let go, and the next is served")
    func plainText() throws {
        let server = try TestServer(context: certificates.context("a.example"))
        let client = try TestClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(!client.readToEnd().contains("HTTP/1.1"))
        #expect(try visit(server).contains(Self.served))
    }

    @Test("a handshake that does not go on is given up")
    func slowHandshake() throws {
        var limits = HTTPLimits()
        limits.handshakeTimeout = .milliseconds(1)
        let server = try TestServer(context: certificates.context("a.example"), limits: limits)
        let client = try TestClient(port: server.port)
        client.send([0x16, 0x03, 0x01])
        #expect(client.isAtEnd())
    }

    @Test("a large answer passes whole")
    func largeAnswer() throws {
        let body = [UInt8](repeating: UInt8(ascii: "y"), count: 3_000_000)
        let server = try TestServer(context: certificates.context("a.example")) { _ in
            Response(.ok, body: .bytes(body))
        }
        let text = try visit(server, ["-quiet"])
        #expect(text.contains("Content-Length: 3000000"))
        #expect(text.count { $0 == "y" } >= 3_000_000)
    }

    @Test("a client that wants small records gets no others", arguments: ["-tls1_2", "-tls1_3"])
    func smallRecords(version: String) throws {
        let server = try TestServer(context: certificates.context("a.example")) { _ in
            Response(.ok, body: .bytes([UInt8](repeating: UInt8(ascii: "y"), count: 5000)))
        }
        let lines = try visit(server, [version, "-maxfraglen", "512"]).split(separator: "\n")
        // The five bytes of each header stand in the line below its title, which comes right behind what was received
        // before. A record of application data begins with 17.
        let lengths = zip(lines, lines.dropFirst()).compactMap { title, bytes -> Int? in
            guard title.contains("<<<"), title.contains("RecordHeader") else { return nil }
            let header = bytes.split(separator: " ")
            return header.count == 5 && header[0] == "17" ? Int(header[3] + header[4], radix: 16) : nil
        }
        #expect(lengths.count >= 10)
        // Encryption adds up to 24 bytes.
        #expect(lengths.allSatisfy { $0 <= 512 + 24 })
    }

    @Test("files that cannot be used are an error that names the file")
    func badFiles() throws {
        let (one, other) = (try certificates.identity("a.example"), try certificates.identity("b.example"))
        let missing = certificates.file("missing.pem")
        let cases = [
            (CertificateFiles(certificateChain: missing, privateKey: one.privateKey), missing),
            (CertificateFiles(certificateChain: one.certificateChain, privateKey: missing), missing),
            (CertificateFiles(certificateChain: one.privateKey, privateKey: one.privateKey), one.privateKey),
            (CertificateFiles(certificateChain: one.certificateChain, privateKey: other.privateKey), other.privateKey),
        ]
        for (identity, named) in cases {
            let error = #expect(throws: TLSError.self) {
                try ServerContext(identities: [one, identity], protocols: ["http/1.1"])
            }
            #expect(error?.description.contains("\"\(named)\"") == true)
        }
        #expect(throws: TLSError.self) { try ServerContext(identities: [], protocols: ["http/1.1"]) }
    }
}
