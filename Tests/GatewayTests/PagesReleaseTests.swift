import SwitchyardPages
import SwitchyardPhrases
import TestSupport
import Testing

@testable import SwitchyardGateway

/// (rules: who began is who finishes)
@Suite("Pages: release") struct PagesReleaseTests {
    private func code(_ asker: Asker = .sample, code: String = "WDJB-MHTR", language: Language = .english) -> Page {
        .render(.releaseCode(.sample, asker, code: code, action: "/done/K7QXM2PA00"), language: language)
    }

    private func start(_ asker: Asker = .sample, language: Language = .english) -> Page {
        .render(.confirmStart(.sample, asker, continueURL: "/go?a=1&b=2", action: "/start/7"), language: language)
    }

    @Test("a release code stands alone in the element that has its name", arguments: Language.allCases)
    func codeAlone(language: Language) {
        let page = code(language: language)
        #expect(page.count(of: "id=\"release-code\"") == 1)
        #expect(page.excerpt(from: "<p id=\"release-code\" translate=\"no\">", to: "</p>") == "WDJB-MHTR")
        #expect(page.count(of: "WDJB-MHTR") == 1)
    }

    @Test(
        "of a resource, both pages name its host and say that its operator gets the access, not the program",
        arguments: Language.allCases)
    func resource(language: Language) {
        let signIn = SignInSummary(
            app: "mcp.example.com", hostLabel: nil, reference: "R", resource: "mcp.example.com")
        let words = language.phrases.question.resourceOperator.segments
        let pages = [
            Page.render(.releaseCode(signIn, .sample, code: "C", action: "/a"), language: language),
            Page.render(.confirmStart(signIn, .sample, continueURL: "/b", action: "/a"), language: language),
        ]
        for page in pages {
            #expect(words.count == 2 && words.allSatisfy { page.text.contains($0) })
            #expect(page.text.contains("<dd id=\"resource\"><bdi>mcp.example.com</bdi></dd>"))
        }
        #expect(!code(language: language).text.contains("resource-operator"))
    }

    @Test("no other page has a release code", arguments: PageContent.all)
    func noCode(content: PageContent) {
        if case .releaseCode = content { return }
        #expect(!Page.render(content, language: .english).markup.contains("release-code"))
    }

