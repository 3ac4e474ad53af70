import Testing

@testable import SwitchyardOAuth

@Suite("Callback parameters") struct CallbackParametersTests {
    private func told(_ fields: [(String, String)]) -> CallbackParameters {
        CallbackParameters(of: fields.map { FormField($0.0, $0.1) })
    }

    @Test("everything but the protocol's own parameters is told, each name once, in its order")
    func names() {
        let told = told([
            ("code", "c"), ("state", "s"), ("iss", "i"), ("error", ""), ("response", "r"), ("id_token", "t"),
            ("access_token", "t"), ("refresh_token", "t"), ("user", "{}"), ("realmId", "1"), ("user", "second"),
            ("", "x"),
        ])
        #expect(told.values == [FormField("user", "{}"), FormField("realmId", "1"), FormField("", "x")])
        #expect(!told.isCut)
    }

    @Test("control characters become spaces")
    func characters() {
        #expect(told([("a\nb", "c\u{0}\u{202E}d")]).values == [FormField("a b", "c  d")])
    }

    @Test("8 KiB of names and values are told, and one byte more leaves all of them out")
    func limit() {
        let most = told([("a", "x"), ("b", String(repeating: "y", count: 8192 - 3))])
        #expect(most.values.count == 2 && !most.isCut)
        let more = told([("a", "x"), ("b", String(repeating: "y", count: 8192 - 2))])
        #expect(more.values.isEmpty && more.isCut)
    }
}
