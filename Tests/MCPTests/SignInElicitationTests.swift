import SwitchyardJSON
import Testing

@testable import SwitchyardMCP

struct SignInElicitationTests {
    private static let elicitation = SignInElicitation(id: "7F2C", url: "https://a.example/s", message: "Sign in")

    private func message(_ text: String) throws -> MCPMessage { try MCPMessage(line: Array(text.utf8)) }

    private func modern(_ method: String, capabilities: String, _ more: String = "") throws -> MCPMessage {
        try message(
            #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"#
                + #""2026-07-28","io.modelcontextprotocol/clientCapabilities":\#(capabilities)}\#(more)}}"#)
    }

    private static let url = #"{"elicitation":{"url":{}}}"#

    @Test func theRequestOfASession() throws {
        let request = try MCPMessage(line: Self.elicitation.request)
        #expect(request.method == "elicitation/create")
        #expect(
            request.params == [
                "mode": "url", "url": "https://a.example/s", "message": "Sign in",
                "elicitationId": "switchyard-sign-in-7F2C",
            ])
        let completion = try MCPMessage(line: Self.elicitation.completion)
        #expect(completion.kind == .notification(method: "notifications/elicitation/complete"))
        #expect(completion.params == ["elicitationId": "switchyard-sign-in-7F2C"])
    }

    @Test func onlyItsOwnAnswerIsTaken() throws {
        let own = try message(#"{"jsonrpc":"2.0","id":"switchyard-sign-in-7F2C","result":{"action":"accept"}}"#)
        let error = try message(#"{"jsonrpc":"2.0","id":"switchyard-sign-in-7F2C","error":{"code":1,"message":"no"}}"#)
        let other = try message(#"{"jsonrpc":"2.0","id":"7F2C","result":{}}"#)
        #expect(Self.elicitation.isAnswered(by: own) && Self.elicitation.isAnswered(by: error))
        #expect(!Self.elicitation.isAnswered(by: other))
    }

    @Test func onlyURLModeThatWasDeclaredCounts() throws {
        let empty = try message(
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"elicitation":{}}}}"#)
        let form = try message(
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"elicitation":{"form":{}}}}}"#)
        let url = try message(
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"elicitation":{"url":{}}}}}"#)
        #expect(!empty.declaresURLElicitation && !form.declaresURLElicitation && url.declaresURLElicitation)
    }

    @Test(arguments: ["tools/call", "prompts/get", "resources/read"])
    func theseRequestsTakeAResultThatAsks(_ method: String) throws {
        #expect(try modern(method, capabilities: Self.url).takesSignInElicitation)
        #expect(try !modern(method, capabilities: #"{"elicitation":{}}"#).takesSignInElicitation)
        #expect(try !modern(method, capabilities: Self.url, #","requestState":"s""#).takesSignInElicitation)
        #expect(try !modern(method, capabilities: Self.url, #","inputResponses":{}"#).takesSignInElicitation)
    }

    @Test(arguments: ["tools/list", "server/discover", "subscriptions/listen"])
    func noOtherRequestDoes(_ method: String) throws {
        #expect(try !modern(method, capabilities: Self.url).takesSignInElicitation)
    }

    @Test func aRequestOfASessionDoesNot() throws {
        let call = try message(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":"#
                + #"{"elicitation":{"url":{}}}}}}"#)
        #expect(!call.takesSignInElicitation)
    }

    @Test func theResultAsksByAnAddress() throws {
        let id = try #require(MessageID(7))
        let result = try MCPMessage(line: Self.elicitation.inputRequired(id))
        #expect(result.kind == .response(id))
        #expect(
            result.json["result"] == [
                "resultType": "input_required",
                "inputRequests": [
                    "switchyard-sign-in": [
                        "method": "elicitation/create",
                        "params": ["mode": "url", "url": "https://a.example/s", "message": "Sign in"],
                    ]
                ],
            ])
    }

    @Test func theRetryGoesOnWithoutOurMembers() throws {
        let alone = try modern(
            "tools/call", capabilities: Self.url,
            #","name":"x","inputResponses":{"switchyard-sign-in":{"action":"accept"}}"#)
        let stripped = try #require(alone.withoutSignInResponse)
        #expect(stripped.params?["inputResponses"] == nil && stripped.params?["name"] == "x")
        let both = try modern(
            "tools/call", capabilities: Self.url,
            #","inputResponses":{"switchyard-sign-in":{"action":"accept"},"b":{"action":"accept"}}"#)
        #expect(both.withoutSignInResponse?.params?["inputResponses"] == ["b": ["action": "accept"]])
        let other = try modern("tools/call", capabilities: Self.url, #","inputResponses":{"b":{}}"#)
        #expect(other.withoutSignInResponse == nil)
    }
}
