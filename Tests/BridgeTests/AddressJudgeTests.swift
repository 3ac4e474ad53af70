import Testing

@testable import SwitchyardBridge

@Suite("Addresses that a far machine wants to have opened") struct AddressJudgeTests {
    private static let query = "response_type=code&client_id=app&state=s1"
    private static let base = "https://login.contoso.com/authorize?\(query)"
    private static let loopback = "&redirect_uri=http%3A%2F%2Flocalhost%3A8400%2Fcb"

    @Test(
        "an https authorization request with a state and a loopback redirect URI is a sign-in",
        arguments: [
            ("http://localhost:8400/cb", LoopbackEndpoint.Host.localhost, UInt16(8400), "/cb"),
            ("http://127.0.0.1:1024", .ipv4, 1024, "/"),
            ("http://[::1]:65535/", .ipv6, 65535, "/"),
            ("http%3A%2F%2Flocalhost%3A8400%2Fcb%3Fapp%3D1", .localhost, 8400, "/cb"),
        ])
    func signIn(redirect: String, host: LoopbackEndpoint.Host, port: UInt16, path: String) throws {
        let verdict = AddressJudge.judge("\(Self.base)&scope=openid+mail&redirect_uri=\(redirect)")
        guard case .signIn(let address) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(address.issuerHost == "login.contoso.com" && address.clientID == "app" && address.state == "s1")
        #expect(address.scope == "openid mail" && !address.isFormPost)
        #expect(
            address.redirectURI.host == host && address.redirectURI.port == port && address.redirectURI.path == path)
    }

    @Test(
        "what cannot be brought home is a link, with the reason",
        arguments: [
            ("https://contoso.com/", Objection.notAuthorizationRequest),
            ("https://contoso.com/?client_id=a", .notAuthorizationRequest),
            ("https://contoso.com/a?response_type=code&client_id=a\(loopback)", .noState),
            ("https://contoso.com/a?response_type=code&client_id=a&state=\(loopback)", .noState),
            ("https://contoso.com/a?client_id=a&request_uri=urn:x", .pushedRequest),
            ("\(base)\(loopback)&request=e30", .requestObject),
            ("\(base)\(loopback)&state=s2", .repeatedParameter),
            ("\(base)\(loopback)&client_id=b", .repeatedParameter),
            ("\(base)\(loopback)&redirect_uri=https://evil.example/", .repeatedParameter),
            ("\(base)\(loopback)&CLIENT_ID=b", .repeatedParameter), ("\(base)\(loopback)&Scope=x", .oddSpelling),
            ("\(base)\(loopback)&REQUEST_URI=urn:x", .oddSpelling), ("\(base)\(loopback)&Request=e30", .oddSpelling),
            ("\(base)\(loopback)&Response_Mode=fragment", .oddSpelling),
            // Rack 1 and 2 separate at `;`. PHP removes leading blanks, reads `.` and a blank as `_`, cuts at NUL and `[`.
            ("\(base)\(loopback)&nonce=x;client_id=EVIL;scope=api", .oddSeparator),
            ("\(base)\(loopback);client_id=EVIL", .oddSeparator), ("\(base)\(loopback)&x=1;y=2", .oddSeparator),
            ("https://contoso.com/a?x;response_type=code;client_id=EVIL", .oddSeparator),
            ("https://contoso.com/a;x=1?\(query)\(loopback)", .oddSeparator),
            ("https://contoso.com/a%00?\(query)\(loopback)", .oddSeparator),
            ("\(base)\(loopback)&client_id%00=EVIL", .oddSeparator), ("\(base)\(loopback)&x=a%00b", .oddSeparator),
            ("\(base)\(loopback)&client_id%00x=EVIL", .oddSeparator),
            ("\(base)\(loopback)&+client_id=EVIL", .repeatedParameter),
            ("\(base)\(loopback)&%20client_id=EVIL", .repeatedParameter),
            ("\(base)\(loopback)&client.id=EVIL", .repeatedParameter),
            ("\(base)\(loopback)&client+id=EVIL", .repeatedParameter),
            ("\(base)\(loopback)&client_id[]=EVIL", .repeatedParameter),
            ("\(base)\(loopback)&client_id%5B%5D=EVIL", .repeatedParameter),
            ("\(base)\(loopback)&client_id%5B0%5D=EVIL", .repeatedParameter),
            ("\(base)\(loopback)&client%5Bid=EVIL", .repeatedParameter),
            ("\(base)\(loopback)&redirect.uri=http://localhost:8400/", .repeatedParameter),
            ("\(base)\(loopback)&+scope=api", .oddSpelling), ("\(base)\(loopback)&scope[]=api", .oddSpelling),
            ("\(base)\(loopback)&scope%5Bx%5D=api", .oddSpelling),
            ("\(base)\(loopback)&request.uri=urn:x", .oddSpelling),
            ("\(base)\(loopback)&authorization.details=x", .oddSpelling),
            ("\(base)\(loopback)&resource[]=x", .oddSpelling),
            ("\(base)\(loopback)&+prompt=none", .oddSpelling), ("\(base)\(loopback)&%C5%BFcope=api", .oddSpelling),
            ("https://contoso.com/a?response.type=code&client.id=a", .oddSpelling),
            // Rack 1 and 2 read these as `client_id`, and Express reads the first so.
            ("\(base)\(loopback)&[client_id]=EVIL", .oddSpelling),
            ("\(base)\(loopback)&]client_id=EVIL", .oddSpelling),
            ("\(base)\(loopback)&[]client_id=EVIL", .oddSpelling),
            ("\(base)\(loopback)&client_id]=EVIL", .oddSpelling),
            ("\(base)\(loopback)&%5Bclient_id%5D=EVIL", .oddSpelling),
            ("\(base)\(loopback)&%5B%5Dclient_id=EVIL", .oddSpelling),
            ("\(base)\(loopback)&client_id%5D=EVIL", .oddSpelling), ("\(base)\(loopback)&[Scope]=api", .oddSpelling),
            ("\(base)\(loopback)&[scope]%CC%81=api", .oddSpelling),
            ("\(base)\(loopback)&[redirect.uri]=x", .oddSpelling),
            ("https://contoso.com/a?[response_type]=code&]client_id=a", .oddSpelling),
            ("https://contoso.com/a?response_type%5D=code&%5B%5Dclient_id=a", .oddSpelling),
            ("\(base)\(loopback)&prompt=none&prompt=login", .repeatedParameter),
            ("https://contoso.com/a?response_type=code&client_id=a&x=%zz", .undecodable),
            ("\(base)\(loopback)#x", .fragment), ("https://contoso.com/sso?SAMLRequest=fZJ&RelayState=x", .saml),
            (base, .noRedirectURI),
            ("\(base)&redirect_uri=https://localhost:8400/cb", .secureLoopback),
            ("\(base)&redirect_uri=https://app.contoso.com/cb", .redirectElsewhere),
            ("\(base)&redirect_uri=http://192.168.1.1:8400/cb", .redirectElsewhere),
            ("\(base)&redirect_uri=http://localhost.evil.example:8400/", .redirectElsewhere),
            ("\(base)&redirect_uri=http://user@localhost:8400/", .redirectMalformed),
            ("\(base)&redirect_uri=http://localhost:8400/a/../b", .redirectMalformed),
            ("\(base)&redirect_uri=http://localhost:8400/a%23b", .redirectMalformed),
            ("\(base)&redirect_uri=http://localhost/cb", .noPort),
            ("\(base)&redirect_uri=http://localhost:631/cb", .noPort),
            ("\(base)&redirect_uri=msauth.app://auth", .redirectElsewhere),
            ("\(base)\(loopback)&response_mode=fragment", .answerInFragment),
            ("\(base)\(loopback)&response_mode=query.jwt", .signedAnswer),
            ("https://contoso.com/a?response_type=id_token&client_id=a&state=s\(loopback)", .answerInFragment),
        ])
    func link(address: String, objection: Objection) {
        #expect(AddressJudge.judge(address) == .link(address, objection))
    }

    @Test(
        "parameters that every issuer reads alike are no obstacle",
        arguments: [
            "x-client-SKU=MSAL.Python", "nonce=a%3Bb", "login_hint=a.b@contoso.com", "x.y=1", "claims=%7B%7D",
            "a%5B%5D=1", "vectors[of]trust=1", "[x]=1",
            "client_info=1", "id_token_hint=x", "ui_locales=fr+en", "x=%2500", "code_challenge=a-b_c.d~e",
        ])
    func ordinary(parameter: String) {
        guard case .signIn = AddressJudge.judge("\(Self.base)\(Self.loopback)&\(parameter)") else {
            Issue.record("\(parameter): \(AddressJudge.judge("\(Self.base)\(Self.loopback)&\(parameter)"))")
            return
        }
    }

    @Test("resources, details, prompt and path are read, because the person must see them")
    func shown() throws {
        let more =
            "&resource=https://a.example/&resource=https://b.example/&audience=api&prompt=consent"
            + "&authorization_details=%5B%7B%22type%22%3A%22payment%22%7D%5D"
        guard case .signIn(let address) = AddressJudge.judge(Self.base + Self.loopback + more) else {
            Issue.record("no sign-in")
            return
        }
        #expect(address.resources == ["https://a.example/", "https://b.example/", "api"])
        #expect(address.authorizationDetails == #"[{"type":"payment"}]"# && address.prompt == "consent")
        #expect(address.issuerPath == "/authorize")
    }

    @Test(
        "each objection to a sign-in's address has a way round, or says that there is none",
        arguments: Objection.allCases)
    func remedies(objection: Objection) {
        let remedy = objection.remedy(for: Self.base + Self.loopback, on: "devbox")
        #expect(remedy?.hasSuffix(".") != true && remedy?.contains("HOST") != true)
        #expect(objection != .noState || remedy?.contains("ssh -L 8400:localhost:8400 devbox") == true)
        #expect(objection.isOfSignIn == (remedy != nil) || objection == .fragment)
    }

    @Test(
        "what two programs could read differently is refused",
        arguments: [
            "", "https://", "https:///a", "https://a b/", "https://contoso.com/\u{1B}[2J", "https://contoso.com/\n",
            "javascript:alert(1)",
            "file:///etc/passwd", "data:text/html,x", "http://contoso.com/", "http://localhost/",
            "http://localhost:80/",
            "https://user@contoso.com/", "https://contoso.com\\@evil.example/", "-h", "https://éxample.com/",
            "http://localhost:8000/#x", "https://" + String(repeating: "a", count: 9000),
        ])
    func refused(address: String) {
        guard case .refused = AddressJudge.judge(address) else {
            Issue.record("\(AddressJudge.judge(address))")
            return
        }
    }

    @Test("a page of the tool's own loopback is one, with its query")
    func localPage() {
        guard case .localPage(let page) = AddressJudge.judge("http://localhost:8000/start?x=1") else {
            Issue.record("no page")
            return
        }
        #expect(page.target == "/start?x=1" && page.endpoint.port == 8000)
    }

    @Test(
        "a trusted pair covers that client at that host only",
        arguments: [
            ("login.contoso.com/app", true), ("LOGIN.contoso.com/app", true), ("login.contoso.com/App", false),
            ("contoso.com/app", false), ("login.contoso.com/ap", false), ("login.contoso.com:8443/app", false),
        ])
    func trust(pair: String, covers: Bool) throws {
        guard case .signIn(let address) = AddressJudge.judge(Self.base + Self.loopback) else { return }
        #expect(try #require(TrustedPair(pair)).covers(address) == covers)
        #expect(TrustedPair("login.contoso.com") == nil && TrustedPair("/app") == nil && TrustedPair("a/") == nil)
    }

    @Test("a port that the pair does not name is any port of the host")
    func trustedPorts() throws {
        let text = Self.base.replacing("contoso.com", with: "contoso.com:8443") + Self.loopback
        guard case .signIn(let address) = AddressJudge.judge(text) else { return }
        #expect(address.issuerHost == "login.contoso.com:8443")
        #expect(try #require(TrustedPair("login.contoso.com/app")).covers(address))
        #expect(try #require(TrustedPair("login.contoso.com:8443/app")).covers(address))
        #expect(try !#require(TrustedPair("login.contoso.com:443/app")).covers(address))
    }

    @Test("an address is offered once, and at most five in a minute")
    func ledger() {
        var ledger = OfferLedger()
        for number in 0..<5 { #expect(ledger.decide("a\(number)", now: 100) == .offer) }
        #expect(ledger.decide("a1", now: 100) == .known)
        #expect(ledger.decide("a5", now: 101) == .tooMany(isSaid: false))
        #expect(ledger.decide("a6", now: 102) == .tooMany(isSaid: true))
        #expect(ledger.decide("a6", now: 161) == .offer)
        #expect(ledger.decide("a0", now: 161) == .known)
    }

    @Test("a tool's own page may come again, five times in a minute")
    func recurring() {
        var ledger = OfferLedger()
        for _ in 0..<5 { #expect(ledger.decide(now: 100) == .offer) }
        #expect(ledger.decide(now: 101) == .tooMany(isSaid: false))
        #expect(ledger.decide(now: 160) == .offer)
    }

    @Test("a claim has no control, no turned writing and no end that cannot be seen")
    func claim() {
        #expect(UntrustedText.shown("a\u{1B}[2J\nb") == "a\\u{1B}[2J\\u{A}b")
        #expect(UntrustedText.shown("a\u{202E}b") == "a\\u{202E}b")
        #expect(UntrustedText.shown(String(repeating: "e\u{301}", count: 300), limit: 10).unicodeScalars.count == 11)
        #expect(UntrustedText.shown("<b>") == "<b>")
    }
}
