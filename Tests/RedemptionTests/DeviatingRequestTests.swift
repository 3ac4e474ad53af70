import SwitchyardCrypto
import SwitchyardHTTPClient
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardRedemption

@Suite("Requests to issuers that deviate") struct DeviatingRequestTests {
    private static let secret = Secret("a client secret of more than 32 bytes")

    /// The change of each deviation to the requests, beside the bytes that stay.
    private struct Row: Sendable {
        let name: String
        let set: @Sendable (inout IssuerProfile) -> Void
        /// The query of the authorization request.
        var authorization = Row.strictAuthorization
        /// The contents of the requests for a code and a refresh token.
        var code = Row.strictCode
        var refresh = Row.strictRefresh

        static let strictAuthorization =
            "response_type=code&client_id=c&redirect_uri=https%3A%2F%2Fa.example%2Fcb&state=s&code_challenge=ch"
            + "&code_challenge_method=S256&scope=openid+mail&nonce=n&prompt=login&extra=1"
        static let strictCode =
            "grant_type=authorization_code&code=c0de&redirect_uri=https%3A%2F%2Fa.example%2Fcb&code_verifier=v&client_id=c"
            + "&client_secret=a+client+secret+of+more+than+32+bytes&resource=r"
        static let strictRefresh =
            "grant_type=refresh_token&refresh_token=old&scope=openid+mail&client_id=c"
            + "&client_secret=a+client+secret+of+more+than+32+bytes&resource=r"
    }

