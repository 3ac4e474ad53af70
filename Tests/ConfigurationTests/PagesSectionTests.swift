import SwitchyardPages
import SwitchyardPhrases
import Testing

@testable import SwitchyardConfiguration

@Suite("pages:") struct PagesSectionTests {
    private func read(_ text: String, in directory: String = "") -> (PagesConfiguration, [Diagnostic]) {
        let log = DiagnosticLog()
        let context = DecodingContext(
            file: SourceFile(name: "switchyard.yaml", directory: directory, role: .main(environment: [:])), log: log)
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
            "logo_file: a.png", "nmae: Contoso", "accent: blue", "accent: \"#12345\"", "accent: [\"#0b5cad\"]",
            "accent: \"#ff0\"", "accent: { light: \"#0b5cad\" }", "accent: { light: \"#0b5cad\", dark: blue }",
            "accent: { light: \"#0b5cad\", dark: \"#0b5cad\" }", "accent: { light: \"#6cb0ff\", dark: \"#6cb0ff\" }",
        ])
    func refused(text: String) {
        let (_, problems) = read(text)
        #expect(problems.contains { $0.severity == .error }, "\(text)")
    }

    @Test("a legible color for each scheme is read")
    func accent() throws {
        let (pages, problems) = read("accent: { light: \"#0B5CAD\", dark: \"#6cb0ff\" }")
        #expect(problems.isEmpty)
        #expect(pages.accent?.text == "{ light: \"#0b5cad\", dark: \"#6cb0ff\" }")
    }

    @Test("a color without quotes is a comment, and the remedy says so")
    func comment() {
        let (_, problems) = read("accent: #0b5cad")
        #expect(problems.count == 1 && problems.allSatisfy { $0.remedy.contains("# begins a comment") })
    }

    @Test("the proposal for a color that is not legible is taken", arguments: ["#ff0", "#0b5cad", "#777777", "#00f"])
    func proposal(color: String) throws {
        let (_, problems) = read("accent: \"\(color)\"")
        let problem = try #require(problems.first)
        #expect(problems.count == 1 && problem.line == 1)
        let form = /accent: \{ light: "#[0-9a-f]{6}", dark: "#[0-9a-f]{6}" \}/
        let proposal = try #require(problem.remedy.firstMatch(of: form))
        let (pages, others) = read(String(proposal.output))
        #expect(others.isEmpty && pages.accent != nil)
    }

    @Test("a logo is read from beside the file, and one that is refused is named with its line")
    func logo() throws {
        let directory = try TemporaryDirectory()
        try directory.write("good.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        try directory.write("bad.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\">\n\n<script/></svg>")
        let (pages, problems) = read("name: Contoso\nlogo_file: good.svg", in: directory.path)
        #expect(problems.isEmpty && pages.logo?.kind == .svg)
        let (none, faults) = read("name: Contoso\nlogo_file: bad.svg", in: directory.path)
        #expect(none.logo == nil && faults.count == 1)
        #expect(faults.first?.line == 2)
        #expect(faults.first?.message.contains("bad.svg, line 3: the element <script>") == true)
    }

    @Test("a logo without a name is a warning, because a screen reader would say nothing")
    func unnamed() throws {
        let directory = try TemporaryDirectory()
        try directory.write("good.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        let (pages, problems) = read("logo_file: good.svg", in: directory.path)
        #expect(pages.logo != nil && problems.map(\.severity) == [.warning])
    }
}
