import SwitchyardConfiguration
import SwitchyardJOSE
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@Suite("Deviations in the configuration") struct DeviationsTests {
    /// A sample with one issuer of these keys, and one app of these.
    private static func sample(_ keys: String, app: String = "") -> Sample {
        Sample(
            issuers: "[{ name: contoso, issuer: 'https://id.contoso.com', \(keys) }]",
            apps: "[{ \(Sample.app)\(app) }]")
    }

    private static let secret = ", client_secret: '0123456789abcdef0123456789abcdef', begin_from: { uids: [1000] }"

    private static func profile(_ keys: String, app: String = secret) throws -> IssuerProfile {
        try sample(keys, app: app).configuration().issuers[0].profile
    }

    @Test("an issuer without the keys keeps the protocol")
    func strict() throws {
        let issuer = try Sample().configuration().issuers[0]
        #expect(issuer.profile == .strict)
        #expect(issuer.profile.deviations.accepted.isEmpty)
    }

    private struct Row: Sendable {
        let deviation: Deviation
        let keys: String
        let isSet: @Sendable (Deviations) -> Bool
    }

    private static let rows: [Row] = [
        Row(deviation: .pkce, keys: "pkce: off") { $0.omitsPKCE },
        Row(deviation: .nonce, keys: "nonce: off") { $0.omitsNonce },
        Row(deviation: .idToken, keys: "id_token: none") { $0.hasNoIDTokens },
        Row(deviation: .idTokenAlgorithms, keys: "id_token_algorithms: [HS256]") { $0.idTokenAlgorithms == [.hs256] },
        Row(deviation: .idTokenAlgorithms, keys: "id_token_algorithms: [ES256, RS256]") {
            $0.idTokenAlgorithms == [.publicKey(.es256), .publicKey(.rs256)]
        },
        Row(deviation: .tokenRequest, keys: "token_request: json") { $0.sendsJSONTokenRequests },
        Row(deviation: .tokenResponse, keys: "token_response: form") { $0.readsFormTokenResponses },
        Row(deviation: .tokenType, keys: "token_type: any") { $0.acceptsAnyTokenType },
        Row(deviation: .tokenPath, keys: "token_path: /authed_user") { $0.tokenPath?.text == "/authed_user" },
        Row(deviation: .scopeSeparator, keys: "scope_separator: ','") { $0.scopeSeparator == "," },
        Row(deviation: .refreshEndpoint, keys: "refresh_endpoint: 'https://other.contoso.com/r'") {
            $0.refreshEndpoint?.text == "https://other.contoso.com/r"
        },
        Row(deviation: .parameterNames, keys: "parameter_names: { client_id: client_key, code: spapi_oauth_code }") {
            $0.parameterNames.name(of: "client_id", in: .authorization) == "client_key"
                && $0.parameterNames.name(of: "client_id", in: .token) == "client_key"
                && $0.parameterNames.name(of: "code", in: .callback) == "spapi_oauth_code"
                && $0.parameterNames.name(of: "code", in: .token) == "code"
        },
        Row(deviation: .parameterNames, keys: "parameter_names: { code: { callback: auth_code, token: auth_code } }") {
            $0.parameterNames.name(of: "code", in: .token) == "auth_code"
                && $0.parameterNames.name(of: "code", in: .callback) == "auth_code"
        },
        Row(deviation: .assertionAudience, keys: "assertion_audience: token_endpoint") { $0.addressesTokenEndpoint },
    ]

    @Test("each key sets its deviation alone, and check tells its cost", arguments: rows.indices)
    func each(index: Int) throws {
        let row = Self.rows[index]
        let sample = Self.sample("deviations: { \(row.keys) }", app: Self.secret)
        let configuration = try sample.configuration()
        let deviations = configuration.issuers[0].profile.deviations
        #expect(row.isSet(deviations))
        #expect(deviations.accepted == [row.deviation])
        let report = CheckReport(configuration, warnings: []).description
        #expect(report.contains("issuer contoso, which deviates:"))
        #expect(report.contains("\n    \(row.deviation.rawValue)"), "\(report)")
    }

    @Test("every deviation has a row here")
    func complete() {
        #expect(Set(Self.rows.map(\.deviation)) == Set(Deviation.allCases))
    }

    @Test("the word that keeps the protocol is taken too")
    func kept() throws {
        let keys =
            "pkce: on, nonce: on, id_token: required, token_request: form, token_response: json, token_type: bearer, "
            + "scope_separator: ' '"
        #expect(try Self.profile("deviations: { \(keys) }", app: "").deviations == .none)
    }

    @Test("parameters and account are read")
    func more() throws {
        let profile = try Self.profile(
            """
            authorization_parameters: { access_type: offline, prompt: consent }, token_parameters: { audience: api },
            account: { url: 'https://api.contoso.com/me', id: /data/id, name: /data/login }
            """)
        #expect(profile.authorizationParameters.map(\.name) == ["access_type", "prompt"])
        #expect(profile.authorizationParameters.map(\.value) == ["offline", "consent"])
        #expect(profile.tokenParameters == [FormField("audience", "api")])
        #expect(profile.account?.url.text == "https://api.contoso.com/me")
        #expect(profile.account?.id.text == "/data/id")
        #expect(profile.account?.name?.text == "/data/login")
    }

    @Test(
        "a wrong key is refused with its line and a remedy",
        arguments: [
            ("deviations: { pkce: forbidden }", "write on or off"),
            ("deviations: { pkc: off }", "did you mean \"pkce\"?"),
            ("deviations: { nonce: off, id_token: none }", "with id_token: none there is no ID token"),
            (
                "deviations: { id_token: none, id_token_algorithms: [RS256] }",
                "with id_token: none there is no ID token"
            ),
            ("deviations: { id_token_algorithms: [none] }", "an ID token without a signature proves nothing"),
            ("deviations: { id_token_algorithms: [HS512] }", "write some of HS256"),
            ("deviations: { id_token_algorithms: [] }", "an empty list of algorithms"),
            ("deviations: { token_path: authed_user }", "write a JSON pointer"),
            ("deviations: { token_path: '/a~2' }", "write a JSON pointer"),
            ("deviations: { scope_separator: ', ' }", "the one character"),
            ("deviations: { scope_separator: a }", "the one character"),
            ("deviations: { refresh_endpoint: 'http://id.contoso.com/r' }", "is not https"),
            ("deviations: { parameter_names: { client: x } }", "cannot have another name"),
            ("deviations: { parameter_names: { client_id: state } }", "no other parameter of the protocol has"),
            ("deviations: { parameter_names: { state: x, scope: x } }", "no other parameter of the protocol has"),
            ("deviations: { parameter_names: { state: CODE } }", "no other parameter of the protocol has"),
            ("deviations: { parameter_names: { state: client.id } }", "no other parameter of the protocol has"),
            ("deviations: { parameter_names: { state: a.b, scope: A_B } }", "no other parameter of the protocol has"),
            ("deviations: { parameter_names: { client_id: 'a=b' } }", "write a name of letters"),
            ("deviations: { parameter_names: { client_id: { callback: x } } }", "known here are: authorization, token"),
            ("deviations: { assertion_audience: endpoint }", "write issuer or token_endpoint"),
            ("authorization_parameters: { state: x }", "the gateway sets \"state\""),
            ("authorization_parameters: { '[client_id]': x }", "the gateway sets"),
            ("authorization_parameters: { PROMPT: x }", "the gateway sets"),
            ("token_parameters: { client_secret: x }", "the gateway sets"),
            ("token_parameters: { 'grant.type': x }", "as the name of a parameter"),
            ("token_parameters: [a]", "a list where a mapping belongs"),
            ("account: { url: 'https://api.contoso.com/me' }", "\"id\" is missing"),
            ("account: { url: 'https://api.contoso.com/me', id: id }", "write a JSON pointer"),
            ("account: { url: 'ftp://api.contoso.com/me', id: /id }", "use https"),
        ])
    func refused(keys: String, words: String) {
        let outcome = Self.sample(keys, app: Self.secret).load()
        #expect(outcome.configuration == nil)
        #expect(outcome.errors.contains { $0.contains(words) }, "\(outcome.errors)")
        #expect(!outcome.errors.contains { $0.contains("unknown issuer") }, "\(outcome.errors)")
    }

    @Test(
        "an app that a deviation leaves without protection is refused",
        arguments: [
            ("pkce: off", "", "no client authentication, although the issuer \"contoso\" has pkce: off"),
            ("id_token_algorithms: [HS256]", "", "no client secret, although"),
            (
                "id_token_algorithms: [HS256]", ", client_secret: short, begin_from: { uids: [1] }",
                "a client secret of 5 bytes"
            ),
            ("id_token: none", ", default_scope: 'openid mail'", "default_scope has openid, although"),
        ])
    func unprotected(deviation: String, app: String, words: String) {
        let outcome = Self.sample("deviations: { \(deviation) }", app: app).load()
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
    }

    @Test("one app without openid makes id_token: none sensible; the others are warned")
    func someWithOpenID() {
        let outcome = Sample(
            issuers: "[{ name: contoso, issuer: 'https://id.contoso.com', deviations: { id_token: none } }]",
            apps: """
                [\(Sample.app("a", uris: "'https://login.contoso.com/a'", "release: none, default_scope: openid")),
                 \(Sample.app("b", uris: "'https://login.contoso.com/b'", "release: none, default_scope: mail"))]
                """
        ).load()
        #expect(outcome.configuration != nil, "\(outcome.errors)")
        #expect(outcome.warnings.filter { $0.contains("default_scope has openid") }.count == 1)
    }

    @Test("an issuer whose ID tokens have the client's secret needs no jwks_uri")
    func withoutKeys() {
        let keys =
            "authorization_endpoint: 'https://id.contoso.com/a', token_endpoint: 'https://id.contoso.com/t', deviations: "
            + "{ id_token_algorithms: [HS256] }"
        let outcome = Self.sample(keys, app: Self.secret + ", default_scope: openid").load()
        #expect(outcome.configuration != nil, "\(outcome.errors)")
        #expect(!outcome.warnings.contains { $0.contains("no keys") }, "\(outcome.warnings)")
    }
}
