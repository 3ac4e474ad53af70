import SwitchyardPhrases
import TestSupport
import Testing

@testable import SwitchyardGateway

@Suite("Pages") struct PagesTests {
    private func english(_ content: PageContent) -> String {
        Page.render(content, language: .english).text
    }

    @Test("a collected sign-in sends the person back to the app")
    func collected() {
        let page = english(.collected(.sample))
        #expect(page.contains("<h1>You are signed in</h1>"))
        #expect(page.contains("You can close this tab and go back to <bdi>Contoso Mail</bdi>."))
    }

    @Test("a result that the app has not collected is not called collected", arguments: Language.allCases)
    func waiting(language: Language) {
        let done = language.phrases.signIn.collected.heading
        let page = Page.render(.waitingForApp(.sample, isLive: true), language: language).text
        #expect(!page.contains(done))
        #expect(page.contains(language.phrases.signIn.waitingForApp.heading))
    }

    @Test("no page of a failure says that the person is signed in", arguments: FailureReason.allCases)
    func failed(reason: FailureReason) {
        let page = english(.failed(.sample, reason))
        #expect(page.contains("<h1>You are not signed in</h1>"))
        #expect(!page.contains("You are signed in"))
    }

    @Test("each reason of a failure has its own words", arguments: Language.allCases)
    func reasonsDiffer(language: Language) {
        let pages = FailureReason.allCases.map { Page.render(.failed(.sample, $0), language: language).text }
        #expect(Set(pages).count == FailureReason.allCases.count)
    }

    @Test("every page about a sign-in names the app, the claim of the host and the reference")
    func summary() {
        for content in PageContent.ofSignIn(.sample) + PageContent.confirmations(.sample) {
            let page = english(content)
            #expect(page.contains("<bdi>Contoso Mail</bdi>"))
            #expect(page.contains("<dt>The program says that it runs on</dt>\n<dd><bdi>build-box-7</bdi></dd>"))
            #expect(page.contains("<dd id=\"reference\">K7QXM2PA00</dd>"))
        }
    }

    @Test("without a host label there is no claim")
    func noHostLabel() {
        let signIn = SignInSummary(app: "A", hostLabel: nil, reference: "R")
        let page = Page.render(.collected(signIn), language: .english)
        #expect(!page.text.contains("runs on"))
        #expect(page.count(of: "<dt>") == 1)
    }

    @Test("the neutral page differs by nothing but the reference it is given")
    func neutral() {
        let first = english(.neutral(reference: "K7QXM2PA00"))
        let second = english(.neutral(reference: "ZZZZZZZZZZ"))
        #expect(first.contains("<dd id=\"reference\">K7QXM2PA00</dd>"))
        #expect(first.replacing("K7QXM2PA00", with: "ZZZZZZZZZZ") == second)
        #expect(!english(.neutral(reference: nil)).contains("<dl>"))
    }

    @Test("no page for anybody has room for an app, a host or an outcome", arguments: PageContent.forAnybody)
    func forAnybody(content: PageContent) {
        let page = english(content)
        #expect(!page.contains("<bdi>"))
        #expect(!page.contains("class=\"done\""))
    }

    @Test("a callback that nobody asked for is explained, with a warning about its address")
    func unknownState() {
        let page = english(.refused(.unknownState))
        #expect(page.contains("<h1>This sign-in was not started by your app</h1>"))
        #expect(page.contains("Do not copy this page&#39;s address"))
    }

    @Test(
        "a callback that may be an attack is refused with a warning about its address",
        arguments: [
            CallbackRefusal.unknownState, .wrongRedirectURI, .wrongIssuer, .duplicateParameter, .anotherBrowser,
            .replayed, .wrongResponseMode, .responseNotTrusted,
        ])
    func warning(refusal: CallbackRefusal) {
        #expect(english(.refused(refusal)).contains("Do not copy this page&#39;s address"))
    }

    @Test("each refusal gets its own page", arguments: CallbackRefusal.allCases)
    func refusal(refusal: CallbackRefusal) {
        for language in Language.allCases {
            let page = Page.render(.refused(refusal), language: language)
            #expect(page.html == PageLayout(language: language).refused(refusal).html)
        }
    }

    @Test("a page of a passing moment looks for news, or says how to; without scripts it has a link")
    func live() {
        for content in [PageContent.redeeming, PageContent.waitingForApp] {
            let moving = english(content(.sample, true))
            #expect(
                moving.contains("<small id=\"news\" role=\"status\" data-stage=\"\(content(.sample, true).stage)\""))
            let still = english(content(.sample, false))
            #expect(still.contains("<small>Reload this page to see if anything has changed.</small>"))
            #expect(!still.contains("<script>") && moving.contains("<script>"))
            for page in [moving, still] {
                #expect(page.contains("<a id=\"reload\" href=\"\">Reload</a>"))
            }
        }
    }

    @Test("no page loads itself again by a timer", arguments: PageContent.all)
    func noTimer(content: PageContent) {
        #expect(!english(content).contains("http-equiv"))
    }

    @Test("each stage of a page is another word")
    func stages() {
        let moving = [
            PageContent.redeeming(.sample, isLive: true), .waitingForApp(.sample, isLive: true), .delivering(.sample),
            .releaseCode(.sample, .sample, code: "C", action: "a"), .collected(.sample),
        ]
        #expect(Set(moving.map(\.stage)).count == moving.count)
    }
}
