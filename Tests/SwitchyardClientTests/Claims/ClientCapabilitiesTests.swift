import Testing

@testable import SwitchyardClient

@Suite("Client capabilities") struct ClientCapabilitiesTests {
    @Test(
        "what the app asks of xms_cc itself stays",
        arguments: [
            (#"{"values":["own"]}"#, #"{"values":["own","cp1"]}"#),
            (#"{"values":["cp1"]}"#, #"{"values":["cp1"]}"#),
            (#"{"values":["own",1,null]}"#, #"{"values":["own",1,null,"cp1"]}"#),
            (#"{"essential":true,"values":["own"]}"#, #"{"essential":true,"values":["own","cp1"]}"#),
            (#"{"essential":true,"value":"x"}"#, #"{"essential":true,"value":"x","values":["cp1"]}"#),
            ("null", #"{"values":["cp1"]}"#),
        ])
    func own(wishes: String, expected: String) throws {
        let request = try ClaimsRequest(json: #"{"access_token":{"xms_cc":\#(wishes)}}"#)
        let able = request.adding(clientCapabilities: ["cp1"])
        #expect(able.json == #"{"access_token":{"xms_cc":\#(expected)}}"#)
    }
}
