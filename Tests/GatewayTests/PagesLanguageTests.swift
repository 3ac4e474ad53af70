import SwitchyardPages
import Testing

@testable import SwitchyardGateway

@Suite("Pages: languages") struct PagesLanguageTests {
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
            // What is not available does not count.
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
        #expect(Language.preferred(byAcceptLanguage: field).tag == tag)
    }

    @Test(
        "a range that cannot be read is left out, and the others count",
        arguments: [
            "fr;q=2", "fr;q=1.001", "fr;q=-1", "fr;q=0.1234", "fr;q=", "fr;q", "fr;", "fr;x=1", "fr;q=0.9;x=1",
            "fr;q=.9", "fr;q=1x", "fr q=1", "fr\u{E9}", "f r", "fr;q=0,9", "fr;q=é", "é", ";", ";q=1",
        ])
    func unreadable(range: String) {
        #expect(Language.preferred(byAcceptLanguage: range + ", en;q=0.001").tag == "en")
    }

    @Test("no field, or an empty one, gives the first language", arguments: [nil, "", " ", ",", "*"])
    func absent(field: String?) {
        #expect(Language.preferred(byAcceptLanguage: field) == .english)
    }

    @Test("what stands beyond the limit on bytes is not read")
    func byteLimit() {
        let range = "fr"
        let padding = AcceptLanguage.readBytes - range.utf8.count
        let spaces = String(repeating: " ", count: padding)
        #expect(Language.preferred(byAcceptLanguage: spaces + range).tag == "fr")
        #expect(Language.preferred(byAcceptLanguage: spaces + " " + range).tag == "en")
    }

    @Test("what stands beyond the limit on ranges is not read")
    func rangeLimit() {
        let others = String(repeating: "de,", count: AcceptLanguage.readRanges - 1)
        #expect(Language.preferred(byAcceptLanguage: others + "fr").tag == "fr")
        #expect(Language.preferred(byAcceptLanguage: others + "de,fr").tag == "en")
    }

    @Test("a field cut inside a character is read up to there")
    func cutCharacter() {
        let padding = String(repeating: " ", count: AcceptLanguage.readBytes - 4)
        #expect(Language.preferred(byAcceptLanguage: "fr," + padding + "éé").tag == "fr")
    }

    @Test("a language with subtags serves who asks for less, and not its sister")
    func subtags() {
        let tags = ["en", "pt-BR"]
        #expect(AcceptLanguage("pt").best(of: tags) { $0 } == "pt-BR")
        #expect(AcceptLanguage("pt-br").best(of: tags) { $0 } == "pt-BR")
        #expect(AcceptLanguage("pt-PT").best(of: tags) { $0 } == nil)
    }

    @Test("no two languages share a tag or a heading")
    func distinct() {
        #expect(Set(Language.available.map(\.tag)).count == Language.available.count)
        for refusal in CallbackRefusal.allCases {
            let headings = Language.available.map { $0.layout.strings.refused(refusal).heading }
            #expect(Set(headings).count == Language.available.count)
        }
    }

    @Test("no text is empty", arguments: Language.available)
    func complete(language: Language) {
        let strings = language.layout.strings
        let fragment = [strings.fragment.sending, strings.fragment.needsScript]
        for notice in CallbackRefusal.allCases.map(strings.refused) + [strings.neutral, strings.startedElsewhere]
            + fragment
        {
            #expect(![notice.heading, notice.explanation, notice.next].contains(""))
        }
        let signIns = [
            strings.collected, strings.waitingForApp, strings.redeeming, strings.releaseCode, strings.returning,
        ]
        for notice in FailureReason.allCases.map(strings.failed) + signIns {
            #expect(!notice.heading.isEmpty)
            #expect(notice.explanation.segments.count > 1, "the explanation names the app")
            #expect(notice.next.segments != [""])
        }
        let labels = [
            strings.hostClaim, strings.answerSays, strings.reference, strings.updatesItself, strings.reloadToUpdate,
            strings.notMe,
            strings.askedFrom, strings.thisMachine, strings.unknownPlace, strings.sameAddress, strings.askedAt,
            strings.confirmStart.heading, strings.confirmStart.warning, strings.confirmStart.proceed,
        ]
        #expect(!labels.contains(""))
    }

    @Test("the question before the issuer names the app and the address once each", arguments: Language.available)
    func question(language: Language) {
        let words = language.layout.strings.confirmStart
        #expect(Set(words.atAddress.slots) == [.app, .address])
        #expect(words.atAddress.slots.count == 2)
        #expect(words.onThisMachine.slots == [.app])
    }

    @Test("no page has words of another language", arguments: PageContent.all)
    func distinctPages(content: PageContent) throws {
        let texts = Language.available.map { paragraphs(Page.render(content, language: $0)) }
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
