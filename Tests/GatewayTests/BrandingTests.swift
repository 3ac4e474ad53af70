import SwitchyardConfiguration
import SwitchyardPages
import SwitchyardPhrases
import SwitchyardRouting
import Testing

@testable import SwitchyardGateway

@Suite("Branding") struct BrandingTests {
    private static let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)
    private static let other = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" />".utf8)

    private func book(_ change: (inout PagesConfiguration) throws -> Void) rethrows -> PageBook {
        var pages = PagesConfiguration()
        try change(&pages)
        return PageBook(pages)
    }

    @Test("the colors that accents are compared with are those of the stylesheet")
    func stylesheet() {
        let css = Stylesheet.text.description
        for scheme in Accent.Scheme.allCases {
            #expect(css.contains("--card: \(scheme.card);") && css.contains("--on-action: \(scheme.label);"))
        }
    }

    @Test(
        "a proposal is legible and of the same hue",
        arguments: ["#ff0000", "#ffff00", "#123456", "#808080", "#fefefe", "#010101"])
    func proposal(text: String) throws {
        let color = try #require(Color(text))
        let near = Accent.nearest(light: color, dark: color)
        _ = try Accent(light: near.light, dark: near.dark)
        for shade in [near.light, near.dark] {
            let isOrdered = order(shade) == order(color)
            #expect(isOrdered || Set([shade.red, shade.green, shade.blue]).count < 3, "\(shade.text)")
        }
    }

    @Test("a color that is legible stays as it is")
    func kept() throws {
        let (light, dark) = (try #require(Color("#0b5cad")), try #require(Color("#6cb0ff")))
        #expect(Accent.nearest(light: light, dark: dark) == (try Accent(light: light, dark: dark)))
    }

    /// The channels from the weakest to the strongest.
    private func order(_ color: Color) -> [Int] {
        let channels = [color.red, color.green, color.blue]
        return channels.indices.sorted { (channels[$0], $0) < (channels[$1], $1) }
    }

    @Test("a page with an accent allows both styles by hash, and no picture", arguments: PageContent.all)
    func accent(content: PageContent) throws {
        let (light, dark) = (try #require(Color("#7a1fa2")), try #require(Color("#e0b0ff")))
        let accent = try Accent(light: light, dark: dark)
        let page = book { $0.accent = accent }.page(content, in: .english)
        #expect(page.text.contains("<style>\(accent.style)</style>"))
        let plain = PageBook().page(content, in: .english).contentSecurityPolicy
        let styles = "\(Stylesheet.hashSource) \(HTML.hashSource(of: accent.style))"
        #expect(page.contentSecurityPolicy == plain.replacing(Stylesheet.hashSource, with: styles))
    }

    @Test("a page with a logo allows pictures of its own origin, and nothing else more", arguments: PageContent.all)
    func logo(content: PageContent) throws {
        let logo = try Logo(Self.svg)
        let page = book { $0.logo = logo }.page(content, in: .english)
        #expect(page.count(of: "<img class=\"logo\" alt=\"\" src=\"/start/logo/\(logo.name)\">") == 1)
        let plain = PageBook().page(content, in: .english).contentSecurityPolicy
        #expect(page.contentSecurityPolicy.replacing("img-src 'self'; ", with: "") == plain)
        #expect(page.contentSecurityPolicy != plain)
    }

    @Test("an app's logo and help stand in the place of the operator's, on pages that name the app only")
    func app() throws {
        let (operators, own) = (try Logo(Self.svg), try Logo(Self.other))
        let book = book {
            $0.logo = operators
            $0.supportURL = "https://help.contoso.com"
            $0.supportText = "Ask us"
        }
        var signIn = SignInSummary.sample
        signIn.branding = AppBranding(logo: own, supportURL: "mailto:app@contoso.com")
        for content in PageContent.ofSignIn(signIn) + PageContent.confirmations(signIn) {
            let text = book.page(content, in: .english).text
            #expect(text.contains(own.name) && !text.contains(operators.name))
            #expect(text.contains("<a href=\"mailto:app@contoso.com\"><bdi>Help</bdi></a>") && !text.contains("Ask us"))
        }
        for content in PageContent.forAnybody {
            let text = book.page(content, in: .english).text
            #expect(text.contains(operators.name) && text.contains("https://help.contoso.com"))
        }
    }

    @Test("no other text stands on a page with a logo whose app says nothing of help")
    func partly() throws {
        let own = try Logo(Self.other)
        let book = book { $0.supportURL = "https://help.contoso.com" }
        var signIn = SignInSummary.sample
        signIn.branding = AppBranding(logo: own, supportURL: nil)
        let text = book.page(.collected(signIn), in: .english).text
        #expect(text.contains(own.name) && text.contains("https://help.contoso.com"))
    }
}
