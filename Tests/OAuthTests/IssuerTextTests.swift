import SwitchyardJSON
import SwitchyardOAuth
import Testing

@Suite("Texts of issuers") struct IssuerTextTests {
    @Test(
        "controls of terminals and of the direction of writing, and line ends, become one space each",
        arguments: [
            ("plain words, 100 %", "plain words, 100 %"), ("", ""), ("a\r\nb", "a  b"), ("\u{1B}[31mred", " [31mred"),
            ("\0\u{7F}", "  "), ("a\u{80}\u{9B}31m\u{9F}b", "a  31m b"), ("\u{A0}é", "\u{A0}é"),
            ("\u{202E}txt.exe\u{202C}", " txt.exe "), ("\u{2066}a\u{2069}", " a "), ("\u{200E}\u{200F}\u{61C}", "   "),
            ("a\u{2028}b\u{2029}c", "a b c"), ("a\u{200D}b\u{2027}c\u{2030}", "a\u{200D}b\u{2027}c\u{2030}"),
        ])
    func controls(raw: String, clean: String) {
        let text = IssuerText(raw)
        #expect(text.text.utf8.elementsEqual(clean.utf8))
        #expect(IssuerText(text.text) == text, "clean text stays as it is")
    }

    @Test(
        "a text is cut to 1 KiB, between two characters",
        arguments: [
            (String(repeating: "a", count: 1024), 1024), (String(repeating: "a", count: 1025), 1024),
            (String(repeating: "a", count: 60_000), 1024), (String(repeating: "é", count: 600), 1024),
            ("a" + String(repeating: "é", count: 600), 1023), (String(repeating: "👩‍👩‍👧", count: 300), 1022),
            ("e" + String(repeating: "\u{301}", count: 10_000), 1023), (String(repeating: "\u{9B}", count: 5000), 1024),
        ])
    func length(raw: String, bytes: Int) {
        let text = IssuerText(raw).text
        #expect(text.utf8.count == bytes)
        #expect(text.utf8.count <= IssuerText.maximumLength)
    }

    @Test("claims over 4 KiB are dropped, and no control is in shorter ones")
    func claims() {
        #expect(IssuerClaims(String(repeating: "a", count: 4096))?.text.utf8.count == 4096)
        #expect(IssuerClaims(String(repeating: "a", count: 4097)) == nil)
        let lines = "{\r\n\"a\": 1}"
        #expect(IssuerClaims(lines)?.text == "{  \"a\": 1}")
    }

    @Test("no other text reaches a failure, from a callback or from the token endpoint")
    func failures() throws {
        let dirty = "x\u{1B}\n" + String(repeating: "y", count: 70_000)
        let form = try RedirectURI("https://login.contoso.com/app1/auth").form
        let names = ["error", "error_description", "suberror", "correlation_id", "claims"]
        let query = FormEncoding.encode(names.map { ($0, String(dirty.prefix(10_000))) } + [("state", "s")])
        let outcome = try UncheckedResponse(query: query, content: nil, at: form).checkedForTest(form).outcome
        guard case .error(let error) = outcome else { return #expect(Bool(false), "no error") }
        let members = JSONObject(names.map { ($0, dirty) })
        let answered = try #require(TokenErrorResponse(members))
        for failure in [SignInFailure(error), SignInFailure(answered, httpStatus: 400)] {
            let texts = [
                failure.oauthError, failure.description, failure.oauthSuberror, failure.correlationID,
            ]
            for text in texts { #expect(text == IssuerText(dirty)) }
            #expect(failure.claims == nil)
            #expect(JSONValue.object(failure.json).serialized.count < 5 * IssuerText.maximumLength)
        }
    }
}

extension JSONObject {
    fileprivate init(_ members: [(String, String)]) {
        self.init()
        for (name, value) in members { self[name] = .string(value) }
    }
}
