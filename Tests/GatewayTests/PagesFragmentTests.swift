import SwitchyardPhrases
import Testing

@testable import SwitchyardGateway

@Suite("Pages: response_mode=fragment") struct PagesFragmentTests {
    @Test("without scripts the page says what to do, and to keep its address", arguments: Language.allCases)
    func noScript(language: Language) {
        let page = Page.render(.fragment, language: language)
        let part = page.excerpt(from: "<noscript>", to: "</noscript>") ?? ""
        #expect(part.contains(language.phrases.notices.fragmentNeedsScript.heading))
        let english = Page.render(.fragment, language: .english).excerpt(from: "<noscript>", to: "</noscript>") ?? ""
        #expect(english.contains("Allow scripts for this page and reload it, or start again from your app."))
        #expect(english.contains("Do not copy this page&#39;s address"))
    }

    @Test("the two parts that a script chooses from are hidden until it runs, and each has a heading")
    func parts() {
        let page = Page.render(.fragment, language: .english)
        for part in ["sending", "incomplete"] {
            #expect(page.count(of: " id=\"\(part)\"") == 1)
            let section = page.excerpt(from: " id=\"\(part)\"", to: "</section>") ?? ""
            #expect(section.prefix { $0 != ">" }.hasSuffix(" hidden"))
            #expect(section.contains("<h1>"))
            #expect(FragmentScript.text.description.contains("\"\(part)\""))
        }
        #expect(
            page.excerpt(from: " id=\"incomplete\"", to: "</section>")?.contains("This sign-in is incomplete") == true)
    }

    @Test("the script takes the fragment out of the address before it makes anything of it")
    func order() throws {
        let script = FragmentScript.text.description
        let cleared = try #require(script.firstRange(of: "history.replaceState"))
        let made = try #require(script.firstRange(of: "createElement"))
        #expect(cleared.lowerBound < made.lowerBound)
    }

    @Test("the script writes no markup and asks no other address")
    func harmless() {
        let script = FragmentScript.text.description
        for word in [
            "innerHTML", "outerHTML", "write", "eval", "Function", "fetch", "http", "import", "location.search",
        ] {
            #expect(!script.contains(word))
        }
    }

    @Test("the page is made once for each language", arguments: Language.allCases)
    func madeOnce(language: Language) {
        #expect(Page.render(.fragment, language: language).html == PageLayout(language: language).fragment().html)
    }
}
