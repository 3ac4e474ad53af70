import SwitchyardConfiguration
import SwitchyardRouting
import Testing

@Suite("Which programs may have an app's tokens") struct UseFromTests {
    private func load(_ keys: String) -> LoadOutcome {
        Sample(apps: "[{ id: a, issuer: contoso, client_id: x, redirect_uris: ['x-app://cb'], \(keys) }]").load()
    }

    @Test("executables and desktop IDs are kept; empty lists let no program pass")
    func kept() {
        let outcome = load("use_from: { executables: [/usr/bin/mail], desktop_ids: [org.x.Mail, org.y.Mail.desktop] }")
        let expected = UseFrom(executables: ["/usr/bin/mail"], desktopIDs: ["org.x.Mail", "org.y.Mail"])
        #expect(outcome.configuration?.apps.map(\.useFrom) == [expected], "\(outcome.errors)")
        #expect(load("use_from: { executables: [] }").configuration?.apps.first?.useFrom?.isNobody == true)
        #expect(load("release: none").configuration?.apps.map(\.useFrom) == [nil])
    }

    @Test(
        "a wrong one is refused",
        arguments: [
            ("{}", "without a list"), ("{ executables: [mail] }", "full path"),
            ("{ executables: [/usr/bin/] }", "full path"),
            ("{ desktop_ids: ['a b'] }", "a desktop ID"), ("{ desktop_ids: [.desktop] }", "a desktop ID"),
            ("{ uids: [1] }", "uids"),
        ])
    func wrong(text: String, reason: String) {
        let outcome = load("use_from: \(text)")
        #expect(outcome.configuration == nil)
        #expect(outcome.errors.contains { "\($0)".contains(reason) }, "\(outcome.errors)")
    }

    @Test("lists that differ among apps with the same tokens are told, and remove no app")
    func shared() {
        func both(_ one: String, _ other: String) -> LoadOutcome {
            Sample(
                apps: """
                    [{ id: a, issuer: contoso, client_id: x, redirect_uris: ['x-a://cb']\(one) },
                     { id: b, issuer: contoso, client_id: x, redirect_uris: ['x-b://cb']\(other) }]
                    """
            ).load()
        }
        let rule = ", use_from: { executables: [/usr/bin/mail] }"
        #expect(both(rule, rule).configuration != nil)
        #expect(both("", "").configuration != nil)
        #expect(both(rule, rule).diagnostics.isEmpty)
        let differing = both(rule, "")
        #expect(differing.configuration?.apps.count == 2)
        #expect(differing.diagnostics.contains { $0.message.contains("and so the same tokens") })
    }
}
