import SwitchyardConfiguration
import SwitchyardRouting
import Testing

@Suite("Who may relay") struct RelayFromTests {
    private func load(_ keys: String, uris: String = "'x-app://cb'") -> LoadOutcome {
        Sample(apps: "[{ id: a, issuer: contoso, client_id: x, redirect_uris: [\(uris)], \(keys) }]").load()
    }

    @Test("users and networks are kept")
    func kept() {
        let outcome = load("release: none, relay_from: { uids: [1000, 0], networks: [10.0.0.0/8] }")
        let expected = RelayFrom(uids: [1000, 0], networks: [Network("10.0.0.0/8")].compactMap { $0 })
        #expect(outcome.configuration?.apps.map(\.relayFrom) == [expected], "\(outcome.errors)")
        #expect(load("release: none").configuration?.apps.map(\.relayFrom) == [nil])
    }

    @Test(
        "a wrong one is refused",
        arguments: [
            ("{}", "lets nobody relay"), ("{ uids: [] }", "lets nobody relay"),
            ("{ uids: [root] }", "a user ID as a number"),
            ("{ networks: [10.0.0.1/8] }", "no bits behind"), ("[1]", "a list where a mapping belongs"),
            ("{ uids: [1], api_key_file: x }", "unknown key \"api_key_file\""),
        ])
    func refused(value: String, words: String) {
        let outcome = load("release: none, relay_from: \(value)")
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
    }

    @Test("an app of https redirect URIs has nothing to relay")
    func nothingToRelay() {
        let outcome = load("relay_from: { uids: [1] }", uris: "'https://login.contoso.com/a'")
        #expect(outcome.hasOnlyError(containing: "nothing to relay"), "\(outcome.errors)")
        #expect(load("relay_from: { uids: [1] }", uris: "'http://127.0.0.1/cb'").configuration != nil)
    }

    @Test("networks get a warning where only a Unix socket counts", arguments: [("code", true), ("none", false)])
    func networksInVain(release: String, isWarned: Bool) {
        let outcome = load("release: \(release), relay_from: { networks: [10.0.0.0/8] }")
        #expect(outcome.warnings.contains { $0.contains("nobody can relay over a network") } == isWarned)
    }
}
