import SwitchyardCrypto
import SwitchyardPages
import SwitchyardPhrases
import TestSupport
import Testing

@testable import SwitchyardGateway

@Suite("Pages: safety and shape") struct PagesSafetyTests {
    static let attacks: [(text: String, escaped: String)] = [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("</style><img src=x onerror=alert(1)>", "&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;"),
        ("\"><svg onload=alert(1)>", "&quot;&gt;&lt;svg onload=alert(1)&gt;"),
        ("' onmouseover='alert(1)", "&#39; onmouseover=&#39;alert(1)"),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("<!--", "&lt;!--"),
        ("</bdi></main>", "&lt;/bdi&gt;&lt;/main&gt;"),
        ("<\u{0}script\r\n>", "&lt;\u{FFFD}script\u{FFFD}\u{FFFD}&gt;"),
        ("\u{202E}liaM osotnoC", "\u{202E}liaM osotnoC"),
        ("\\(.app)", "\\(.app)"),
    ]

    @Test("an attack in the name of an app is shown as text", arguments: attacks)
    func app(attack: (text: String, escaped: String)) {
        let signIns = [attack.text, "A"].map { SignInSummary(app: $0, hostLabel: nil, reference: "R") }
        let pages = signIns.map { PageContent.ofSignIn($0) + PageContent.confirmations($0) }
        for (content, harmless) in zip(pages[0], pages[1]) {
            let page = Page.render(content, language: .english)
            #expect(page.text.contains("<bdi>\(attack.escaped)</bdi>"))
            #expect(page.count(of: "<") == Page.render(harmless, language: .english).count(of: "<"))
        }
    }

    @Test("an attack in a host label is shown as text, inside its own direction", arguments: attacks)
    func hostLabel(attack: (text: String, escaped: String)) {
        let signIn = SignInSummary(app: "A", hostLabel: attack.text, reference: "R")
        let page = Page.render(.collected(signIn), language: .french).text
        #expect(page.contains("<dd><bdi>\(attack.escaped)</bdi></dd>"))
    }

    @Test("a hidden field gives its value back as it is, and none becomes markup")
    func hiddenField() {
        var html = HTML(reservingBytes: 64)
        html.hiddenField("state", "a\r\n\"><script>'&amp;")
        #expect(
            String(decoding: html.bytes, as: UTF8.self)
                == "<input type=\"hidden\" name=\"state\" value=\"a\r\n&quot;&gt;&lt;script&gt;&#39;&amp;amp;\">\n")
    }

    @Test("a page has a language, a title and one heading that say the same", arguments: PageContent.all)
    func shape(content: PageContent) throws {
        for language in Language.allCases {
            let page = Page.render(content, language: language)
            #expect(page.text.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language.tag)\" dir=\""))
            #expect(page.contentLanguage == language.tag)
            // The page for fragments has three parts, of which a browser shows one.
            #expect(page.count(of: "<h1>") == (content == .fragment ? 3 : 1))
            #expect(page.count(of: "<main") == 1)
            let title = try #require(page.excerpt(from: "<title>", to: "</title>"))
            #expect(!title.isEmpty)
            #expect(page.excerpt(from: "<h1>", to: "</h1>") == title)
        }
    }

    @Test("a page about a sign-in is announced as a status", arguments: PageContent.ofSignIn(.sample))
    func status(content: PageContent) {
        #expect(Page.render(content, language: .english).count(of: "role=\"status\"") == 1)
    }

    @Test("a reference stands alone in the element that has its name", arguments: PageContent.all)
    func referenceAlone(content: PageContent) {
        let page = Page.render(content, language: .french)
        let references = page.count(of: "K7QXM2PA00</dd>")
        #expect(page.count(of: "id=\"reference\"") == references)
        if references > 0 {
            #expect(page.excerpt(from: "<dd id=\"reference\">", to: "</dd>") == "K7QXM2PA00")
        }
    }
}
