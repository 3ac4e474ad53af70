import Testing

@testable import SwitchyardBridge

@Suite("Pages beside a session over SSH") struct BridgePageTests {
    @Test("the page that asks cuts nothing off that tells where a sign-in goes, and what for")
    func whole() throws {
        let label = String(repeating: "a", count: 60)
        let host = "login.contoso.com.\(label).\(label).\(label).evil.example"
        let scope = (0..<60).map { "harmless\($0).read" }.joined(separator: "+") + "+full_control"
        let client = String(repeating: "c", count: 400) + "-powerful"
        let verdict = AddressJudge.judge(
            "https://\(host)/a?response_type=code&client_id=\(client)&state=s&scope=\(scope)&redirect_uri=http://127.0.0.1:8400/"
        )
        guard case .signIn(let address) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        let page = BridgePage.consent(to: address, host: "far", action: "/x", acceptLanguage: nil)
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains(host))
        #expect(html.contains("<dd id=\"path\"><bdi>/a</bdi></dd>") && !html.contains("id=\"prompt\""))
        #expect(html.contains("full_control<") && html.contains("-powerful<") && !html.contains("\u{2026}"))
    }
}