    @Test("the page with the code says where it belongs, that nobody asks for it, and who asked for the sign-in")
    func codeWords() {
        let page = code().text
        #expect(page.contains("<p class=\"warning\">Type it only into the program that you started yourself: "))
        #expect(page.contains("your own coding agent."))
        #expect(page.contains("Nobody will ask you for it: no caller, no email, no message."))
        #expect(page.contains("<dt>Asked from</dt>\n<dd><bdi>192.0.2.7</bdi></dd>"))
        #expect(
            page.contains(
                "<dt>Asked at</dt>\n<dd><time datetime=\"2026-11-21T06:05Z\">2026-11-21 06:05 UTC</time></dd>"))
        #expect(page.contains("<dt>The program says that it runs on</dt>\n<dd><bdi>build-box-7</bdi></dd>"))
    }

    @Test("the page with the code looks for news and has the words for it", arguments: Language.allCases)
    func codeUpdates(language: Language) {
        let page = code(language: language).text
        let words = language.phrases.frame
        #expect(page.contains(" data-stage=\"code\""))
        for text in [words.updatesItself, words.changed, words.unreachable, words.stoppedLooking] {
            let escaped = text.replacing("'", with: "&#39;").replacing("\"", with: "&quot;")
            #expect(page.contains("=\"\(escaped)\""))
        }
    }

    @Test("an address that is also the browser's is called so, and no other place is")
    func sameAddress() {
        let words = "<dd><bdi>192.0.2.7</bdi> (the same address as this browser)</dd>"
        let same = Asker(origin: .address("192.0.2.7"), time: "T", isSameAddress: true)
        #expect(code(same).text.contains(words))
        #expect(!code().text.contains("same address"))
        let here = code(Asker(origin: .thisMachine, time: "T", isSameAddress: true)).text
        #expect(here.contains("<dt>Asked from</dt>\n<dd>the server that shows this page</dd>"))
        #expect(!here.contains("same address"))
    }

    @Test("the question before the issuer says who asks for what, and what a link from somebody else means")
    func startWords() {
        let page = start().text
        #expect(page.contains("A program at <bdi>192.0.2.7</bdi> asks you to sign in to <bdi>Contoso Mail</bdi>."))
        #expect(page.contains("If you did not start this yourself, do not continue."))
        #expect(page.contains("If somebody sent you this link, it is an attack"))
        let here = start(Asker(origin: .thisMachine, time: "T")).text
        #expect(here.contains("A program on the server that shows this page asks you to sign in to"))
    }

    @Test(
        "going on is a link, because a policy for forms would count for the issuer too", arguments: Language.allCases)
    func proceed(language: Language) throws {
        let page = start(language: language)
        let words = language.phrases.question.proceed
        #expect(page.text.contains("<a class=\"button\" href=\"/go?a=1&amp;b=2\">\(words)</a>"))
        #expect(page.count(of: "<button") == 1)
    }

    @Test("the safe choice stands before the other")
    func safeFirst() throws {
        let page = start().text
        let form = try #require(page.firstRange(of: "<form"))
        let link = try #require(page.firstRange(of: "<a "))
        #expect(form.lowerBound < link.lowerBound)
    }

    @Test("a person can say that it was somebody else, by a form of our own", arguments: Language.allCases)
    func notMe(language: Language) {
        for (page, action) in [(code(language: language), "/done/K7QXM2PA00"), (start(language: language), "/start/7")]
        {
            let form = page.excerpt(from: "<form method=\"post\" action=\"\(action)\">", to: "</form>") ?? ""
            #expect(form.contains("<input type=\"hidden\" name=\"answer\" value=\"not_me\">"))
            #expect(form.ranges(of: "<input").count == 1)
            #expect(form.contains(">\(language.phrases.question.notMe)</button>"))
        }
    }

    @Test("on the way back there is a link to the app, in case nothing happened")
    func returning() {
        let page = Page.render(.returning(.sample, appURL: "http://127.0.0.1:8400/?ticket=T&x"), language: .english)
            .text
        #expect(page.contains("You are going back to <bdi>Contoso Mail</bdi>"))
        #expect(page.contains("href=\"http://127.0.0.1:8400/?ticket=T&amp;x\">Go back to <bdi>Contoso Mail</bdi></a>"))
    }

    @Test(
        "an attack in any value of these pages is shown as text, and ends no attribute",
        arguments: PagesSafetyTests.attacks)
    func escaping(attack: (text: String, escaped: String)) {
        let text = attack.text
        let signIn = SignInSummary(app: "A", hostLabel: text, reference: "R")
        let asker = Asker(origin: .address(text), time: text)
        let released = Page.render(.releaseCode(signIn, asker, code: text, action: text), language: .english)
        let started = Page.render(.confirmStart(signIn, asker, continueURL: text, action: text), language: .english)
        let returned = Page.render(.returning(signIn, appURL: text), language: .english)
        #expect(released.text.contains("<p id=\"release-code\" translate=\"no\">\(attack.escaped)</p>"))
        for page in [released, started] {
            #expect(page.text.contains("<bdi>\(attack.escaped)</bdi>"))
            #expect(page.text.contains("\">\(attack.escaped)</time>"))
            #expect(page.text.contains("<form method=\"post\" action=\"\(attack.escaped)\">\n"))
        }
        for page in [started, returned] {
            #expect(page.text.contains("<a class=\"button\" href=\"\(attack.escaped)\">"))
        }
        for (page, harmless) in zip([released, started, returned], [code(), start(), harmlessReturn]) {
            #expect(page.count(of: "<") == harmless.count(of: "<"))
            #expect(page.count(of: "\"") == harmless.count(of: "\""))
        }
    }

    private let harmlessReturn = Page.render(.returning(.sample, appURL: "a:b"), language: .english)
}
