import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@Suite("Token responses") struct TokenResponseTests {
    @Test("everything in a full response is read, and the unknown kept")
    func full() throws {
        let response = try parse(
            #"""
            {"access_token":"at","token_type":"bearer","expires_in":3599,"refresh_token":"rt","id_token":"a.b.c",
            "scope":"User.Read openid","foci":"1","ext_expires_in":7200}
            """#)
        #expect(response.accessToken == Secret("at"))
        #expect(response.refreshToken == Secret("rt"))
        #expect(response.idToken == "a.b.c")
        #expect(response.scope == Scopes(parsing: "User.Read openid"))
        #expect(response.expiresIn == 3599)
        #expect(response.members["foci"] == "1")
        #expect(response.members.members.count == 8)
    }

    @Test(
        "expires_in is a number of seconds, also in a string",
        arguments: [("3600", 3600), (#""3600""#, 3600), ("3600.0", 3600), ("0", 0), ("null", nil)] as [(String, Int?)])
    func expiry(text: String, seconds: Int?) throws {
        #expect(try parse(#"{"access_token":"a","token_type":"Bearer","expires_in":\#(text)}"#).expiresIn == seconds)
    }

    @Test(
        "scope is a string or an array of strings",
        arguments: [
            (#""a b""#, "a b"), (#"["a","b"]"#, "a b"), (#"["a b","c"]"#, "a b c"), (#"["",""]"#, nil), ("[]", nil),
            (#""""#, nil), ("null", nil),
        ] as [(String, String?)])
    func scope(json: String, scope: String?) throws {
        let response = try parse(#"{"access_token":"a","token_type":"Bearer","scope":\#(json)}"#)
        #expect(response.scope == scope.map { Scopes(parsing: $0) })
    }

    @Test(
        "an answer that breaks the protocol is refused for its reason",
        arguments: [
            ("", .notAnObject), ("[]", .notAnObject), ("access_token=a&token_type=Bearer", .notAnObject),
            (#"{"access_token":"a","access_token":"b","token_type":"Bearer"}"#, .notAnObject),
            (#"{"token_type":"Bearer"}"#, .missingAccessToken),
            (#"{"access_token":"","token_type":"Bearer"}"#, .missingAccessToken),
            (#"{"access_token":1,"token_type":"Bearer"}"#, .invalidMember(name: "access_token")),
            (#"{"access_token":"a"}"#, .unsupportedTokenType),
            (#"{"access_token":"a","token_type":"DPoP"}"#, .unsupportedTokenType),
            (#"{"access_token":"a","token_type":"Bearer","expires_in":-1}"#, .invalidMember(name: "expires_in")),
            (#"{"access_token":"a","token_type":"Bearer","expires_in":"soon"}"#, .invalidMember(name: "expires_in")),
            (#"{"access_token":"a","token_type":"Bearer","id_token":{}}"#, .invalidMember(name: "id_token")),
            (#"{"access_token":"a","token_type":"Bearer","expires_in":"+5"}"#, .invalidMember(name: "expires_in")),
            (#"{"access_token":"a","token_type":"Bearer","expires_in":"0x10"}"#, .invalidMember(name: "expires_in")),
            (#"{"access_token":"a","token_type":"Bearer","scope":["a",1]}"#, .invalidMember(name: "scope")),
            (#"{"access_token":"a","token_type":"Bearer","scope":{}}"#, .invalidMember(name: "scope")),
            (#"{"access_token":"a","token_type":"Bearer","scope":["a\n"]}"#, .invalidCharacter(name: "scope")),
        ] as [(String, TokenResponseError)])
    func refused(body: String, error: TokenResponseError) {
        #expect(throws: error) { try parse(body) }
    }

    @Test(
        "what would end a line or a header field, or is no ASCII, is in no member",
        arguments: ["access_token", "token_type", "refresh_token", "scope"],
        [#"\n"#, #"\r"#, #"\u0000"#, #"\t"#, #"\u007f"#, "ä", #"\u2028"#])
    func characters(name: String, character: String) throws {
        var members = ["access_token": "a", "token_type": "Bearer"]
        members[name] = "\(members[name] ?? "x")\(character)host=evil.example"
        let body = "{" + members.map { #""\#($0)":"\#($1)""# }.joined(separator: ",") + "}"
        #expect(throws: TokenResponseError.invalidCharacter(name: name)) { try parse(body) }
    }

    @Test("a scope has neither quotation marks nor backslashes", arguments: [#"a\"b"#, #"a\\b"#])
    func scope(text: String) {
        #expect(throws: TokenResponseError.invalidCharacter(name: "scope")) {
            try parse(#"{"access_token":"a","token_type":"Bearer","scope":"\#(text)"}"#)
        }
    }

    @Test("a token response does not print")
    func printing() throws {
        var dumped = ""
        let response = try parse(#"{"access_token":"hunter2","token_type":"Bearer"}"#)
        dump(response, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(!"\(response)".contains("hunter2"))
    }

    @Test("an error answer is read with Microsoft's additions")
    func errorAnswer() throws {
        let body = #"""
            {"error":"invalid_grant","error_description":"AADSTS50076: \u00e4","error_codes":[50076],"suberror":"basic_action",
            "correlation_id":"c1","claims":"{}","error_uri":"https://x"}
            """#
        let error = try #require(TokenErrorResponse(body: Array(body.utf8)))
        #expect(error.error == "invalid_grant")
        #expect(error.errorDescription == "AADSTS50076: ä")
        #expect(error.errorCodes == [50076])
        #expect(error.suberror == "basic_action")
        #expect(error.correlationID == "c1")
        #expect(error.claims == "{}")
    }

    @Test(
        "an error that is an object keeps its text",
        arguments: [
            (
                #"{"message":"Invalid code","type":"OAuthException","code":100}"#, "OAuthException", "Invalid code",
                "100"
            ),
            (#"{"code":"invalid_grant","message":"m","type":"x"}"#, "invalid_grant", "m", nil),
            (#"{"code":403,"status":"PERMISSION_DENIED"}"#, "PERMISSION_DENIED", nil, "403"),
            (#"{"message":"only words"}"#, "unknown_error", "only words", nil),
        ] as [(json: String, name: IssuerText, description: IssuerText?, number: IssuerText?)])
    func nestedError(json: String, name: IssuerText, description: IssuerText?, number: IssuerText?) throws {
        let error = try #require(TokenErrorResponse(body: Array(#"{"error":\#(json)}"#.utf8)))
        #expect((error.error, error.errorDescription, error.suberror) == (name, description, number))
    }

    @Test(
        "an answer without an error is no error answer",
        arguments: ["", "{}", "[]", #"{"error":""}"#, #"{"error":{}}"#, #"{"error":{"x":1}}"#, "<html>"])
    func noErrorAnswer(body: String) {
        #expect(TokenErrorResponse(body: Array(body.utf8)) == nil)
    }

    private func parse(_ body: String) throws -> TokenResponse {
        try .parse(body: Array(body.utf8))
    }
}
