import SwitchyardConfiguration
import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("Who may begin") struct BeginFromTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func load(_ beginFrom: String, listen: String = Sample().listen) -> LoadOutcome {
        Sample(listen: listen, apps: "[{ \(Sample.app), client_secret: s, begin_from: \(beginFrom) }]").load(
            in: directory)
    }

    private static let one = "0123456789abcdefghijkl"
    private static let two = "another-key-of-32-characters-000"

    @Test(
        "each line of an API key file is a key, of which only the digest is kept",
        arguments: [
            (one, [one]), ("\(one)\n", [one]), ("\(one)\r\n\(two) \t\r\n\n", [one, two]), ("\n\n\(two)\n", [two]),
        ])
    func keys(content: String, expected: [String]) throws {
        try directory.write("key", content)
        let outcome = load("{ api_key_file: key }")
        let beginFrom = try #require(outcome.configuration?.apps.first?.beginFrom, "\(outcome.errors)")
        #expect(beginFrom == BeginFrom(apiKeyHashes: expected.map { SHA256Digest(of: $0) }))
    }

    @Test(
        "a key that is too short, or that no header can carry, is refused and never shown",
        arguments: [
            ("hunter2", "line 1 of"), ("\(one)\nhunter2", "line 2 of"),
            ("hunter2 hunter2 hunter2 hunter2", "line 1 of"),
            ("hunter2-hunter2-hunter2-ä", "line 1 of"), (" hunter2-hunter2-hunter2-", "line 1 of"),
            ("", "no API key"), (" \n\r\n", "no API key"), ("hunter2-hunter2-hunte", "at least 22"),
        ])
    func wrongKeys(content: String, words: String) throws {
        try directory.write("key", content)
        let outcome = load("{ api_key_file: key }")
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
        #expect(!outcome.errors.contains { $0.contains("hunter2") || $0.contains(Self.one) })
    }

    @Test("a key file that everybody can read gets a warning")
    func worldReadable() throws {
        try directory.write("key", Self.one, mode: 0o644)
        try directory.letAllIn()
        #expect(load("{ api_key_file: key }").warnings.contains { $0.contains("everybody on this machine can read") })
    }

    private static let tls = "[{ address: '0.0.0.0:8444', tls: { certificate: c, key: k }, serve: [api] }]"

    private func writeCertificates() throws {
        try directory.write("c")
        try directory.write("k")
        try directory.write("client.pem", SampleCertificate.pem)
    }

    @Test("certificate files are read and kept, several certificates in one too")
    func certificates() throws {
        try writeCertificates()
        try directory.write("many.pem", SampleCertificate.pem + "\nsome words\n" + SampleCertificate.pem)
        let outcome = load("{ client_certificates: [client.pem, many.pem] }", listen: Self.tls)
        let files = try #require(outcome.configuration?.apps.first?.beginFrom?.clientCertificates, "\(outcome.errors)")
        #expect(files.map(\.path) == ["\(directory.path)/client.pem", "\(directory.path)/many.pem"])
        #expect(files.map(\.pem).first == Array(SampleCertificate.pem.utf8))
        #expect(!outcome.warnings.contains { $0.contains("client") }, "\(outcome.warnings)")
    }

    @Test(
        "a file without a certificate, or with a broken one, is refused",
        arguments: [
            ("no certificate\n", "there is no certificate in it"), ("", "there is no certificate in it"),
            (SampleCertificate.pem.replacing("MII", with: "AAA"), "cannot be read"),
            (String(SampleCertificate.pem.dropLast(40)), "cannot be read"),
            (SampleCertificate.pem + SampleCertificate.pem.replacing("MII", with: "AAA"), "cannot be read"),
        ])
    func wrongCertificates(content: String, words: String) throws {
        try directory.write("bad.pem", content)
        let outcome = load("{ client_certificates: [bad.pem] }")
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
        #expect(load("{ client_certificates: [missing.pem] }").hasOnlyError(containing: "cannot be read"))
    }

    @Test("a private key beside a certificate gets a warning")
    func privateKey() throws {
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        try writeCertificates()
        try directory.write("both.pem", SampleCertificate.pem + key)
        let outcome = load("{ client_certificates: [both.pem] }", listen: Self.tls)
        #expect(outcome.warnings.contains { $0.contains("holds a private key") }, "\(outcome.errors)")
    }

    @Test("certificates that no listener asks for, or that browsers are asked for too, get a warning")
    func listeners() throws {
        try writeCertificates()
        let value = "{ client_certificates: [client.pem] }"
        #expect(load(value).warnings.contains { $0.contains("(app1) that nobody can show") })
        let shared = Self.tls.replacing("[api]", with: "[callbacks, api]")
        #expect(load(value, listen: shared).warnings.contains { $0.contains("browsers may ask people to choose one") })
        #expect(!load("{ uids: [1] }", listen: shared).warnings.contains { $0.contains("client certificates") })
    }

    @Test(
        "an app with client authentication may name any of the ways",
        arguments: [
            "{ uids: [1] }", "{ networks: [10.0.0.0/8] }", "{ client_certificates: [client.pem] }",
            "{ api_key_file: key }",
        ])
    func anyWay(value: String) throws {
        try writeCertificates()
        try directory.write("key", Self.one)
        #expect(load(value).configuration != nil, "\(load(value).errors)")
    }

    @Test("a file of apps_directory takes keys and certificates from beside itself only")
    func appsDirectory() throws {
        try directory.write("outer", Self.one)
        try directory.write("client.pem", SampleCertificate.pem)
        try directory.write("apps.d/key", Self.one)
        try directory.write("apps.d/own.pem", SampleCertificate.pem)
        let sample = Sample(more: "apps_directory: apps.d")
        for (value, isFine) in [
            ("api_key_file: key", true), ("api_key_file: ../outer", false), ("client_certificates: [own.pem]", true),
            ("client_certificates: [../client.pem]", false),
        ] {
            try directory.write(
                "apps.d/a.yaml", "apps: [{ id: a, issuer: contoso, client_id: a, begin_from: { \(value) } }]")
            let outcome = sample.load(in: directory)
            #expect(
                isFine ? outcome.configuration != nil : outcome.hasOnlyError(containing: "is not beside this file"),
                "\(value): \(outcome.errors)")
        }
    }

    @Test("check says who may begin, without a key")
    func report() throws {
        try writeCertificates()
        try directory.write("key", "\(Self.one)\n\(Self.two)")
        let value = "{ uids: [7], networks: [10.0.0.0/8], client_certificates: [client.pem], api_key_file: key }"
        let configuration = try #require(load(value, listen: Self.tls).configuration)
        let text = CheckReport(configuration, warnings: []).description
        #expect(
            text.contains(
                "begin: only user 7, 10.0.0.0/8, or who shows a TLS client certificate that "
                    + "\(directory.path)/client.pem vouches for, or who has one of 2 API keys"), "\(text)")
        #expect(!text.contains(Self.one) && !text.contains(Self.two))
    }
}
