import SwitchyardConfiguration
import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("The folder of apps") struct AppsDirectoryTests {
    private let directory: TemporaryDirectory
    private let sample = Sample(more: "apps_directory: apps.d")

    init() throws { directory = try TemporaryDirectory() }

    private static func app(_ id: String, _ more: String = "") -> String {
        "apps: [{ id: \(id), issuer: contoso, client_id: \(id), release: none\(more) }]"
    }

    @Test("the apps of every YAML file are added, in the order of the names")
    func files() throws {
        try directory.write("apps.d/b.yml", Self.app("b"))
        try directory.write("apps.d/a.yaml", Self.app("a"))
        try directory.write("apps.d/.hidden.yaml", "not: read")
        try directory.write("apps.d/secret", "not read")
        #expect(try sample.configuration(in: directory).apps.map(\.id.text) == ["app1", "a", "b"])
    }

    @Test(
        "a file holds apps and nothing else",
        arguments: [
            "issuers: [{ name: evil, issuer: 'https://evil.com' }]", "listen: []", "public_url: 'https://evil.com'",
            "apps_directory: /etc", "encryption_keys: []", "limits: {}",
        ])
    func onlyApps(line: String) throws {
        try directory.write("apps.d/a.yaml", Self.app("a") + "\n" + line)
        let outcome = sample.load(in: directory)
        #expect(outcome.hasOnlyError(containing: "apps.d/a.yaml:2:1: unknown key"), "\(outcome.errors)")
    }

    @Test("a file takes no environment variable")
    func environment() throws {
        try directory.write("apps.d/a.yaml", Self.app("a", ", name: '${HOME}'"))
        let outcome = sample.load(in: directory, environment: ["HOME": "/root"])
        #expect(outcome.hasOnlyError(containing: "an environment variable in a file of apps_directory"))
    }

    private static let secret = ", begin_from: { uids: [1] }, client_secret_file: "

    @Test("a secret beside the file is taken, also through a link that stays there")
    func secretBeside() throws {
        try directory.write("apps.d/one", "hunter2")
        try directory.link("apps.d/alias", to: "one")
        for name in ["one", "alias"] {
            try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + name))
            let app = try sample.configuration(in: directory).routes.app("a")
            #expect(app?.clientAuthentication == .clientSecretBasic(Secret("hunter2")))
        }
    }

    @Test("a secret anywhere else is refused", arguments: ["../outer", "sub/../one", "/etc/hostname", "leak"])
    func secretElsewhere(path: String) throws {
        try directory.write("outer", "hunter2")
        try directory.write("apps.d/one", "hunter2")
        try directory.link("apps.d/leak", to: "../outer")
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + path))
        let outcome = sample.load(in: directory)
        #expect(outcome.hasOnlyError(containing: "is not beside this file"), "\(outcome.errors)")
    }

    @Test("an app of the folder and one of the main file do not share a redirect URI")
    func conflict() throws {
        try directory.write("apps.d/a.yaml", Self.app("a", ", redirect_uris: ['https://login.contoso.com/a']"))
        let outcome = sample.load(in: directory)
        #expect(outcome.hasOnlyError(containing: "apps.d/a.yaml:1:"), "\(outcome.errors)")
        #expect(outcome.hasOnlyError(containing: "the other is at test.yaml:4:"), "\(outcome.errors)")
    }

    @Test("a folder that is not there is an error")
    func missing() {
        #expect(sample.load(in: directory).hasOnlyError(containing: "apps.d cannot be read"))
    }
}
