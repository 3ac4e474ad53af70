import SwitchyardConfiguration
import SwitchyardCrypto
import SwitchyardRouting
import Testing

@Suite("Listeners") struct ListenTests {
    @Test(
        "an address is read into its type",
        arguments: [
            ("127.0.0.1:8443", "127.0.0.1:8443"), ("'[::1]:0'", "[::1]:0"), ("'[::]:443'", "[::]:443"),
            ("unix:/run/x.sock", "unix:/run/x.sock"), ("unix:x.sock", "unix:/nonexistent/x.sock"),
        ])
    func address(written: String, expected: String) throws {
        let configuration = try Sample(listen: "[{ address: \(written), serve: [api] }]").configuration()
        #expect(configuration.listeners.map(\.address.description) == [expected])
        #expect(configuration.listeners.map(\.serve) == [[.api]])
    }

    @Test(
        "an address that is not one is refused",
        arguments: [
            "localhost:1", "127.0.0.1", "127.0.0.1:65536", "'127.0.0.1:'", "'::1:80'", "'[127.0.0.1]:80'", "':80'",
            "'*:80'", "127.0.0.1:080", "unix:/run/", "'unix:'", "unix:/\(String(repeating: "x", count: 107))",
        ])
    func wrongAddress(written: String) {
        let outcome = Sample(listen: "[{ address: \(written), serve: [api] }]").load()
        #expect(outcome.hasOnlyError(containing: "write address: 127.0.0.1:8443"), "\(outcome.errors)")
    }

    @Test("a Unix socket has a mode and a group")
    func unix() throws {
        let listen =
            "[{ address: 'unix:/a', mode: '0600', group: www, serve: [api] }, { address: 'unix:/b', serve: [api] }]"
        #expect(
            try Sample(listen: listen).configuration().listeners.map(\.address) == [
                .unix(path: "/a", mode: 0o600, group: "www"), .unix(path: "/b", mode: 0o660, group: nil),
            ])
    }

    @Test(
        "what cannot stand together is refused",
        arguments: [
            ("[]", "an empty list of listeners"),
            ("[{ address: '127.0.0.1:1', serve: [] }]", "serves nothing"),
            ("[{ address: '127.0.0.1:1', serve: [callback] }]", "did you mean \"callbacks\"?"),
            ("[{ address: '127.0.0.1:1' }]", "\"serve\" is missing"),
            ("[{ serve: [api] }]", "\"address\" is missing"),
            ("[{ address: '127.0.0.1:1', mode: '0600', serve: [api] }]", "\"mode\" has no meaning here"),
            ("[{ address: 'unix:/a', mode: '0999', serve: [api] }]", "octal"),
            ("[{ address: 'unix:/a', mode: '7777', serve: [api] }]", "octal"),
            (
                "[{ address: '127.0.0.1:1', serve: [api] }, { address: '127.0.0.1:1', serve: [admin] }]",
                "a second listener"
            ),
            (
                "[{ address: 'unix:/tmp/a', serve: [api] }, { address: 'unix:/tmp/./a', mode: '0600', serve: [admin] }]",
                "a second listener on unix:/tmp/./a, where unix:/tmp/a is on line"
            ),
            (
                "[{ address: '127.0.0.1:1', serve: [api] }, { address: '0.0.0.0:1', serve: [callbacks] }]",
                "a second listener on 0.0.0.0:1"
            ),
            ("[{ address: '[::]:1', serve: [api] }, { address: '[::1]:1', serve: [admin] }]", "a second listener"),
            ("[{ address: '127.0.0.1:1', tls: [], serve: [api] }]", "an empty list of certificates"),
        ])
    func refused(listen: String, words: String) {
        let outcome = Sample(listen: listen).load()
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
    }

    @Test(
        "admin is served on loopback and Unix sockets only",
        arguments: [
            ("127.0.0.1:1", true), ("'[::1]:1'", true), ("unix:/a", true), ("0.0.0.0:1", false), ("10.0.0.1:1", false),
            ("'[::]:1'", false),
        ])
    func admin(address: String, isFine: Bool) {
        let outcome = Sample(listen: "[{ address: \(address), serve: [admin] }]").load()
        #expect(
            isFine ? outcome.configuration != nil : outcome.hasOnlyError(containing: "serves admin to other machines"))
    }

    @Test("plain text beyond this machine gets a warning", arguments: [("0.0.0.0:1", true), ("127.0.0.1:1", false)])
    func plainText(address: String, isWarned: Bool) {
        let outcome = Sample(listen: "[{ address: '\(address)', serve: [callbacks] }]").load()
        #expect(outcome.warnings.contains { $0.contains("in plain text") } == isWarned)
    }

    @Test("TLS is one certificate or a list of them, relative to the file", arguments: [false, true])
    func tls(isList: Bool) throws {
        let directory = try TemporaryDirectory()
        try directory.write("s.pem")
        try directory.write("s.key")
        let files = "{ certificate: s.pem, key: s.key }"
        let configuration = try Sample(
            listen: "[{ address: '0.0.0.0:1', tls: \(isList ? "[\(files)]" : files), serve: [api] }]"
        ).configuration(in: directory)
        #expect(configuration.listeners[0].tls.map(\.certificateChain) == ["\(directory.path)/s.pem"])
        #expect(configuration.listeners[0].tls.map(\.privateKey) == ["\(directory.path)/s.key"])
    }

    @Test("a certificate that is not there is an error")
    func missingCertificate() throws {
        let directory = try TemporaryDirectory()
        try directory.write("s.key")
        let outcome = Sample(
            listen: "[{ address: '0.0.0.0:1', tls: { certificate: s.pem, key: s.key }, serve: [api] }]"
        )
        .load(in: directory)
        #expect(
            outcome.hasOnlyError(containing: "s.pem cannot be read: No such file or directory"), "\(outcome.errors)")
    }
}
