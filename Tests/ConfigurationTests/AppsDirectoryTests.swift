import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@testable import SwitchyardConfiguration

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

    @Test("a secret beside the file is taken")
    func secretBeside() throws {
        try directory.write("apps.d/one", "hunter2")
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + "one"))
        let app = try sample.configuration(in: directory).routes.app("a")
        #expect(app?.clientAuthentication == .clientSecretBasic(Secret("hunter2")))
    }

    @Test("a secret anywhere else is refused", arguments: ["../outer", "sub/../one", "/etc/hostname", "..", "./one"])
    func secretElsewhere(path: String) throws {
        try directory.write("outer", "hunter2")
        try directory.write("apps.d/one", "hunter2")
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + path))
        let outcome = sample.load(in: directory)
        #expect(outcome.hasOnlyError(containing: "is not beside this file"), "\(outcome.errors)")
    }

    @Test(
        "a link is not followed, wherever it leads: a secret",
        arguments: ["../outer", "one", "/etc/hostname", "nothing"])
    func linkedSecret(target: String) throws {
        try directory.write("outer", "hunter2")
        try directory.write("apps.d/one", "hunter2")
        try directory.link("apps.d/leak", to: target)
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + "leak"))
        let outcome = sample.load(in: directory)
        #expect(
            outcome.hasOnlyError(containing: "apps.d/leak cannot be read: it is a symbolic link"), "\(outcome.errors)")
    }

    @Test("a link is not followed: a file of apps")
    func linkedFile() throws {
        try directory.write("outer.yaml", Self.app("a"))
        try directory.write("apps.d/b.yaml", Self.app("b"))
        try directory.link("apps.d/a.yaml", to: "../outer.yaml")
        let outcome = sample.load(in: directory)
        #expect(
            outcome.hasOnlyError(containing: "apps.d/a.yaml cannot be read: it is a symbolic link"), "\(outcome.errors)"
        )
    }

    @Test("a second name of a file elsewhere is no file of the team's")
    func hardLink() throws {
        try directory.write("outer", "hunter2")
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + "leak"))
        try directory.hardLink("apps.d/leak", to: "outer")
        let outcome = sample.load(in: directory)
        #expect(outcome.hasOnlyError(containing: "it has another name too (a hard link)"), "\(outcome.errors)")
        try directory.write("outer.yaml", Self.app("b"))
        try directory.hardLink("apps.d/b.yaml", to: "outer.yaml")
        #expect(
            sample.load(in: directory).errors.contains { $0.contains("apps.d/b.yaml cannot be read: it has another") })
    }

    @Test("what everybody can change is not believed: a file, a secret, the folder")
    func worldWritable() throws {
        try directory.write("apps.d/a.yaml", Self.app("a"), mode: 0o666)
        #expect(sample.load(in: directory).hasOnlyError(containing: "a.yaml cannot be read: everybody on this machine"))
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + "one"), mode: 0o600)
        try directory.write("apps.d/one", "hunter2", mode: 0o606)
        #expect(sample.load(in: directory).hasOnlyError(containing: "one cannot be read: everybody on this machine"))
        try directory.write("apps.d/one", "hunter2", mode: 0o600)
        try directory.allow("apps.d", mode: 0o1777)
        #expect(sample.load(in: directory).hasOnlyError(containing: "everybody on this machine can put apps into"))
    }

    @Test(
        "a team's file takes its team's secrets, and the operator's, and no other team's",
        arguments: [
            (1001, 1001, true), (1001, 1002, false), (1001, 0, true), (1001, 990, true), (0, 1002, true),
            (990, 1002, true),
        ] as [(UInt32, UInt32, Bool)])
    func owners(file: UInt32, secret: UInt32, isAllowed: Bool) throws {
        try directory.write("apps.d/one", "x")
        let team = TeamDirectory(try OpenDirectory("\(directory.path)/apps.d"), owner: file, operators: [0, 990])
        let contents = FileSystem.Contents(
            bytes: [], owner: secret, isWorldReadable: false, isWorldWritable: false, hasOtherNames: false)
        #expect((team.fault(of: contents) == nil) == isAllowed)
    }

    @Test("what is opened is what the folder was, whatever its name leads to afterwards")
    func openedOnce() throws {
        try directory.write("apps.d/one", "mine")
        let open = try OpenDirectory("\(directory.path)/apps.d")
        try directory.rename("apps.d", to: "moved")
        try directory.write("apps.d/one", "another's")
        #expect(try open.read("one", maximum: 100).bytes == Array("mine".utf8))
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
