import SwitchyardPages
import SwitchyardPhrases
import Testing

@testable import SwitchyardGateway

@Suite("Pages: languages") struct PagesLanguageTests {
    private static func preferred(_ field: String?) -> Language {
        Language.preferred(byAcceptLanguage: field, among: [.english, .french])
    }

    @Test(
        "the language is the available one that the browser prefers",
        arguments: [
            ("fr", "fr"), ("FR", "fr"), ("en", "en"),
            ("fr-CA", "fr"), ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
            ("en-US,en;q=0.9,fr;q=0.8", "en"), ("en;q=0.8, fr;q=0.9", "fr"),
            // The region counts as its language, whatever the bare language is worth.
            ("en-US, fr;q=0.9, en;q=0.8", "en"), ("fr-BE, en;q=0.9, fr;q=0.1", "fr"),
            // Among equals the order of the field decides.
            ("fr, en", "fr"), ("en, fr", "en"), ("en;q=0.5, fr;q=0.5", "en"),
            // An unavailable language does not count.
            ("de, fr;q=0.1", "fr"), ("de, ja", "en"), ("fro", "en"), ("f", "en"),
            // "*" stands for what is not named, 0 rules out.
            ("*", "en"), ("en;q=0, *", "fr"), ("en;q=0, *;q=0.1", "fr"), ("fr;q=0", "en"), ("fr;q=0, en;q=0", "en"),
            ("fr;q=0, fr-CA", "en"), ("*;q=0.9, fr;q=0.5", "en"), ("*;q=0.5, fr;q=0.9", "fr"),
            ("*;q=0, fr;q=0.1", "fr"),
            // White space is free, also empty elements (RFC 9110 section 5.6.1.2).
            (" \tfr ;\tq=0.9 , en ; q=0.8", "fr"), (",, ,fr,", "fr"), ("fr;Q=1.000,en;q=0.999", "fr"),
            ("en;q=0.001,fr;q=0.002", "fr"), ("en;q=0., fr;q=0.1", "fr"),
        ])
    func preferred(field: String, tag: String) {
        #expect(Self.preferred(field).tag == tag)
    }

    @Test(
        "a range that cannot be read is left out, and the others count",
        arguments: [
            "fr;q=2", "fr;q=1.001", "fr;q=-1", "fr;q=0.1234", "fr;q=", "fr;q", "fr;", "fr;x=1", "fr;q=0.9;x=1",
            "fr;q=.9", "fr;q=1x", "fr q=1", "fr\u{E9}", "f r", "fr;q=0,9", "fr;q=é", "é", ";", ";q=1",
        ])
    func unreadable(range: String) {
        #expect(Self.preferred(range + ", en;q=0.001").tag == "en")
    }

    @Test("no field, or an empty one, gives the first language", arguments: [nil, "", " ", ",", "*"])
    func absent(field: String?) {
        #expect(Self.preferred(field) == .english)
    }

    @Test("text beyond the limit on bytes is not read")
    func byteLimit() {
        let range = "fr"
        let padding = AcceptLanguage.readBytes - range.utf8.count
        let spaces = String(repeating: " ", count: padding)
        #expect(Self.preferred(spaces + range).tag == "fr")
        #expect(Self.preferred(spaces + " " + range).tag == "en")
    }

    @Test("ranges beyond their limit are not read")
    func rangeLimit() {
        let others = String(repeating: "de,", count: AcceptLanguage.readRanges - 1)
        #expect(Self.preferred(others + "fr").tag == "fr")
        #expect(Self.preferred(others + "de,fr").tag == "en")
    }

    @Test("a field cut inside a character is read up to there")
    func cutCharacter() {
        let padding = String(repeating: " ", count: AcceptLanguage.readBytes - 4)
        #expect(Self.preferred("fr," + padding + "éé").tag == "fr")
    }

    @Test(
        "a reader of another region or script of a language gets it before another language",
        arguments: [
            ("pt", "pt-BR"), ("pt-br", "pt-BR"), ("pt-PT", "pt-BR"), ("pt-PT, en;q=0.9", "pt-BR"),
            ("zh", "zh-Hans"), ("zh-CN", "zh-Hans"), ("zh-TW", "zh-Hans"), ("zh-Hant-HK, en", "zh-Hans"),
            ("iw", "he"), ("IW-il, en;q=0.5", "he"), ("he", "he"), ("iwx", nil), ("i", nil),
            ("ptx, en", "en"), ("en-GB, pt-PT;q=0.9", "en"),
            // The closest range that covers the tag rules it out.
            ("pt;q=0, pt-PT", nil), ("pt;q=0, pt-BR", "pt-BR"), ("zh;q=0, *", "en"), ("iw;q=0, *;q=0.1", "en"),
        ])
    func regions(field: String, tag: String?) {
        #expect(AcceptLanguage(field).best(of: ["en", "pt-BR", "zh-Hans", "he"]) { $0 } == tag)
    }

