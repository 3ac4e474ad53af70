import SwitchyardHTTP
import SwitchyardPages
import SwitchyardPhrases
import Testing

@testable import SwitchyardClient

@Suite("The page at a loopback redirect URI")
struct LoopbackPageTests {
    private func page(_ message: Message, in language: Language) throws -> String {
        guard case .bytes(let bytes) = LoopbackPage.response(.ok, message, tone: .done, in: language).body else {
            Issue.record("there is no page")
            return ""
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("speaks its language, as the gateway's pages do", arguments: Language.allCases)
    func language(language: Language) throws {
        let page = try page(language.phrases.loopback.signedIn, in: language)
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language.tag)\" dir=\""))
        #expect(page.contains("<h1>\(language.phrases.signIn.collected.heading)</h1>"))
    }

    @Test("lets no text become markup")
    func markup() throws {
        let page = try page(Message(heading: "</title><script>", text: "<b>'&"), in: .english)
        #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"))
        #expect(page.contains("<p>&lt;b&gt;&#39;&amp;</p>"))
    }
}
