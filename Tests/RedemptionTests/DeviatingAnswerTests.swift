import SwitchyardCrypto
import SwitchyardJOSE
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardRedemption

@Suite("Answers of issuers that deviate") struct DeviatingAnswerTests {
    private static let secret = Secret("a client secret of more than 32 bytes")

    private static func form(
        _ body: String, status: Int = 200, type: String = "application/x-www-form-urlencoded"
    ) -> Reply {
        .answer(status: status, headers: [("Content-Type", type)], body: body)
    }

    private func fixture(_ change: (inout Deviations) -> Void) throws -> Fixture {
        try Fixture { change(&$0.profile.deviations) }
    }

    @Test(
        "a form-encoded answer is read where the issuer is known for it",
        arguments: [
            "application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=utf-8", "text/plain",
        ])
    func form(type: String) async throws {
        let body = "access_token=a%20t&token_type=bearer&scope=mail+files&expires_in=60&extra=1"
        let fixture = try fixture { $0.readsFormTokenResponses = true }
        fixture.answerTokens(Self.form(body, type: type))
        let tokens = try await fixture.redeem(fixture.plainRequest).get()
        #expect(tokens.response.accessToken.exposedText == "a t" && tokens.response.expiresIn == 60)
        #expect(tokens.grantedScopes.names == ["mail", "files"] && tokens.response.members["extra"] == "1")

        let strict = try Fixture()
        strict.answerTokens(Self.form(body, type: type))
        #expect(await strict.redeem(strict.plainRequest).failure?.code == .invalidResponse)
    }

