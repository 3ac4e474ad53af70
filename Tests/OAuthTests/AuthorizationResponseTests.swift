import SwitchyardCrypto
import SwitchyardOAuth
import Testing

@Suite("Authorization responses") struct AuthorizationResponseTests {
    @Test("a code comes with its state and issuer")
    func code() throws {
        let response = try parse("code=a%2Bb&state=xyz&iss=https%3A%2F%2Fid.example&session_state=1")
        guard case .code(let code) = response.outcome else { return #expect(Bool(false), "no code") }
        #expect(code == Secret("a+b"))
        #expect(response.state == Secret("xyz"))
        #expect(response.issuer == "https://id.example")
        #expect(response.parameters.map(\.name) == ["code", "state", "iss", "session_state"])
    }

    @Test("an error keeps what the issuer said, decoded")
    func error() throws {
        let response = try parse(
            "error=access_denied&error_description=AADB2C90118%3A+The+user&suberror=cancel&correlation_id=c1&state=xyz")
        guard case .error(let error) = response.outcome else { return #expect(Bool(false), "no error") }
        #expect(
            error
                == AuthorizationError(
                    error: "access_denied", errorDescription: "AADB2C90118: The user", suberror: "cancel",
                    correlationID: "c1"))
    }

    @Test(
        "an error that is named by other parameters is one, too",
        arguments: [
            ("error_code=1349126&error_message=App+not+set+up", "1349126", "App not set up", nil),
            ("error_reason=user_denied&error_code=200&error_message=m", "user_denied", "m", "200"),
            ("error_message=only+words", "unknown_error", "only words", nil),
            ("error=&error_code=5", "5", nil, nil),
        ] as [(query: String, name: IssuerText, description: IssuerText?, number: IssuerText?)])
    func otherNames(query: String, name: IssuerText, description: IssuerText?, number: IssuerText?) throws {
        let response = try parse("\(query)&state=s")
        guard case .error(let error) = response.outcome else { return #expect(Bool(false), "no error") }
        #expect((error.error, error.errorDescription, error.suberror) == (name, description, number))
    }

    @Test("such a parameter given twice is refused where it decides, and changes no response that has a code")
    func otherNamesTwice() throws {
        let error = AuthorizationResponseError.duplicateParameter(name: "error_code")
        #expect(throws: error) { try parse("error_code=1&error_code=2&state=s") }
        guard case .code = try parse("code=c&error_code=1&error_code=2&state=s").outcome else {
            return #expect(Bool(false), "no code")
        }
    }

    @Test("a form_post is read from the content")
    func content() throws {
        let response = try parse("", content: "code=a&state=xyz")
        #expect(response.state == Secret("xyz"))
        #expect(response.issuer == nil)
    }

    @Test(
        "a decisive parameter given twice is refused, also with the same value or an escaped name",
        arguments: ["code", "state", "error", "iss", "response", "id_token"])
    func duplicates(name: String) {
        let expected = AuthorizationResponseError.duplicateParameter(name: name)
        let other =
            name == "error" ? "state=s" : name == "state" ? "code=c" : name == "code" ? "state=s" : "code=c&state=s"
        #expect(throws: expected) { try parse("\(other)&\(name)=1&\(name)=1") }
        #expect(throws: expected) { try parse("\(other)&\(name)=&\(name)=1") }
        #expect(throws: expected) {
            try parse("\(other)&\(name)=1&%\(String(name.utf8.first ?? 0, radix: 16))\(name.dropFirst())=2")
        }
        #expect(throws: expected) { try parse("\(other)&\(name)=1", content: "\(name)=1") }
    }

    @Test("a parameter that decides nothing may come twice")
    func harmlessDuplicates() throws {
        #expect(try parse("code=a&state=s&x=1&x=2").parameters.count == 4)
    }

    @Test(
        "a callback that is no authorization response is refused for its reason",
        arguments: [
            ("", .missingState), ("code=a", .missingState), ("code=a&state=", .missingState),
            ("error=access_denied", .missingState), ("state=s", .neitherCodeNorError),
            ("code=&state=s", .neitherCodeNorError), ("error=&state=s", .neitherCodeNorError),
            ("response=jwt&state=s", .neitherCodeNorError), ("code=a&error=b&state=s", .bothCodeAndError),
            ("CODE=a&state=s", .neitherCodeNorError), ("code=%zz&state=s", .malformed(.invalidEscape)),
            ("code=a;state=s", .missingState), ("state=s&code=" + String(repeating: "c", count: 65536), .tooLarge),
            ("code=a&state=s" + String(repeating: "&x=1", count: 100), .malformed(.tooManyFields)),
        ] as [(String, AuthorizationResponseError)])
    func refused(query: String, error: AuthorizationResponseError) {
        #expect(throws: error) { try parse(query) }
    }

    @Test("a state of any length is one: whose it is remains to be seen", arguments: [1, 512, 513, 60000])
    func longState(count: Int) throws {
        let state = String(repeating: "s", count: count)
        #expect(try parse("code=a&state=\(state)").state == Secret(state))
    }

    @Test("an empty iss is not taken for an absent one")
    func emptyIssuer() throws {
        #expect(try parse("code=a&state=s&iss=").issuer == "")
    }

    @Test("a response does not print its code or state")
    func printing() throws {
        var dumped = ""
        dump(try parse("code=hunter2&state=hunter3"), to: &dumped)
        #expect(!dumped.contains("hunter"))
    }

    private func parse(_ query: String, content: String? = nil) throws -> AuthorizationResponse {
        try .parse(query: Array(query.utf8), content: content.map { Array($0.utf8) })
    }
}
