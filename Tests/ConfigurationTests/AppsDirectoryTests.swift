import SwitchyardCrypto
import SwitchyardFiles
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
        let app = try sample.configuration(in: directory).routes.app(named: "a")
        #expect(app?.clientAuthentication == .clientSecretBasic(Secret("hunter2")))
    }

    @Test(
        "a secret anywhere else is refused",
        arguments: ["../outer", "sub/../one", "/etc/hostname", "..", "./one", "sub//one"])
    func secretElsewhere(path: String) throws {
        try directory.write("outer", "hunter2")
        try directory.write("apps.d/one", "hunter2")
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + path))
        let outcome = sample.load(in: directory)
        #expect(outcome.hasOnlyError(containing: "is not beside this file"), "\(outcome.errors)")
    }

    @Test(
        "a link to a secret that leads out of the folder is not followed",
        arguments: ["../outer", "/etc/hostname", "../apps.d/one", "sub/../../outer"])
    func linkedSecret(target: String) throws {
        try directory.write("outer", "hunter2")
        try directory.write("apps.d/one", "hunter2")
        try directory.makeFolder("apps.d/sub")
        try directory.link("apps.d/leak", to: target)
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + "leak"))
        let outcome = sample.load(in: directory)
        #expect(
            outcome.hasOnlyError(containing: "apps.d/leak cannot be read: it is a symbolic link that leads out of"),
            "\(outcome.errors)")
    }

    @Test("a link that leads nowhere, or to itself, ends", arguments: ["nothing", "leak"])
    func brokenLink(target: String) throws {
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + "leak"))
        try directory.link("apps.d/leak", to: target)
        #expect(sample.load(in: directory).hasOnlyError(containing: "apps.d/leak cannot be read"))
    }

    @Test("a link to a file of apps that leads out of the folder is not followed")
    func linkedFile() throws {
        try directory.write("outer.yaml", Self.app("a"))
        try directory.write("apps.d/b.yaml", Self.app("b"))
        try directory.link("apps.d/a.yaml", to: "../outer.yaml")
        let outcome = sample.load(in: directory)
        #expect(
            outcome.hasOnlyError(containing: "apps.d/a.yaml:1:1: it cannot be read: it is a symbolic link"),
            "\(outcome.errors)")
    }

    @Test("links inside the folder are followed, as Kubernetes makes them")
    func volume() throws {
        try directory.makeFolder("apps.d/..2026_1")
        try directory.write("apps.d/..2026_1/a.yaml", Self.app("a", Self.secret + "a.secret"))
        try directory.write("apps.d/..2026_1/a.secret", "hunter2")
        try directory.link("apps.d/..data", to: "..2026_1")
        try directory.link("apps.d/a.yaml", to: "..data/a.yaml")
        try directory.link("apps.d/a.secret", to: "..data/a.secret")
        let app = try sample.configuration(in: directory).routes.app(named: "a")
        #expect(app?.clientAuthentication == .clientSecretBasic(Secret("hunter2")))
    }

    @Test("a secret in a folder beside the file is taken")
    func secretInFolder() throws {
        try directory.makeFolder("apps.d/a")
        try directory.write("apps.d/a/one", "hunter2")
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + "a/one"))
        #expect(
            try sample.configuration(in: directory).routes.app(named: "a")?.clientAuthentication
                != ClientAuthentication.none)
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
            sample.load(in: directory).errors.contains {
                $0.contains("apps.d/b.yaml:1:1: it cannot be read: it has another")
            })
    }

    @Test("a file, a secret and a folder that all users can change do not count")
    func worldWritable() throws {
        try directory.write("apps.d/a.yaml", Self.app("a"), mode: 0o666)
        let remedy = "chmod go-w \(directory.path)/apps.d/a.yaml"
        #expect(sample.load(in: directory).hasOnlyError(containing: "it cannot be read: everybody on this machine"))
        #expect(sample.load(in: directory).hasOnlyError(containing: remedy))
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + "one"), mode: 0o600)
        try directory.write("apps.d/one", "hunter2", mode: 0o606)
        #expect(sample.load(in: directory).hasOnlyError(containing: "one cannot be read: everybody on this machine"))
        try directory.write("apps.d/one", "hunter2", mode: 0o600)
        try directory.allow("apps.d", mode: 0o1777)
        #expect(sample.load(in: directory).hasOnlyError(containing: "everybody on this machine can put apps into"))
    }

    @Test("a file or a secret that its group can change does not count, and one that its group can read does")
    func groupWritable() throws {
        try directory.write("apps.d/a.yaml", Self.app("a", Self.secret + "one"), mode: 0o640)
        try directory.write("apps.d/one", "hunter2", mode: 0o660)
        let outcome = sample.load(in: directory)
        #expect(outcome.hasOnlyError(containing: "one cannot be read: its group can change it"), "\(outcome.errors)")
        #expect(outcome.hasOnlyError(containing: "chmod g-w \(directory.path)/apps.d/one"), "\(outcome.errors)")
        try directory.write("apps.d/one", "hunter2", mode: 0o640)
        #expect(sample.load(in: directory).configuration != nil)
    }

    private static let (kept, open) = (UInt32(0o755), UInt32(0o775))

    /// A file of mode 0600 on a way of folders that root owns, unless it says otherwise.
    private static func found(
        _ names: [String], owner: UInt32, mode: UInt32 = 0o600, folderOwner: UInt32 = 0, folders: UInt32 = kept
    ) -> OpenDirectory.Found {
        OpenDirectory.Found(
            contents: FileSystem.Contents(
                bytes: [], permissions: FilePermissions(owner: owner, group: owner, mode: mode), hasOtherNames: false),
            names: names,
            folders: names.map { _ in FilePermissions(owner: folderOwner, group: 0, mode: folders) })
    }

    @Test(
        "a team's file takes its team's secrets, and no other team's",
        arguments: [
            (1001, 1001, true), (1001, 1002, false), (1001, 0, false), (1001, 990, false), (0, 1002, true),
            (990, 1002, true),
        ] as [(UInt32, UInt32, Bool)])
    func owners(file: UInt32, secret: UInt32, isAllowed: Bool) throws {
        try directory.write("apps.d/one", "x")
        let team = TeamDirectory(
            try OpenDirectory("\(directory.path)/apps.d"), file: "a.yaml", owner: file,
            among: TeamNames(["a.yaml", "b.yaml"]), operators: [0, 990])
        #expect((team.fault(of: Self.found(["one"], owner: secret)) == nil) == isAllowed)
    }

    @Test(
        "an operator's secret is for the team of its name or its folder",
        arguments: [
            (["mail.secret"], "mail"), (["mail.eu.secret"], "mail.eu"), (["mail", "key"], "mail"),
            (["mail", "calendar.key"], "mail"), (["..2026_1", "mail.secret"], "mail"),
            (["..2026_1", "mail", "key"], "mail"), (["shared", "mail.key"], "mail"), (["mailsecret"], nil),
            (["secret.mail."], nil), (["mail"], nil), (["both.key"], nil), ([".mail.secret"], nil),
        ] as [([String], String?)])
    func names(way: [String], team: String?) throws {
        let teams = TeamNames(["mail.yaml", "mail.eu.yml", "calendar.yaml", "both.yaml", "both.yml"])
        #expect(teams.team(of: way) == team)
        try directory.write("apps.d/one", "x")
        let open = try OpenDirectory("\(directory.path)/apps.d")
        for (file, name) in [("mail.yaml", "mail"), ("mail.eu.yml", "mail.eu"), ("calendar.yaml", "calendar")] {
            let own = TeamDirectory(open, file: file, owner: 1001, among: teams, operators: [0])
            #expect((own.fault(of: Self.found(way, owner: 0)) == nil) == (team == name), "\(file)")
        }
    }

    @Test("in a folder where users can rename files, a name proves no owner")
    func renamed() throws {
        try directory.write("apps.d/one", "x")
        let team = TeamDirectory(
            try OpenDirectory("\(directory.path)/apps.d"), file: "a.yaml", owner: 1001, among: TeamNames(["a.yaml"]),
            operators: [0])
        #expect(team.fault(of: Self.found(["a.key"], owner: 0, folders: Self.open)) != nil)
        #expect(team.fault(of: Self.found(["a.key"], owner: 0, folders: Self.open | 0o1000)) == nil)
        #expect(team.fault(of: Self.found(["a", "key"], owner: 0, folderOwner: 1001)) != nil)
    }

    @Test("the folder stays the opened one, also if its name leads elsewhere later")
    func openedOnce() throws {
        try directory.write("apps.d/one", "mine")
        let open = try OpenDirectory("\(directory.path)/apps.d")
        try directory.rename("apps.d", to: "moved")
        try directory.write("apps.d/one", "another's")
        #expect(try open.read("one", maximum: 100).contents.bytes == Array("mine".utf8))
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
