import SwitchyardCrypto
import SwitchyardPhrases
import Testing

@testable import SwitchyardGateway

@Suite("Pages: content security policy") struct PagesPolicyTests {
    private func hash(of text: String?) throws -> String {
        "'sha256-\(Base64.encode(SHA256Digest(of: try #require(text)).bytes))'"
    }

    @Test("the policy allows what is on the page by its hash, and nothing else", arguments: PageContent.all)
    func policy(content: PageContent) throws {
        let page = Page.render(content, language: .english)
        let style = try hash(of: page.excerpt(from: "<style>", to: "</style>"))
        let scripts =
            content == .fragment || content.runsPageScript
            ? "script-src \(try hash(of: page.excerpt(from: "<script>", to: "</script>"))); "
                + (content.runsPageScript ? "connect-src 'self'; " : "") : ""
        let isSending = content == .fragment || PageContent.withForm.contains(content)
        #expect(
            page.contentSecurityPolicy
                == "default-src 'none'; \(scripts)style-src \(style); base-uri 'none'; "
                + "form-action \(isSending ? "'self'" : "'none'"); frame-ancestors 'none'")
    }

    @Test("a page needs nothing that the policy forbids", arguments: PageContent.all)
    func selfContained(content: PageContent) {
        for language in Language.allCases {
            let page = Page.render(content, language: language)
            for foreign in ["<link", "<img", "<iframe", "<base", " style=", "url(", "@import", "javascript:"] {
                #expect(!page.markup.contains(foreign))
            }
            #expect(page.markup.firstMatch(of: /<[^>]*\son[a-z]+=/) == nil, "no element listens")
            #expect(page.count(of: "<script") == (content == .fragment || content.runsPageScript ? 1 : 0))
            #expect(page.count(of: "<form") == (PageContent.withForm.contains(content) ? 1 : 0))
            #expect(page.count(of: "<style") == 1)
        }
    }

    @Test("no page leads anywhere but where it is told to", arguments: PageContent.all)
    func links(content: PageContent) {
        let page = Page.render(content, language: .english)
        let targets: [String] =
            switch content {
            case .releaseCode(_, _, _, let action): [action]
            case .confirmStart(_, _, let continueURL, let action): [action, continueURL]
            case .returning(_, let appURL): [appURL]
            default: []
            }
        let links = targets + (content.stage == .still ? [] : [""])
        #expect(page.count(of: " href=\"") + page.count(of: " action=\"") == links.count)
        for target in links {
            #expect(page.count(of: "=\"\(target)\"") == 1)
        }
        #expect(page.count(of: "://") == targets.filter { $0.contains("://") }.count)
    }
}
