import SwitchyardCrypto
import SwitchyardOAuth
import Testing

@Suite("Authorization requests") struct AuthorizationRequestTests {
    @Test("the URL carries every parameter, encoded")
    func url() throws {
        var request = try request(to: "https://id.example/authorize")
        request.nonce = "n-1"
        request.loginHint = "a&b@example.com"
        request.extra = [("ui_locales", "de en")]
        let fields = try fields(of: request)
        #expect(fields["response_type"] == "code")
        #expect(fields["client_id"] == "ABCDE 12345")
        #expect(fields["redirect_uri"] == "https://login.contoso.com/app1/auth")
        #expect(fields["scope"] == "openid User.Read")
        #expect(fields["state"] == "st")
        #expect(fields["code_challenge"] == "ch")
        #expect(fields["code_challenge_method"] == "S256")
        #expect(fields["nonce"] == "n-1")
        #expect(fields["login_hint"] == "a&b@example.com")
        #expect(fields["ui_locales"] == "de en")
        #expect(fields["prompt"] == nil)
    }

    @Test(
        "a query of the endpoint is retained, except what the request sets itself",
        arguments: [
            ("https://id.example/a?p=B2C_1%5Fsignin", "https://id.example/a?p=B2C_1%5Fsignin&response_type=code&"),
            ("https://id.example/a?", "https://id.example/a?response_type=code&"),
            ("https://id.example/a?client_id=x&p=1", "https://id.example/a?p=1&response_type=code&"),
            ("https://id.example/a?re%71uest=x", "https://id.example/a?response_type=code&"),
        ])
    func endpointQuery(endpoint: String, start: String) throws {
        let url = try request(to: endpoint).url
        #expect(url.hasPrefix(start))
        #expect(url.split(separator: "?", omittingEmptySubsequences: false).count == 2)
    }

    @Test("extra parameters displace nothing", arguments: AuthorizationRequest.ownParameters)
    func extra(name: String) throws {
        var request = try request(to: "https://id.example/a")
        let before = request.url
        let spellings = [
            name, name.uppercased(), name.prefix(1).uppercased() + name.dropFirst(), " \(name)", "\(name) ",
            name.replacing("_", with: "."), "\(name)[]", "[\(name)]", "]\(name)", "\(name)]", "[]\(name)",
            "\(name)\0x",
        ]
        for spelling in spellings {
            #expect(AuthorizationRequest.isOwn(spelling))
            request.extra = [(spelling, "evil")]
            #expect(request.url == before)
        }
    }

    @Test(
        "an extra parameter that no issuer reads as one of the request's own is sent",
        arguments: ["x-client-SKU", "domain_hint2", "vectors[of]trust", "audience", "resource", "a.b", "client"])
    func ordinaryExtra(name: String) throws {
        #expect(!AuthorizationRequest.isOwn(name))
        var request = try request(to: "https://id.example/a")
        request.extra = [(name, "one")]
        #expect(try fields(of: request)[name] == "one")
    }

    @Test("the verifier and challenge of RFC 7636 appendix B belong together")
    func pkce() throws {
        let pkce = try #require(PKCE(verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")))
        #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("a fresh verifier is one that RFC 7636 allows, and another every time")
    func freshPKCE() {
        let first = PKCE()
        #expect(PKCE(verifier: first.verifier) == first)
        #expect(PKCE.isChallenge(first.challenge))
        #expect(PKCE() != first)
    }

    @Test("a verifier of a wrong length or alphabet is refused", arguments: [42, 43, 128, 129])
    func verifiers(length: Int) {
        #expect((PKCE(verifier: Secret(String(repeating: "~", count: length))) != nil) == (43...128).contains(length))
        #expect(PKCE(verifier: Secret(String(repeating: "+", count: length))) == nil)
        #expect(PKCE.isChallenge(String(repeating: "a", count: length)) == (length == 43))
        #expect(!PKCE.isChallenge(String(repeating: "+", count: length)))
    }

    @Test(
        "an endpoint is https, or http on loopback where that is allowed",
        arguments: [
            ("https://id.example/a?b=c", true, true), ("https://[::1]:9000/a", true, true),
            ("http://localhost:9000", true, false),
            ("http://127.0.0.1/a", true, false), ("http://id.example/a", false, false),
            ("https://id.example/a#", false, false),
            ("https://id.example/a?b#c", false, false), ("https://u@id.example/", false, false),
            ("ftp://localhost/", false, false),
            ("file:///etc/passwd", false, false), ("https://id.example/a b", false, false),
            ("https://id.example/?a b", false, false),
            ("id.example", false, false), ("", false, false),
        ])
    func endpoints(text: String, allowed: Bool, strictly: Bool) {
        #expect(((try? EndpointURL(text, allowingLoopbackHTTP: true)) != nil) == allowed)
        #expect(((try? EndpointURL(text, allowingLoopbackHTTP: false)) != nil) == strictly)
    }

    private func request(to endpoint: String) throws -> AuthorizationRequest {
        AuthorizationRequest(
            authorizationEndpoint: try EndpointURL(endpoint, allowingLoopbackHTTP: false), clientID: "ABCDE 12345",
            redirectURI: try RedirectURI("https://login.contoso.com/app1/auth"),
            scope: Scopes(parsing: "openid User.Read"), state: "st", codeChallenge: "ch")
    }

    private func fields(of request: AuthorizationRequest) throws -> [String: String] {
        let query = try #require(request.url.split(separator: "?").last)
        let fields = try FormEncoding.decode(Array(query.utf8))
        return Dictionary(fields.map { ($0.name, $0.value) }) { _, _ in "twice" }
    }
}
