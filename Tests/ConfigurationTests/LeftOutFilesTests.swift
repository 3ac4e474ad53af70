import SwitchyardRouting
import Testing

@testable import SwitchyardConfiguration

/// A faulty file of `apps_directory` costs only its own apps.
@Suite("Files that are left out") struct LeftOutFilesTests {
    private let directory: TemporaryDirectory
    private let sample = Sample(more: "apps_directory: apps.d")

    init() throws {
        directory = try TemporaryDirectory()
        try directory.makeFolder("apps.d")
    }

    private static func app(_ id: String, _ uri: String? = nil, _ more: String = "release: none", client: String? = nil)
        -> String
    {
        "apps: [{ id: \(id), issuer: contoso, client_id: \(client ?? id), "
            + "redirect_uris: ['https://login.contoso.com/\(uri ?? id)'], \(more) }]"
    }

    private func load(_ sample: Sample? = nil, after earlier: LoadOutcome? = nil) -> LoadOutcome {
        Configuration.load(
            text: (sample ?? self.sample).text, file: "test.yaml", directory: directory.path, environment: [:],
            looksAtMachine: false, leavesFaultyOut: true, after: earlier?.source)
    }

    private func ids(_ outcome: LoadOutcome) -> [String]? { outcome.configuration?.apps.map(\.id.text) }

    private func leftOut(_ outcome: LoadOutcome) -> [String] {
        guard case .usable(let loaded) = outcome else { return ["refused"] }
        return loaded.leftOut.map {
            ($0.servesEarlierVersion ? "earlier " : "") + ($0.file.split(separator: "/").last ?? "")
        }
    }

    @Test(
        "a file with a mistake is left out, and says which one",
        arguments: [
            "apps: [{ id: b }]", "nonsense", "apps: {", "issuers: []",
            app("b", nil, "release: none, client_secret_file: no.such, begin_from: { uids: [1] }"),
            app("b", nil, "release: none, tenants: [72f988bf-86f1-41af-91ab-2d7cd011db47]"),
            app("b").replacing("issuer: contoso", with: "issuer: unknown"),
        ])
    func mistake(text: String) throws {
        try directory.write("apps.d/a.yaml", Self.app("a", "mail"))
        try directory.write("apps.d/b.yaml", text)
        try directory.write("apps.d/c.yaml", Self.app("c"))
        let outcome = load()
        #expect(ids(outcome) == ["app1", "a", "c"], "\(outcome.diagnostics)")
        #expect(leftOut(outcome) == ["b.yaml"])
        #expect(outcome.warnings.contains { $0.contains("apps.d/b.yaml:") && $0.contains("the file is left out: ") })
        #expect(outcome.source?.files.paths.contains("\(directory.path)/apps.d/b.yaml") == true)
    }

    @Test("the main file wins a conflict, then the earlier name")
    func conflicts() throws {
        try directory.write("apps.d/a.yaml", Self.app("a", "shared"))
        try directory.write("apps.d/b.yaml", Self.app("b", "shared"))
        try directory.write("apps.d/c.yaml", Self.app("app1", "c"))
        try directory.write("apps.d/d.yaml", Self.app("a", "d"))
        try directory.write("apps.d/e.yaml", Self.app("e", "a"))
        try directory.write("apps.d/f.yaml", Self.app("f", nil, "release: code", client: "one"))
        try directory.write("apps.d/g.yaml", Self.app("g"))
        let outcome = load()
        #expect(ids(outcome) == ["app1", "a", "g"], "\(outcome.diagnostics)")
        #expect(leftOut(outcome) == ["b.yaml", "c.yaml", "d.yaml", "e.yaml", "f.yaml"])
    }

