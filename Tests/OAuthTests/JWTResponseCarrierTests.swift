import Crypto
import OAuth
import Testing

@Suite("What carries a signed authorization response (JARM section 2.3)") struct JWTResponseCarrierTests {
    private static let compact = SampleJWTResponse.compact()

    @Test(
        "the one parameter response is read from the query or from the content",
        arguments: [("response=\(compact)", nil), ("", "response=\(compact)"), ("x=1&response=\(compact)&x=2", "y=1")]
            as [(String, String?)])
    func carried(query: String, content: String?) throws {
        #expect(try parse(query, content).state == Secret("xyz"))
    }

    @Test(
        "what decides anything must not stand beside it, unsigned",
        arguments: ["code", "state", "error", "iss", "id_token"])
    func unsigned(name: String) {
        let expected = JWTResponseError.unsignedParameter(name: name)
        #expect(throws: expected) { try parse("response=\(Self.compact)&\(name)=x") }
        #expect(throws: expected) { try parse("\(name)=", "response=\(Self.compact)") }
    }

    @Test(
        "other carriers are refused for their reason",
        arguments: [
            ("", nil, .missingResponse), ("response=", nil, .missingResponse),
            ("RESPONSE=\(compact)", nil, .missingResponse),
            ("response=\(compact)&response=\(compact)", nil, .parameters(.duplicateParameter(name: "response"))),
            ("response=\(compact)", "response=\(compact)", .parameters(.duplicateParameter(name: "response"))),
            ("response=%zz", nil, .parameters(.malformed(.invalidEscape))),
            ("response=a.b", nil, .malformed), ("response=a.b.c.d.e", nil, .encrypted),
            ("response=" + String(repeating: "A", count: 65536), nil, .tooLarge),
            (String(repeating: "&", count: 40000), String(repeating: "&", count: 40000), .tooLarge),
        ] as [(String, String?, JWTResponseError)])
    func refused(query: String, content: String?, error: JWTResponseError) {
        #expect(throws: error) { try parse(query, content) }
    }

    private func parse(_ query: String, _ content: String? = nil) throws(JWTResponseError) -> UnverifiedJWTResponse {
        try .parse(query: Array(query.utf8), content: content.map { Array($0.utf8) })
    }
}