    private static let rows: [Row] = [
        Row(name: "none", set: { _ in }),
        Row(
            name: "pkce", set: { $0.deviations.omitsPKCE = true },
            authorization: Row.strictAuthorization.replacing("&code_challenge=ch&code_challenge_method=S256", with: ""),
            code: Row.strictCode.replacing("&code_verifier=v", with: "")),
        Row(
            name: "nonce", set: { $0.deviations.omitsNonce = true },
            authorization: Row.strictAuthorization.replacing("&nonce=n", with: "")),
        Row(
            name: "id_token", set: { $0.deviations.hasNoIDTokens = true },
            authorization: Row.strictAuthorization.replacing("&nonce=n", with: "")),
        Row(name: "id_token_algorithms", set: { $0.deviations.idTokenAlgorithms = [.hs256] }),
        Row(
            name: "token_request", set: { $0.deviations.sendsJSONTokenRequests = true },
            code: #"{"grant_type":"authorization_code","code":"c0de","redirect_uri":"https://a.example/cb","#
                + #""code_verifier":"v","client_id":"c","client_secret":"a client secret of more than 32 bytes","resource":"r"}"#,
            refresh: #"{"grant_type":"refresh_token","refresh_token":"old","scope":"openid mail","client_id":"c","#
                + #""client_secret":"a client secret of more than 32 bytes","resource":"r"}"#),
        Row(name: "token_response", set: { $0.deviations.readsFormTokenResponses = true }),
        Row(name: "token_type", set: { $0.deviations.acceptsAnyTokenType = true }),
        Row(name: "token_path", set: { $0.deviations.tokenPath = JSONPointer("/a") }),
        Row(
            name: "scope_separator", set: { $0.deviations.scopeSeparator = "," },
            authorization: Row.strictAuthorization.replacing("openid+mail", with: "openid%2Cmail"),
            refresh: Row.strictRefresh.replacing("openid+mail", with: "openid%2Cmail")),
        Row(
            name: "refresh_endpoint",
            set: {
                $0.deviations.refreshEndpoint = try? EndpointURL("https://r.example/", allowingLoopbackHTTP: false)
            }),
        Row(
            name: "parameter_names",
            set: {
                $0.deviations.parameterNames.rename("client_id", to: "client_key", in: .authorization)
                $0.deviations.parameterNames.rename("client_id", to: "client_key", in: .token)
                $0.deviations.parameterNames.rename("code", to: "auth_code", in: .token)
                $0.deviations.parameterNames.rename("scope", to: "user_scope", in: .authorization)
            },
            authorization: Row.strictAuthorization.replacing("client_id", with: "client_key")
                .replacing("scope=", with: "user_scope="),
            code: Row.strictCode.replacing("client_id", with: "client_key").replacing("&code=", with: "&auth_code="),
            refresh: Row.strictRefresh.replacing("client_id", with: "client_key")),
        // It changes assertions only, and this client has a secret.
        Row(name: "assertion_audience", set: { $0.deviations.addressesTokenEndpoint = true }),
        Row(
            name: "authorization_parameters",
            set: {
                $0.authorizationParameters = [
                    FormField("access_type", "offline"), FormField("prompt", "none"), FormField("extra", "2"),
                ]
            }, authorization: Row.strictAuthorization + "&access_type=offline"),
        Row(
            name: "resource",
            set: { $0.authorizationParameters = [FormField("resource", "other")] },
            authorization: Row.strictAuthorization + "&resource=other"),
        Row(
            name: "token_parameters",
            set: { $0.tokenParameters = [FormField("audience", "api"), FormField("resource", "other")] },
            code: Row.strictCode + "&audience=api", refresh: Row.strictRefresh + "&audience=api"),
    ]

    private func authorization(_ profile: IssuerProfile) throws -> String {
        let request = AuthorizationRequest(
            authorizationEndpoint: try EndpointURL("https://id.example/a", allowingLoopbackHTTP: false), clientID: "c",
            redirectURI: try RedirectURI("https://a.example/cb"), scope: Scopes(parsing: "openid mail"), state: "s",
            codeChallenge: "ch", nonce: "n", prompt: "login", extra: [("extra", "1")], profile: profile)
        return String(request.url.dropFirst("https://id.example/a?".count))
    }

    private func token(_ grant: RedemptionRequest.Grant, _ profile: IssuerProfile) throws -> String {
        let endpoint = try EndpointURL("https://id.example/t", allowingLoopbackHTTP: false)
        let settings = IssuerSettings(name: "odd", source: .discovery(endpoint), profile: profile)
        let request = RedemptionRequest(
            grant,
            expecting: TokenExpectations(
                issuer: Issuer(settings), clientID: "c", requestedScopes: Scopes(parsing: "openid mail")),
            authentication: .clientSecretPost(Self.secret), parameters: [FormField("resource", "r")])
        let metadata = IssuerMetadata(
            issuer: "https://id.example", authorizationEndpoint: endpoint, tokenEndpoint: endpoint)
        let credentials = try request.authentication.credentials(
            of: "c", for: ClientAudience(metadata, profile.deviations, now: 0))
        return String(
            decoding: TokenEndpoint.outgoing(request, to: endpoint, credentials).body ?? [], as: UTF8.self)
    }

    @Test("each deviation changes what it says, and nothing else", arguments: rows.indices)
    func each(index: Int) throws {
        let row = Self.rows[index]
        var profile = IssuerProfile()
        row.set(&profile)
        #expect(try authorization(profile) == row.authorization, "\(row.name)")
        let code = RedemptionRequest.Grant.code(
            Secret("c0de"), redirectURI: "https://a.example/cb", verifier: Secret("v"))
        #expect(try token(code, profile) == row.code, "\(row.name)")
        #expect(try token(.refreshToken(Secret("old")), profile) == row.refresh, "\(row.name)")
    }

    @Test("every deviation has a row")
    func complete() {
        #expect(Set(Deviation.allCases.map(\.rawValue)).isSubset(of: Set(Self.rows.map(\.name))))
    }

    @Test(
        "a neighbor that deviates leaves every request of a strict issuer as it is, byte for byte",
        arguments: rows.indices)
    func neighbor(index: Int) async throws {
        func requests(beside change: (@Sendable (inout IssuerProfile) -> Void)?) async throws -> [String] {
            let fixture = try Fixture()
            fixture.answerToken()
            if let change {
                // The neighbor has the name, the client and the redeemer of the strict issuer.
                var settings = fixture.issuer.settings
                change(&settings.profile)
                var request = fixture.request
                request.expectations.issuer = Issuer(settings)
                _ = await fixture.redeem(request)
            }
            let before = fixture.server.requests.count
            #expect(await fixture.redeem().failure == nil)
            return fixture.server.requests.dropFirst(before).map { request in
                let headers = request.headers.filter { $0.name != "host" }.map { "\($0.name): \($0.value)" }
                return "\(request.method) \(request.path) \(headers) \(request.body)"
            }
        }
        let alone = try await requests(beside: nil)
        let row = Self.rows[index]
        #expect(try await requests(beside: row.set) == alone, "\(row.name)")
        #expect(alone.contains { $0.contains("POST /token") })
    }
}