    @Test("a conflict with a file that is left out costs nothing")
    func ghosts() throws {
        // a has a mistake of its own; c conflicts with b, which conflicts with the main file.
        try directory.write("apps.d/a.yaml", Self.app("x", "x") + "\nlisten: []")
        try directory.write("apps.d/b.yaml", "apps: [\(Self.item("b1", "a")), \(Self.item("b2", "y"))]")
        try directory.write("apps.d/c.yaml", "apps: [\(Self.item("c1", "x")), \(Self.item("c2", "y"))]")
        let outcome = load()
        #expect(ids(outcome) == ["app1", "c1", "c2"], "\(outcome.diagnostics)")
        #expect(leftOut(outcome) == ["a.yaml", "b.yaml"])
    }

    private static func item(_ id: String, _ uri: String) -> String {
        "{ id: \(id), issuer: contoso, client_id: \(id), release: none, redirect_uris: ['https://login.contoso.com/\(uri)'] }"
    }

    @Test("a redirect URI at the target of an earlier file's app does not break that file")
    func target() throws {
        var sample = sample
        sample.apps =
            "[{ id: app1, issuer: contoso, client_id: one, redirect_uris: ['https://login.contoso.com/a'], "
            + "handler: { redirect: 'https://mail.contoso.com/auth' } }]"
        try directory.write(
            "apps.d/b.yaml",
            Self.app("b").replacing("https://login.contoso.com/b", with: "https://mail.contoso.com/auth"))
        let outcome = load(sample)
        #expect(ids(outcome) == ["app1"], "\(outcome.diagnostics)")
        #expect(leftOut(outcome) == ["b.yaml"])
    }

    @Test("the last good version of a file goes on, until the file is good again or gone")
    func earlierVersion() throws {
        try directory.write("apps.d/b.yaml", Self.app("b"))
        let first = load()
        try directory.write("apps.d/b.yaml", "apps: [{ id: other }]")
        try directory.write("apps.d/c.yaml", Self.app("c"))
        let second = load(after: first)
        #expect(ids(second) == ["app1", "b", "c"], "\(second.diagnostics)")
        #expect(leftOut(second) == ["earlier b.yaml"])
        #expect(second.warnings.contains { $0.contains("the file's last good version stays in use: ") })
        // Again, and what was in use then is still known.
        let third = load(after: second)
        #expect(ids(third) == ["app1", "b", "c"])
        try directory.write("apps.d/b.yaml", Self.app("b2"))
        let fourth = load(after: third)
        #expect(ids(fourth) == ["app1", "b2", "c"])
        #expect(leftOut(fourth) == [])
    }

    @Test("a last good version that no longer fits is left out as well: another file has its URI, its issuer is gone")
    func earlierVersionConflicts() throws {
        try directory.write("apps.d/b.yaml", Self.app("b"))
        let first = load()
        try directory.write("apps.d/b.yaml", "apps: 1")
        try directory.write("apps.d/a.yaml", Self.app("a", "b"))
        let second = load(after: first)
        #expect(ids(second) == ["app1", "a"], "\(second.diagnostics)")
        #expect(leftOut(second) == ["b.yaml"])
        try directory.write("apps.d/a.yaml", Self.app("a"))
        var other = sample
        other.issuers = "[{ name: elsewhere, issuer: 'https://id.contoso.com' }]"
        other.apps = "[]"
        let third = load(other, after: first)
        #expect(ids(third) == [], "\(third.diagnostics)")
        #expect(leftOut(third) == ["a.yaml", "b.yaml"])
    }

    @Test("a fault in the main file refuses all")
    func main() throws {
        try directory.write("apps.d/b.yaml", "apps: 1")
        var sample = sample
        sample.publicURL = "nonsense"
        #expect(load(sample).configuration == nil)
    }

    @Test("hundreds of files that conflict with each other are sorted out in a few attempts")
    func many() throws {
        for number in 100..<300 {
            try directory.write(
                "apps.d/\(number).yaml",
                "apps: [\(Self.item("a\(number)", "u\(number)")), \(Self.item("b\(number)", "u\(number - 1)"))]")
        }
        let outcome = load()
        #expect(outcome.configuration?.apps.count == 201, "\(leftOut(outcome).count)")
    }
}
