import Testing

@testable import SwitchyardConfiguration

@Suite("Files that are watched") struct WatchedFilesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func read(_ more: String) throws -> WatchedFiles {
        try #require(Sample(more: more).load(in: directory).source).files
    }

    @Test("a file that is written anew is another, and what only lies beside it is not looked at")
    func changed() throws {
        try directory.write("key", String(repeating: "ab", count: 32))
        let files = try read("encryption_keys: [{ id: k1, key_file: key }]")
        #expect(files.paths == ["\(directory.path)/key"])
        try directory.write("other")
        #expect(files.changed() == [])
        try directory.write("key", String(repeating: "abc", count: 32))
        #expect(files.changed() == ["\(directory.path)/key"])
        #expect(files.adding(WatchedFiles()).changed() == ["\(directory.path)/key"])
        #expect(WatchedFiles().adding(files).changed() == [])
    }

    @Test("a file that could not be read is waited for")
    func missing() throws {
        let files = try read("encryption_keys: [{ id: k1, key_file: key }]")
        #expect(files.changed() == [])
        try directory.write("key")
        #expect(files.changed() == ["\(directory.path)/key"])
    }

    @Test("a folder of apps is another with another file of apps in it, and not with anything else")
    func folder() throws {
        try directory.write("apps.d/a.yaml", "apps: []")
        let files = try read("apps_directory: apps.d")
        #expect(files.paths == ["\(directory.path)/apps.d", "\(directory.path)/apps.d/a.yaml"])
        try directory.write("apps.d/.a.yaml.swp")
        try directory.write("apps.d/secret")
        #expect(files.changed() == [])
        try directory.write("apps.d/b.yaml", "apps: []")
        #expect(files.changed() == ["\(directory.path)/apps.d"])
    }

    @Test("it is watched where the file is, where a link to it stands, and where something is missing")
    func places() throws {
        try directory.write("first/file")
        try directory.link("current", to: "first")
        try directory.link("link", to: "current/file")
        var files = WatchedFiles()
        files.note("\(directory.path)/link", nil)
        #expect(files.places() == [directory.path, "\(directory.path)/first"])
        files.note("\(directory.path)/none/of/this", nil)
        #expect(files.places() == [directory.path, "\(directory.path)/first"])
        files.note("\(directory.path)/first/none", nil)
        #expect(files.places() == [directory.path, "\(directory.path)/first"])
    }

    @Test("links in a circle come to an end")
    func circle() throws {
        try directory.link("a", to: "b")
        try directory.link("b", to: "a")
        var files = WatchedFiles()
        files.note("\(directory.path)/a", nil)
        #expect(files.places() == [directory.path])
    }

    @Test("the time that a stopping gateway has can be set", arguments: [("", 30), ("stop_timeout: 5s", 5)])
    func stopTimeout(line: String, seconds: Int) throws {
        #expect(try Sample(more: line).configuration().stopTimeout == .seconds(seconds))
    }
}
