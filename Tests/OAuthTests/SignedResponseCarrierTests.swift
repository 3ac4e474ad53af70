import SwitchyardCrypto
import SwitchyardJOSE
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@Suite("What carries a signed authorization response (JARM section 2.3)") struct SignedResponseCarrierTests {
    private typealias Sample = SampleSignedResponse
    private static let compact = Sample.compact()

    @Test(
        "the one parameter response is read from the query or from the content",
        arguments: [
            ("response=\(compact)", nil), ("", "response=\(compact)"), ("x=1&response=\(compact)&x=2", "y=1"),
        ] as [(String, String?)])
    func carried(query: String, content: String?) throws {
        let signed = try parse(query, content)
        #expect(signed.state == Secret("xyz"))
        #expect(signed.token.algorithm == "RS256")
        #expect(signed.token.keyID == "k1")
        #expect(signed.parameters.contains(FormField("response", Self.compact)))
    }

    @Test(
        "what decides anything must not stand beside it, unsigned",
        arguments: ["code", "state", "error", "iss", "id_token"]
    )
    func unsigned(name: String) {
        #expect(throws: AuthorizationResponseError.notSigned) { try parse("response=\(Self.compact)&\(name)=x") }
        #expect(throws: AuthorizationResponseError.notSigned) { try parse("\(name)=x", "response=\(Self.compact)") }
    }

    @Test(
        "another carrier is refused for its reason",
        arguments: [
            ("", nil, .notSigned), ("code=a&state=xyz", nil, .notSigned), ("RESPONSE=\(compact)", nil, .notSigned),
            ("response=", nil, .unreadableJWT(.malformed)), ("response=a.b", nil, .unreadableJWT(.malformed)),
            ("response=AA.AA.AA.AA.AA", nil, .unreadableJWT(.encrypted)),
            ("response=\(compact)&response=\(compact)", nil, .duplicateParameter(name: "response")),
            ("response=\(compact)&%72esponse=\(compact)", nil, .duplicateParameter(name: "response")),
            ("response=\(compact)", "response=\(compact)", .duplicateParameter(name: "response")),
            ("response=%zz", nil, .malformed(.invalidEscape)),
            ("response=" + String(repeating: "A", count: 65536), nil, .tooLarge),
            (String(repeating: "&", count: 40000), String(repeating: "&", count: 40000), .tooLarge),
        ] as [(String, String?, AuthorizationResponseError)])
    func refused(query: String, content: String?, error: AuthorizationResponseError) {
        #expect(throws: error) { try parse(query, content) }
    }

    @Test(
        "without a state of its own, there is no request to look up",
        arguments: [
            (.null, .missingState), ("", .missingState), (1, .missingState), (["xyz"], .missingState),
        ] as [(JSONValue, AuthorizationResponseError)])
    func state(value: JSONValue, error: AuthorizationResponseError) {
        #expect(throws: error) { try Sample.parse(Sample.compact(Sample.claims(["state": value]))) }
    }

    @Test("a state of any length is one: whose it is remains to be seen", arguments: [1, 512, 513, 20000])
    func longState(count: Int) throws {
        let state = String(repeating: "s", count: count)
        let response = try Sample.parse(Sample.compact(Sample.claims(["state": .string(state)])))
        #expect(response.state == Secret(state))
    }

    @Test("a name that stands twice in the claims is refused, whichever a reader would take")
    func duplicateClaim() {
        let claims = Base64URL.encode(Array(#"{"iss":"i","code":"a","state":"s","state":"t"}"#.utf8))
        #expect(throws: AuthorizationResponseError.unreadableJWT(.malformed)) {
            try Sample.parse("\(Sample.encode(["alg": "RS256"])).\(claims).AA")
        }
    }

    @Test("an extension that must be understood is refused")
    func critical() {
        let compact = Sample.compact(header: ["alg": "RS256", "crit": ["b64"], "b64": false])
        #expect(throws: AuthorizationResponseError.unreadableJWT(.criticalHeader)) { try Sample.parse(compact) }
    }

    @Test("a signed response prints neither its code nor its state")
    func printing() throws {
        let compact = Sample.compact(Sample.claims(["code": "hunter2", "state": "hunter3"]))
        let signed = try Sample.parse(compact)
        var dumped = String(describing: signed)
        dump(signed, to: &dumped)
        #expect(!dumped.contains("hunter"))
        #expect(!dumped.contains(compact.split(separator: ".")[1]))
    }

    private func parse(
        _ query: String, _ content: String? = nil
    ) throws(AuthorizationResponseError) -> SignedResponse {
        try .parse(query: Array(query.utf8), content: content.map { Array($0.utf8) })
    }
}