    @Test(
        "a form that is no token response is none, and its error is told",
        arguments: [
            (200, "error=bad_verification_code&error_description=old", SignInFailure.Code.invalidGrant),
            (400, "error=invalid_grant&error_description=old", .invalidGrant),
            (200, "access_token=a&access_token=b&token_type=bearer", .invalidResponse),
            (200, "access_token=a%", .invalidResponse), (200, "", .invalidResponse), (200, "oops", .invalidResponse),
            (302, "access_token=a&token_type=bearer", .invalidResponse),
        ])
    func formErrors(status: Int, body: String, code: SignInFailure.Code) async throws {
        let fixture = try fixture { $0.readsFormTokenResponses = true }
        fixture.answerTokens(Self.form(body, status: status))
        let failure = await fixture.redeem(fixture.plainRequest).failure
        #expect(failure?.code == code)
        if code == .invalidGrant { #expect(failure?.description == "old") }
    }

    @Test("JSON is read as before beside forms")
    func jsonBesideForms() async throws {
        let fixture = try fixture { $0.readsFormTokenResponses = true }
        fixture.answerTokens(.json(Fixture.tokenResponse(nil)))
        #expect(await fixture.redeem(fixture.plainRequest).failure == nil)
    }

    @Test("a token of any type is passed on as it came", arguments: [#""bot""#, #""N_A""#, #""""#, "null"])
    func anyType(type: String) async throws {
        let body = "{\"access_token\":\"a\",\"token_type\":\(type)}"
        let fixture = try fixture { $0.acceptsAnyTokenType = true }
        fixture.answerTokens(.json(body))
        let tokens = try await fixture.redeem(fixture.plainRequest).get()
        #expect(tokens.response.members["token_type"] == (try JSONValue.parse(Array(body.utf8))).object?["token_type"])

        let strict = try Fixture()
        strict.answerTokens(.json(body))
        #expect(await strict.redeem(strict.plainRequest).failure?.code == .invalidResponse)
    }

    @Test("tokens are read at the path alone")
    func path() async throws {
        let fixture = try fixture { $0.tokenPath = JSONPointer("/data/user") }
        fixture.answerTokens(
            .json(
                """
                {"ok":true,"access_token":"bot","refresh_token":"bot","scope":"bot","team":{"id":"T"},
                 "data":{"user":{"access_token":"user","token_type":"Bearer","scope":"mail","id":"U"}}}
                """))
        let tokens = try await fixture.redeem(fixture.plainRequest).get()
        #expect(tokens.response.accessToken.exposedText == "user" && tokens.response.refreshToken == nil)
        #expect(tokens.grantedScopes.names == ["mail"])
        let names = tokens.response.members.members.map(\.name)
        #expect(names == ["access_token", "token_type", "scope", "id", "ok", "team"])
    }

    @Test(
        "an answer without the object is no success, but for a refresh at the top",
        arguments: [
            #"{"access_token":"bot","token_type":"Bearer"}"#, #"{"data":"x"}"#, #"{"data":{"user":[]}}"#,
            #"{"data":{"user":{"token_type":"Bearer"}}}"#,
        ])
    func pathMissing(body: String) async throws {
        let fixture = try fixture { $0.tokenPath = JSONPointer("/data/user") }
        fixture.answerTokens(.json(body))
        #expect(await fixture.redeem(fixture.plainRequest).failure?.code == .invalidResponse)
        var refresh = fixture.plainRequest
        refresh.grant = .refreshToken(Secret("old"))
        let isAtTop = body.contains("bot")
        #expect(await fixture.redeem(refresh).failure?.code == (isAtTop ? nil : .invalidResponse))
    }

    @Test("an error at the top or at the path is told")
    func pathErrors() async throws {
        for body in [#"{"ok":false,"error":"invalid_code"}"#, #"{"data":{"user":{"error":"invalid_code"}}}"#] {
            let fixture = try fixture { $0.tokenPath = JSONPointer("/data/user") }
            fixture.answerTokens(.json(body))
            let failure = await fixture.redeem(fixture.plainRequest).failure
            #expect(failure?.code == .invalidGrant, "\(body)")
        }
    }

    @Test("scopes of an answer are split at the issuer's separator")
    func separator() async throws {
        let fixture = try fixture { $0.scopeSeparator = "+" }
        fixture.answerTokens(.json(Fixture.tokenResponse(nil, ["scope": "mail+files"])))
        #expect(try await fixture.redeem(fixture.plainRequest).get().grantedScopes.names == ["mail", "files"])
    }

    @Test("a refresh goes to its own address, and its token to no other")
    func refreshEndpoint() async throws {
        let moved = try Fixture { settings in
            if case .discovery(let url) = settings.source {
                settings.profile.deviations.refreshEndpoint = try? EndpointURL(
                    url.text + "/refresh", allowingLoopbackHTTP: true)
            }
        }
        moved.alter { $0.others["/refresh"] = .json(Fixture.tokenResponse(nil)) }
        moved.answerTokens(.json(Fixture.tokenResponse(nil)))
        var refresh = moved.plainRequest
        refresh.grant = .refreshToken(Secret("old"))
        refresh.origin = moved.server.url
        let tokens = try await moved.redeem(refresh).get()
        #expect(moved.server.count("/refresh") == 1 && moved.server.count("/token") == 0)
        #expect(tokens.origin == moved.server.url)
        refresh.origin = "https://elsewhere.example"
        #expect(await moved.redeem(refresh).failure?.code == .invalidResponse)
        #expect(moved.server.count("/refresh") == 1)
        _ = try await moved.redeem(moved.plainRequest).get()
        #expect(moved.server.count("/token") == 1)
    }

    // MARK: ID tokens

    private static func signed(_ claims: JSONObject, _ algorithm: String = "HS256", by key: Secret = secret) -> String {
        let parts = [["alg": .string(algorithm)], claims].map { Base64URL.encode(JSONValue.object($0).serialized) }
        let message = parts.joined(separator: ".")
        return "\(message).\(Base64URL.encode(HMACSHA256.code(for: Array(message.utf8), key: key.exposedBytes)))"
    }

    private func redeem(
        _ idToken: (Fixture) -> String, authentication: ClientAuthentication = .clientSecretPost(secret),
        deviating change: (inout Deviations) -> Void = { $0.idTokenAlgorithms = [.hs256] }
    ) async throws -> (Result<RedeemedTokens, SignInFailure>, Fixture) {
        let fixture = try fixture(change)
        fixture.answerTokens(.json(Fixture.tokenResponse(idToken(fixture))))
        var request = fixture.request
        request.authentication = authentication
        return (await fixture.redeem(request), fixture)
    }

    @Test("HS256 verifies with the client's secret, without a look at published keys")
    func secretSigned() async throws {
        let (result, fixture) = try await redeem({ Self.signed($0.claims()) })
        #expect(try result.get().idTokenClaims?["sub"] == "alice")
        #expect(fixture.server.count("/keys") == 0)
    }

    @Test("only a signature by HS256 with the client's secret passes")
    func secretForged() async throws {
        let cases: [(String, (Fixture) -> String)] = [
            ("another secret", { Self.signed($0.claims(), by: Secret("another secret of more than 32 bytes")) }),
            ("a published key as the secret", { TestKey.rsa.signAsHMAC($0.claims()) }),
            ("the name of another algorithm", { Self.signed($0.claims(), "HS512") }),
            ("an algorithm with a public key", { TestKey.rsa.sign($0.claims(), "RS256") }),
            ("no signature", { TestKey.rsa.pretend($0.claims(), "none", signature: "") }),
            ("a cut signature", { String(Self.signed($0.claims()).dropLast(8)) }),
            ("another nonce", { Self.signed($0.claims(["nonce": "x"])) }),
            ("another client", { Self.signed($0.claims(["aud": "x"])) }),
            ("an end in the past", { Self.signed($0.claims(["exp": 1])) }),
            ("a wrong at_hash", { Self.signed($0.claims(["at_hash": "x"])) }),
        ]
        for (name, token) in cases {
            let (result, _) = try await redeem(token)
            #expect(result.failure?.code == .invalidIDToken, "\(name)")
        }
    }

    @Test("a short or a missing secret verifies no token")
    func shortSecret() async throws {
        let short = Secret("0123456789012345678901234567890")
        let (result, _) = try await redeem(
            { Self.signed($0.claims(), by: short) }, authentication: .clientSecretPost(short))
        #expect(result.failure?.code == .invalidIDToken)
        let (without, _) = try await redeem({ Self.signed($0.claims(), by: Secret("")) }, authentication: .none)
        #expect(without.failure?.code == .invalidIDToken)
    }

    @Test("HS256 does not pass at an issuer that was not named for it, whatever the secret")
    func strictSecret() async throws {
        let (result, _) = try await redeem({ Self.signed($0.claims()) }, deviating: { _ in })
        #expect(result.failure?.description == "the ID token: it is signed with an algorithm that is not allowed")
    }

    @Test("a list of algorithms narrows the accepted ones")
    func narrowed() async throws {
        let signed: (Fixture) -> String = { TestKey.rsa.sign($0.claims(), "RS256") }
        let (result, _) = try await redeem(signed, deviating: { $0.idTokenAlgorithms = [.publicKey(.es256)] })
        #expect(result.failure?.code == .invalidIDToken)
        let (good, _) = try await redeem(signed, deviating: { $0.idTokenAlgorithms = [.hs256, .publicKey(.rs256)] })
        #expect(good.failure == nil)
    }

    @Test("without a nonce in ID tokens all other checks stay")
    func noNonce() async throws {
        let claims: [(JSONObject, isFine: Bool)] = [
            (["nonce": .null], true), (["nonce": "another"], true), (["nonce": .null, "aud": "x"], false),
            (["nonce": .null, "exp": 1], false), (["nonce": .null, "iss": "https://x.example"], false),
        ]
        for (changes, isFine) in claims {
            let (result, _) = try await redeem(
                { TestKey.rsa.sign($0.claims(changes), "RS256") }, deviating: { $0.omitsNonce = true })
            #expect((result.failure == nil) == isFine, "\(changes)")
        }
    }

    @Test("an issuer without ID tokens is asked for no keys, and an ID token of its is dropped")
    func noIDTokens() async throws {
        let (result, fixture) = try await redeem(
            { _ in "forged.by.anybody" }, deviating: { $0.hasNoIDTokens = true })
        let tokens = try result.get()
        #expect(tokens.idTokenClaims == nil && tokens.response.idToken == nil)
        #expect(tokens.response.members["id_token"] == nil && fixture.server.count("/keys") == 0)
    }

    // MARK: Accounts

    private static let account: @Sendable (inout IssuerSettings) -> Void = { settings in
        guard case .discovery(let url) = settings.source, let id = JSONPointer("/id"), let name = JSONPointer("/login"),
            let me = try? EndpointURL(url.text + "/me", allowingLoopbackHTTP: true)
        else { return }
        settings.profile.account = AccountEndpoint(url: me, id: id, name: name)
    }

    private func identity(_ reply: Reply) async throws -> (Result<AccountIdentity?, SignInFailure>, Fixture) {
        let fixture = try Fixture(Self.account)
        fixture.alter { $0.others["/me"] = reply }
        let issuer = fixture.issuer
        let result = await fixture.run { redeemer -> Result<AccountIdentity?, SignInFailure> in
            do throws(SignInFailure) {
                return .success(try await redeemer.identity(by: Secret("at"), at: issuer))
            } catch {
                return .failure(error)
            }
        }
        return (result, fixture)
    }

    @Test("the account endpoint is asked with the token", arguments: [(#"7"#, "7"), (#""seven""#, "seven")])
    func account(id: String, text: String) async throws {
        let (result, fixture) = try await identity(.json("{\"id\":\(id),\"login\":\"octo\\ncat\"}"))
        let identity = try #require(try result.get())
        #expect(identity.id == text && identity.name == "octo cat")
        #expect(fixture.server.requests.last?.header("authorization") == "Bearer at")
        #expect(fixture.reports.all.contains("account ok"))
    }

    @Test(
        "an answer that names nobody is a failure",
        arguments: [
            #"{"login":"x"}"#, #"{"id":null,"login":"x"}"#, #"{"id":"","login":"x"}"#, #"{"id":1.5,"login":"x"}"#,
            #"{"id":{},"login":"x"}"#, #"{"id":1}"#, "[]", "no JSON",
        ])
    func nobody(body: String) async throws {
        #expect(try await identity(.json(body)).0.failure?.code == .invalidResponse)
    }
}
