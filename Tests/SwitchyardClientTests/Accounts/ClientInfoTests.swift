import SwitchyardCrypto
import Testing

@testable import SwitchyardClient

@Suite("client_info") struct ClientInfoTests {
    @Test(
        "a home account id is of one account only",
        arguments: [
            (#"{"uid":"a.b","utid":"c"}"#, "a.b.c" as String?), (#"{"uid":"a","utid":"b.c"}"#, nil),
            (#"{"uid":"a","utid":"."}"#, nil), (#"{"uid":"a","utid":""}"#, nil), (#"{"uid":"","utid":"b"}"#, nil),
        ])
    func identifier(json: String, identifier: String?) {
        #expect(ClientInfo(Base64URL.encode(Array(json.utf8)))?.homeAccountID == identifier)
    }

    @Test(
        "reads who somebody is, or refuses",
        arguments: [
            ("eyJ1aWQiOiJhIiwidXRpZCI6ImIifQ", "a.b"), ("eyJ1aWQiOiJhIiwidXRpZCI6ImIifQ==", "a.b"), ("", nil),
            ("eyJ1aWQiOiJhIn0", nil), ("eyJ1aWQiOiIiLCJ1dGlkIjoiYiJ9", nil), ("!!!", nil), ("W10", nil),
        ] as [(String, String?)])
    func clientInfo(text: String, home: String?) {
        #expect(ClientInfo(text)?.homeAccountID == home)
    }
}
