import SwitchyardConfiguration
import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("Client authentication") struct ClientAuthenticationTests {
    @Test(
        "the method follows from the keys",
        arguments: [
            ("", .none), ("token_endpoint_auth_method: none", .none),
            ("client_secret: s", .clientSecretBasic(Secret("s"))),
            ("client_secret: s, token_endpoint_auth_method: client_secret_basic", .clientSecretBasic(Secret("s"))),
            ("client_secret: s, token_endpoint_auth_method: client_secret_post", .clientSecretPost(Secret("s"))),
        ] as [(String, ClientAuthentication)])
    func method(keys: String, expected: ClientAuthentication) throws {
        let app = Sample.app + ", begin_from: { uids: [1] }" + (keys.isEmpty ? "" : ", \(keys)")
        #expect(try Sample(apps: "[{ \(app) }]").configuration().apps[0].clientAuthentication == expected)
    }

    @Test(
        "what does not fit together is refused",
        arguments: [
            ("token_endpoint_auth_method: client_secret_basic", "without a secret"),
            ("token_endpoint_auth_method: none, client_secret: s", "token_endpoint_auth_method is none"),
            ("client_secret: s, client_secret_file: f", "both \"client_secret\" and \"client_secret_file\""),
            ("client_secret: ''", "nothing where a value belongs"),
            ("client_secret_file: missing", "missing cannot be read"),
        ])
    func refused(keys: String, words: String) {
        let outcome = Sample(apps: "[{ \(Sample.app), begin_from: { uids: [1] }, \(keys) }]").load()
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
    }

    @Test("an app with client authentication says who may begin")
    func beginFrom() {
        let outcome = Sample(apps: "[{ \(Sample.app), client_secret: hunter2 }]").load()
        #expect(outcome.hasOnlyError(containing: "write begin_from"), "\(outcome.errors)")
    }

    @Test(
        "a begin_from that lets nobody in, or is no list, is refused",
        arguments: [
            ("{}", "lets nobody begin"), ("{ uids: [] }", "lets nobody begin"),
            ("{ uids: [], networks: [] }", "lets nobody begin"), ("{ uids: [root] }", "a user ID as a number"),
            ("{ uids: [4294967295] }", "a user ID as a number"), ("{ networks: [10.0.0.1/8] }", "no bits behind"),
            ("{ users: [1] }", "unknown key \"users\""),
        ])
    func wrongBeginFrom(value: String, words: String) {
        let outcome = Sample(apps: "[{ \(Sample.app), client_secret: s, begin_from: \(value) }]").load()
        #expect(outcome.configuration == nil)
        #expect(outcome.errors.contains { $0.contains(words) }, "\(outcome.errors)")
    }

    @Test(
        "a secret can stand in a file, whose last line break is dropped",
        arguments: [("hunter2\n", "hunter2"), ("hunter2\r\n", "hunter2"), ("hunter2", "hunter2"), ("a\n\n", "a\n")])
    func file(content: String, expected: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write("secrets/one", content)
        let sample = Sample(apps: "[{ \(Sample.app), client_secret_file: secrets/one, begin_from: { uids: [1] } }]")
        let outcome = sample.load(in: directory)
        #expect(outcome.configuration?.apps.first?.clientAuthentication == .clientSecretBasic(Secret(expected)))
        #expect(!outcome.warnings.contains { $0.contains("chmod") })
    }

    @Test("an empty secret file is refused", arguments: ["", "\n", "\r\n"])
    func emptyFile(content: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write("one", content)
        let sample = Sample(apps: "[{ \(Sample.app), client_secret_file: one, begin_from: { uids: [1] } }]")
        #expect(sample.load(in: directory).hasOnlyError(containing: "is empty"))
    }

    @Test("a secret file that everybody can read gets a warning")
    func worldReadable() throws {
        let directory = try TemporaryDirectory()
        try directory.write("one", "s", mode: 0o644)
        let sample = Sample(apps: "[{ \(Sample.app), client_secret_file: one, begin_from: { uids: [1] } }]")
        // A folder above that shuts all others out keeps them from it.
        #expect(!sample.load(in: directory).warnings.contains { $0.contains("everybody on this machine can read") })
        try directory.letAllIn()
        let outcome = sample.load(in: directory)
        #expect(outcome.configuration != nil)
        #expect(outcome.warnings.contains { $0.contains("everybody on this machine can read") }, "\(outcome.warnings)")
    }
}