    @Test("a narrower choice has its first language for everybody else")
    func narrowed() {
        let languages: [Language] = [.french, .english]
        #expect(Language.preferred(byAcceptLanguage: "sv", among: languages) == .french)
        #expect(Language.preferred(byAcceptLanguage: nil, among: languages) == .french)
        #expect(Language.preferred(byAcceptLanguage: "en-GB", among: languages) == .english)
        #expect(Language.preferred(byAcceptLanguage: "en", among: [.french]) == .french)
    }

    @Test("a page names its direction", arguments: Language.allCases)
    func direction(language: Language) {
        let direction = ["ar", "he"].contains(language.tag) ? "rtl" : "ltr"
        let page = Page.render(.neutral(reference: nil), language: language)
        #expect(page.text.contains("<html lang=\"\(language.tag)\" dir=\"\(direction)\">"))
    }

    @Test("no two languages share a tag or a heading")
    func distinct() {
        #expect(Set(Language.allCases.map(\.tag)).count == Language.allCases.count)
        for refusal in CallbackRefusal.allCases {
            let headings = Language.allCases.map { refusal.notice(in: $0.phrases.refusals).heading }
            #expect(Set(headings).count == Language.allCases.count)
        }
    }

    @Test("no text is empty, whatever it is for", arguments: Language.allCases)
    func words(language: Language) {
        let texts = Self.texts(in: language.phrases)
        #expect(texts.count > 150)
        #expect(!texts.contains { $0.trimmingPrefix(while: \.isWhitespace).isEmpty })
    }

    /// Every string of a value, those of a sentence joined.
    private static func texts(in value: Any) -> [String] {
        if let text = value as? String { return [text] }
        let children = Mirror(reflecting: value).children
        if let segments = children.first(where: { $0.label == "segments" })?.value as? [String] {
            return [segments.joined()]
        }
        return children.flatMap { texts(in: $0.value) }
    }

    @Test("a page about a sign-in names its app, and no text of a notice is empty", arguments: Language.allCases)
    func complete(language: Language) {
        let phrases = language.phrases
        let notices = phrases.notices
        for notice in CallbackRefusal.allCases.map({ $0.notice(in: phrases.refusals) })
            + [notices.neutral, notices.startedElsewhere, notices.sendingFragment, notices.fragmentNeedsScript]
        {
            #expect(![notice.heading, notice.explanation, notice.next].contains(""))
        }
        for notice in FailureReason.allCases.map({ $0.notice(in: phrases.endings) }) + phrases.signIn.all {
            #expect(!notice.heading.isEmpty)
            #expect(notice.explanation.segments.count > 1, "the explanation names the app")
            #expect(notice.next.segments != [""])
        }
    }

    @Test("the question before the issuer names the app and the address once each", arguments: Language.allCases)
    func question(language: Language) {
        let words = language.phrases.question
        #expect(Set(words.atAddress.slots) == [.app, .address])
        #expect(words.atAddress.slots.count == 2)
        #expect(words.onThisMachine.slots == [.app])
    }

    @Test("no page has words of another language", arguments: PageContent.all)
    func distinctPages(content: PageContent) throws {
        let texts = Language.allCases.map { paragraphs(Page.render(content, language: $0)) }
        for (index, text) in texts.enumerated() {
            #expect(!text.isEmpty)
            for other in texts[(index + 1)...] {
                #expect(text.isDisjoint(with: other))
            }
        }
    }

    /// The content of every paragraph, label, button and link that has words in it.
    private func paragraphs(_ page: Page) -> Set<String> {
        var found: Set<String> = []
        for (start, end) in [
            ("<p>", "</p>"), ("<p class=\"warning\">", "</p>"), ("<dt>", "</dt>"), ("\">", "</button>"),
        ] {
            for part in page.text.split(separator: start).dropFirst() {
                if let close = part.firstRange(of: end) { found.insert(String(part[..<close.lowerBound])) }
            }
        }
        return found
    }
}
