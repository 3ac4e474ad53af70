import Testing

@testable import SwitchyardClient

@Suite("A claims request")
struct ClaimsTests {
    static let read: [(json: String, canonical: String)] = [
        ("{}", "{}"), (#"{"access_token":{}}"#, "{}"), (#"{"id_token":{"name":null}}"#, #"{"id_token":{"name":null}}"#),
        (#"{"access_token":{"a":{"essential":1}}}"#, #"{"access_token":{"a":{"essential":true}}}"#),
        (#"{"access_token":{"a":{"essential":0}}}"#, #"{"access_token":{"a":{"essential":false}}}"#),
        (#"{"access_token":{"a":{}}}"#, #"{"access_token":{"a":null}}"#),
        (
            #"{"access_token":{"a":{"value":"x"}},"id_token":{"b":{"values":[1,1]}}}"#,
            #"{"id_token":{"b":{"values":[1,1]}},"access_token":{"a":{"value":"x"}}}"#
        ),
    ]

    @Test("is read as it is meant", arguments: read)
    func reading(json: String, canonical: String) throws {
        let claims = try ClaimsRequest(json: json)
        #expect(claims.json == canonical && claims.isEmpty == (canonical == "{}"))
        #expect(try ClaimsRequest(json: claims.json) == claims)
    }

    static let refused: [(json: String, words: String)] = [
        ("", "no JSON object"), ("[]", "no JSON object"), (#"{"userinfo":{}}"#, "Invalid claims target: userinfo"),
        (#"{"id_token":[]}"#, "no JSON object"), (#"{"id_token":{"a":1}}"#, "neither null nor an object"),
        (#"{"id_token":{"a":{"essential":"yes"}}}"#, "essential"), (#"{"id_token":{"a":{"values":"x"}}}"#, "values"),
        (#"{"id_token":{"":null}}"#, "no name"), (#"{"id_token":{"a":null},"id_token":{}}"#, "no JSON object"),
    ]

    @Test("is refused by name of what is wrong", arguments: refused)
    func refusing(json: String, words: String) {
        do throws(ClaimsRequestError) {
            _ = try ClaimsRequest(json: json)
            Issue.record("it was accepted")
        } catch {
            #expect(error.message.contains(words))
        }
    }

    @Test("is a value: what is made of it leaves it as it was")
    func value() throws {
        let own = try ClaimsRequest(json: #"{"access_token":{"xms_cc":{"values":["own"]},"a":null}}"#)
        let more = own.adding(clientCapabilities: ["CP1", "own"]).requesting("a", in: .accessToken, essential: true)
        #expect(more.json == #"{"access_token":{"xms_cc":{"values":["own","CP1"]},"a":{"essential":true}}}"#)
        #expect(own.json == #"{"access_token":{"xms_cc":{"values":["own"]},"a":null}}"#)
        #expect(more.removing("a", from: .accessToken).removing("xms_cc", from: .accessToken).isEmpty)
        #expect(own.merging(more) == more && own.adding(clientCapabilities: []) == own)
    }

    static let headers: [(header: String, claims: String?)] = [
        (#"Bearer error="insufficient_claims", claims="eyJhIjoxfQ==""#, #"{"a":1}"#),
        (#"Bearer claims="eyJhIjoxfQ""#, #"{"a":1}"#), (#"bearer claims=eyJhIjoxfQ"#, #"{"a":1}"#),
        (#"Bearer claims="{\"a\":1}""#, #"{"a":1}"#), (#"Basic realm="x", Bearer claims="eyJhIjoxfQ""#, #"{"a":1}"#),
        (#"Negotiate abc==, Bearer realm="r, s", claims="eyJhIjoxfQ""#, #"{"a":1}"#),
        (#"Bearer, Bearer claims="eyJhIjoxfQ""#, #"{"a":1}"#), (#", ,Bearer claims = "eyJhIjoxfQ" ,"#, #"{"a":1}"#),
        (#"Bearer claims="eyJhIjoxfQ", claims="eyJiIjoxfQ""#, nil), (#"Bearer claims="eyJhIjoxfQ"#, nil),
        (#"Bearer claims="eyJhIjoxfQ\"#, nil), (#"Basic claims="eyJhIjoxfQ""#, nil), (#"Bearer claims="!!""#, nil),
        ("claims=x", nil), ("Bearer", nil), ("", nil), (#"Bearer error="invalid_token""#, nil), ("Bearer =", nil),
        ("Bearer claims=\"\(String(repeating: "a", count: 20_000))\"", nil),
    ]

    @Test("is found in an API's challenge, or nothing is", arguments: headers)
    func challenge(header: String, claims: String?) {
        #expect(ClaimsChallenge(wwwAuthenticate: header)?.claims == claims)
    }
}
