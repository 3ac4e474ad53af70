import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardRedemption

@Suite("The exchange with the token endpoint")
struct ExchangeTests {
    static let good = Reply.json(#"{"access_token":"at","token_type":"bearer"}"#)

    @Test("the request says what RFC 6749 and RFC 7636 ask for, and asks for JSON")
    func request() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(Self.good)
        _ = try await fixture.redeem(fixture.plainRequest).get()
        let request = try #require(fixture.tokenRequests.first)
        #expect(request.method == "POST")
        #expect(request.header("accept") == "application/json")
        #expect(request.header("content-type") == "application/x-www-form-urlencoded")
        #expect(request.header("expect") == nil)
        #expect(request.header("authorization") == nil)
        #expect(
            request.fields == [
                "grant_type": "authorization_code", "code": "c0de", "code_verifier": "verifier", "client_id": "client",
                "redirect_uri": "https%3A%2F%2Flogin.contoso.com%2Fapp1%2Fauth",
            ])
    }

    @Test("the longest code that a callback can bring is sent, whatever it consists of")
    func longCode() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(Self.good)
        var request = fixture.plainRequest
        let code = String(repeating: "/", count: AuthorizationResponse.maximumLength)
        request.grant = .code(
            Secret(code), redirectURI: "https://login.contoso.com/app1/auth", verifier: Secret("verifier"))
        _ = try await fixture.redeem(request).get()
        #expect(fixture.tokenRequests.first?.fields["code"]?.utf8.count == 3 * code.utf8.count)
    }

    @Test("HTTP Basic carries the form-encoded ID and secret")
    func basic() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(Self.good)
        var request = fixture.plainRequest
        request.expectations.clientID = "a:b"
        request.authentication = .clientSecretBasic(Secret("p w%"))
        _ = try await fixture.redeem(request).get()
        let sent = try #require(fixture.tokenRequests.first)
        #expect(sent.header("authorization") == "Basic " + Base64.encode(Array("a%3Ab:p+w%25".utf8)))
        #expect(sent.fields["client_secret"] == nil)
    }

    @Test("client_secret_post carries the secret in the content")
    func post() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(Self.good)
        var request = fixture.plainRequest
        request.authentication = .clientSecretPost(Secret("p w"))
        _ = try await fixture.redeem(request).get()
        let sent = try #require(fixture.tokenRequests.first)
        #expect(sent.header("authorization") == nil)
        #expect(sent.fields["client_secret"] == "p+w")
    }

    @Test("unknown members of the answer are kept, and declined scopes are named")
    func members() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(
            .json(#"{"access_token":"at","token_type":"Bearer","scope":"Mail","ext":{"a":[1]}}"#))
        var request = fixture.plainRequest
        request.expectations.requestedScopes = Scopes(parsing: "mail calendar offline_access")
        let tokens = try await fixture.redeem(request).get()
        #expect(tokens.response.members["ext"] == ["a": [1]])
        #expect(tokens.grantedScopes.text == "Mail")
        #expect(tokens.declinedScopes.text == "calendar")
        #expect(tokens.idTokenClaims == nil)
    }

    @Test("any 2xx may bring tokens", arguments: [200, 201, 202, 203, 299])
    func anySuccess(status: Int) async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.json(#"{"access_token":"at","token_type":"bearer","expires_in":"3600"}"#, status: status))
        let tokens = try await fixture.redeem(fixture.plainRequest).get()
        #expect(tokens.response.expiresIn == 3600)
        #expect(fixture.reports.all.last == "token ok")
    }

    @Test("scopes that come as an array are the granted ones")
    func scopeArray() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.json(#"{"access_token":"at","token_type":"Bearer","scope":["mail","x"]}"#))
        var request = fixture.plainRequest
        request.expectations.requestedScopes = Scopes(parsing: "mail calendar")
        let tokens = try await fixture.redeem(request).get()
        #expect((tokens.grantedScopes.text, tokens.declinedScopes.text) == ("mail x", "calendar"))
    }

    @Test("every request names the program that sends it")
    func userAgent() async throws {
        let fixture = try Fixture()
        fixture.answerToken()
        _ = try await fixture.redeem().get()
        #expect(fixture.server.requests.count == 3)
        #expect(Set(fixture.server.requests.map { $0.header("user-agent") }) == ["switchyard/0.1.0"])
    }

    @Test(
        "an error that is an object reaches the app, whatever the answer is called",
        arguments: ["application/json", "text/javascript; charset=UTF-8"])
    func nestedError(type: String) async throws {
        let fixture = try Fixture()
        let body = #"{"error":{"message":"Invalid code","type":"OAuthException","code":100}}"#
        fixture.answerTokens(.answer(status: 400, headers: [("Content-Type", type)], body: body))
        let failure = await fixture.redeem(fixture.plainRequest).failure
        #expect(failure?.code == .authorizationFailed)
        #expect(failure?.internalCode == .authorizationFailed)
        #expect((failure?.description, failure?.oauthError) == ("Invalid code", "OAuthException"))
        #expect((failure?.oauthSuberror, failure?.httpStatus) == ("100", 400))
    }

    static let endings: [(reply: Reply, code: SignInFailure.Code)] = [
        (.json(#"{"error":"invalid_grant"}"#, status: 400), .invalidGrant),
        (.json(#"{"error":"invalid_client"}"#, status: 401), .invalidClient),
        (.json(#"{"error":"invalid_grant"}"#, status: 200), .invalidGrant),
        (.answer(status: 400, body: "oops"), .invalidResponse), (.json("{}", status: 404), .invalidResponse),
        (.json(#"{"access_token":"at","token_type":"Bearer"}"#, status: 302), .invalidResponse),
        (.json(#"{"error":{"message":"m"},"access_token":"at","token_type":"Bearer"}"#), .authorizationFailed),
        (.answer(status: 200, body: #"{"access_token":"at","token_type":"Bearer"}"#), .invalidResponse),
        (.json(#"{"access_token":"a","access_token":"b","token_type":"Bearer"}"#), .invalidResponse),
        (.json(#"{"access_token":"","token_type":"Bearer"}"#), .invalidResponse),
        (.json(#"{"access_token":"at","token_type":"mac"}"#), .invalidResponse), (.json("[]"), .invalidResponse),
        (.json(#"{"access_token":"at","token_type":"Bearer"} x"#), .invalidResponse),
        (.raw("garbage\r\n\r\n"), .invalidResponse), (.flood, .invalidResponse),
        (.json(String(repeating: " ", count: 70_000)), .invalidResponse), (.close, .network), (.reset, .network),
        (.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"), .network),
        (.answer(status: 429, body: ""), .throttled),
    ]

    @Test("an answer that is no success, or none at all, ends the redemption at once", arguments: endings)
    func endsAtOnce(reply: Reply, code: SignInFailure.Code) async throws {
        let fixture = try Fixture()
        fixture.answerTokens(reply, Self.good)
        #expect(await fixture.redeem(fixture.plainRequest).failure?.code == code)
        #expect(fixture.tokenRequests.count == 1)
    }

    @Test("when no answer came after sending, the failure says that the code may be spent")
    func spent() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.close)
        let description = await fixture.redeem(fixture.plainRequest).failure?.description
        #expect(description?.text.contains("the code may be spent") == true)
    }

    @Test("the additions of Microsoft's issuers to an error reach the app")
    func errorDetails() async throws {
        let fixture = try Fixture()
        let body = """
            {"error":"interaction_required","suberror":"basic_action","error_description":"AADSTS50076",\
            "correlation_id":"c-1","claims":"{}","error_codes":[50076]}
            """
        fixture.answerTokens(.json(body, status: 400))
        var failure = await fixture.redeem(fixture.plainRequest).failure
        #expect(failure?.httpHeaders["content-type"] == "application/json")
        #expect(failure?.errorCodes == [50076])
        failure?.httpHeaders = [:]
        failure?.errorCodes = []
        #expect(
            failure
                == SignInFailure(
                    .interactionRequired, internalCode: failure?.internalCode, oauthError: "interaction_required",
                    oauthSuberror: "basic_action", description: "AADSTS50076", correlationID: "c-1", httpStatus: 400,
                    claims: "{}"))
    }

    @Test("a redirect is not followed")
    func redirect() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.answer(status: 307, headers: [("Location", fixture.server.url + "/other")], body: ""))
        #expect(await fixture.redeem(fixture.plainRequest).failure?.code == .invalidResponse)
        #expect(fixture.server.count("/other") == 0)
    }

    @Test("an answer that drips without end is cut off by the time limit")
    func drip() async throws {
        let fixture = try Fixture { $0.timeout = .milliseconds(400) }
        fixture.answerTokens(.drip)
        #expect(await fixture.redeem(fixture.plainRequest).failure?.code == .network)
        #expect(fixture.tokenRequests.count == 1)
    }

    @Test("a 5xx is tried once more, with the same content")
    func flaky() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.answer(status: 503, body: ""), Self.good)
        _ = try await fixture.redeem(fixture.plainRequest).get()
        #expect(fixture.tokenRequests.map(\.body).count == 2)
        #expect(Set(fixture.tokenRequests.map(\.body)).count == 1)
    }

    static let outages: [(reply: Reply, retryAfter: Int?)] = [
        (.answer(status: 500, body: ""), nil), (.answer(status: 503, headers: [("Retry-After", "7")], body: ""), 7),
        (.json(#"{"error":"invalid_grant"}"#, status: 502), nil),
    ]

    @Test("a 5xx twice is the end, with the issuer's Retry-After", arguments: outages)
    func outage(reply: Reply, retryAfter: Int?) async throws {
        let fixture = try Fixture()
        fixture.answerTokens(reply, reply, Self.good)
        let failure = await fixture.redeem(fixture.plainRequest).failure
        #expect(failure?.code == .serverError)
        #expect(failure?.httpStatus.map { (500...599).contains($0) } == true)
        #expect(failure?.retryAfter == retryAfter)
        #expect(fixture.tokenRequests.count == 2)
    }

    // 1,900,000,000 is Sun, 17 Mar 2030 17:46:40 GMT.
    static let retryAfters: [(header: String, seconds: Int?)] = [
        ("120", 120), ("0", 0), ("Sun, 17 Mar 2030 17:47:40 GMT", 60), ("Sun, 17 Mar 2030 17:00:00 GMT", 0),
        ("soon", nil), ("-1", nil),
        // No app can do anything with a time that is longer than a day.
        ("86401", 86_400), ("99999999999999999999", 86_400), ("Sun, 17 Mar 2099 17:47:40 GMT", 86_400),
    ]

    @Test("a 429 passes Retry-After on, in both of its forms", arguments: retryAfters)
    func throttled(header: String, seconds: Int?) async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.answer(status: 429, headers: [("retry-after", header)], body: ""))
        let failure = await fixture.redeem(fixture.plainRequest).failure
        #expect(failure?.code == .throttled)
        #expect(failure?.retryAfter == seconds)
        #expect(fixture.tokenRequests.count == 1)
    }

    @Test("two redemptions share a connection")
    func keepAlive() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(Self.good)
        _ = try await fixture.redeem(fixture.plainRequest).get()
        _ = try await fixture.redeem(fixture.plainRequest).get()
        #expect(Set(fixture.server.requests.map(\.connection)).count == 1)
    }

    @Test("a kept connection that the server closed while it was idle is replaced")
    func closedWhileIdle() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(Self.good)
        _ = try await fixture.redeem(fixture.plainRequest).get()
        fixture.server.closeConnections()
        _ = try await fixture.redeem(fixture.plainRequest).get()
        #expect(fixture.tokenRequests.count == 2)
        #expect(Set(fixture.tokenRequests.map(\.connection)).count == 2)
    }

    static let deaths: [Reply] = [.close, .reset]

    @Test("a kept connection that dies under a POST does not make libcurl send it again", arguments: deaths)
    func diesUnderRequest(reply: Reply) async throws {
        let fixture = try Fixture()
        fixture.answerTokens(Self.good, reply, Self.good)
        _ = try await fixture.redeem(fixture.plainRequest).get()
        let failure = await fixture.redeem(fixture.plainRequest).failure
        #expect(failure?.code == .network)
        #expect(failure?.description?.text.contains("the code may be spent") == true)
        #expect(fixture.tokenRequests.count == 2)
        #expect(Set(fixture.tokenRequests.map(\.connection)).count == 1)
    }

    @Test("a refused connection is told from a lost one")
    func refused() async throws {
        let fixture = try Fixture()
        let server = TestServer(isListening: false)
        var request = fixture.plainRequest
        request.expectations.issuer = Issuer(try fixture.configured(tokenEndpoint: server.url + "/token"))
        let failure = await fixture.redeem(request).failure
        #expect(failure?.code == .network)
        #expect(failure?.description?.text.contains("cannot be reached") == true)
    }

    @Test("a server that comes back within the pause gets the code, once")
    func comesBack() async throws {
        let fixture = try Fixture(retryDelay: .seconds(2))
        let server = TestServer(isListening: false) { _ in Self.good }
        var request = fixture.plainRequest
        request.expectations.issuer = Issuer(try fixture.configured(tokenEndpoint: server.url + "/token"))
        server.listenSoon()
        _ = try await fixture.redeem(request).get()
        #expect(server.count("/token") == 1)
    }
}
