import SwitchyardPhrases
import Testing

@testable import SwitchyardConfiguration

@Suite("pages:") struct PagesSectionTests {
    private func read(_ text: String) -> (PagesConfiguration, [Diagnostic]) {
        let log = DiagnosticLog()
        let context = DecodingContext(
            file: SourceFile(name: "switchyard.yaml", directory: "", role: .main(environment: [:])), log: log)
        guard let node = context.tree(of: Array(text.utf8)) else { return (PagesConfiguration(), log.sorted) }
        return (PagesSection(context: context).decode(node), log.sorted)
    }

    @Test("every key is read")
    func all() {
        let (pages, problems) = read(
            """
            name: Contoso
            languages: [fr, zh-Hans]
            support_url: mailto:help@contoso.com
            support_text: Ask us
            privacy_url: https://contoso.com/privacy
            """)
        #expect(problems.isEmpty)
        #expect(pages.name == "Contoso" && pages.languages == [.french, .simplifiedChinese])
        #expect(pages.supportURL == "mailto:help@contoso.com" && pages.supportText == "Ask us")
        #expect(pages.privacyURL == "https://contoso.com/privacy")
    }

    @Test(
        "what is wrong is refused at its line",
        arguments: [
            "languages: []", "languages: en", "languages: [en, en]", "languages: [xx]", "languages: [pt]",
            "support_url: http://contoso.com", "support_url: javascript:alert(1)", "support_url: mailto:nobody",
            "support_url: https://", "support_url: https://user@contoso.com", "privacy_url: mailto:a@b.example",
            "privacy_url: \"https://contoso.com/a b\"", "support_text: alone", "name: \"a\\nb\"",
            "logo_file: a.png", "nmae: Contoso",
        ])
    func refused(text: String) {
        let (_, problems) = read(text)
        #expect(problems.contains { $0.severity == .error }, "\(text)")
    }
}
