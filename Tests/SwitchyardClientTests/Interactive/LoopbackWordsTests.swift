import SwitchyardHTTP
import Testing

@testable import SwitchyardClient

@Suite("The words at a loopback redirect URI")
struct LoopbackWordsTests {
    @Test(
        "are in the language that the browser prefers, not in the one that it names first",
        arguments: [
            ("fr;q=0.1,en", "en"), ("fr;q=0,en;q=0.1", "en"), ("de,fr;q=0.5", "fr"), ("en;q=0.5,fr-CA", "fr"),
            ("fr", "fr"), ("de", "en"), ("", "en"), (nil, "en"),
        ])
    func language(field: String?, expected: String) {
        #expect(LoopbackWords.preferred(byAcceptLanguage: field).signedIn.language == expected)
    }

    @Test("become no markup of their page")
    func page() throws {
        let text = LoopbackWords.Text(language: "\">", title: "</title><script>", sentence: "<b>'&")
        guard case .bytes(let bytes) = LoopbackPage.response(.ok, text).body else {
            Issue.record("there is no page")
            return
        }
        let page = String(decoding: bytes, as: UTF8.self)
        #expect(page.contains("<html lang=\"&quot;&gt;\">"))
        #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"))
        #expect(page.contains("<p>&lt;b&gt;&#39;&amp;</p>"))
    }
}
