import SwitchyardOAuth
import SwitchyardRouting
import Testing

@testable import SwitchyardGateway

@Suite("Begin parameters") struct BeginParametersTests {
    @Test("an app's name alone is enough")
    func minimal() throws {
        let parameters = try BeginParameters.sample()
        #expect(parameters.app.id.text == "mail")
        #expect(parameters.redirectURI.text == "https://login.example/mail")
        #expect(parameters.scope.text == "openid profile")
        #expect(parameters.hostLabel == nil)
        #expect(parameters.parameters == [])
        guard case .tokens = parameters.mode else {
            Issue.record("the gateway redeems by default")
            return
        }
    }

    @Test("an app on loopback gives its own state and challenge, and its port", arguments: ["local", "listed"])
    func loopback(app: String) throws {
        let own = "\"completion\": \"response\", \"state\": \"\(BeginParameters.state)\", \"scope\": \"x\""
        let parameters = try BeginParameters.sample("\(own), \"return_port\": 49152", app: app)
        #expect(parameters.returnPort == 49152)
        func description(_ members: String) -> String? {
            do {
                _ = try BeginParameters.sample(members, app: app)
                return nil
            } catch {
                return (error as? APIError)?.description
            }
        }
        #expect(description("\"return_port\": 49152")?.contains("the app redeems by itself") == true)
        #expect(description(own)?.contains("\"return_port\" is missing") == true)
        for port in ["0", "80", "1023", "65536", "\"49152\""] {
            #expect(description("\(own), \"return_port\": \(port)")?.contains("from 1024 to 65535") == true)
        }
        let custom = "\(own), \"return_port\": 49152, \"redirect_uri\": \"x-local://auth\""
        if app == "local" { #expect(description(custom)?.contains("one of the app's https ones") == true) }
    }

    @Test("a field that is null is left out")
    func null() throws {
        let names = [
            "redirect_uri", "scope", "completion", "prompt", "claims", "extra_parameters", "host_label", "state",
        ]
        let parameters = try BeginParameters.sample(names.map { "\"\($0)\": null" }.joined(separator: ", "))
        #expect(parameters.redirectURI.text == "https://login.example/mail")
        #expect(parameters.parameters == [])
    }

    @Test(
        "a redirect URI is one of the app's, and a loopback one has the port of the call",
        arguments: [
            ("mail", "https://login.example/mail"), ("mail", "https://login.example/2"), ("mail", "msauth.mail://auth"),
            ("mail", "http://127.0.0.1/cb"), ("mail", "http://127.0.0.1:49152/cb"), ("mail", "http://127.0.0.1:1/cb"),
            ("cli", "http://localhost:8080/"), ("cli", "http://localhost:65535/"), ("cli", "http://[::1]:5000/cb"),
        ])
    func redirectURI(app: String, uri: String) throws {
        #expect(try BeginParameters.sample("\"redirect_uri\": \"\(uri)\"", app: app).redirectURI.text == uri)
    }

    @Test("without a redirect URI and without an https one it is the app's first")
    func defaultRedirectURI() throws {
        #expect(try BeginParameters.sample(app: "cli").redirectURI.text == "http://localhost:8080/")
    }

    @Test(
        "a scope takes the place of the app's own", arguments: ["User.Read", "openid https://graph.example/.default"])
    func scope(text: String) throws {
        #expect(try BeginParameters.sample("\"scope\": \"\(text)\"").scope.text == text)
    }

    @Test(
        "a host label is up to 64 plain characters",
        arguments: ["build-box-7", "a", "A.b_C-9", "-", String(repeating: "x", count: 64)])
    func hostLabel(label: String) throws {
        #expect(try BeginParameters.sample("\"host_label\": \"\(label)\"").hostLabel == label)
    }

    @Test("hints, claims and extra parameters go into the authorization request, in this order")
    func parameters() throws {
        let parameters = try BeginParameters.sample(
            """
            "extra_parameters": {"audience": "mfa", "ui_locales": "fr en", "empty": ""}, "claims": {"id_token": {}},
            "domain_hint": "contoso.com", "login_hint": "ana@contoso.com", "prompt": "login"
            """)
        #expect(
            parameters.parameters == [
                FormField("prompt", "login"), FormField("login_hint", "ana@contoso.com"),
                FormField("domain_hint", "contoso.com"), FormField("claims", "{\"id_token\":{}}"),
                FormField("audience", "mfa"), FormField("ui_locales", "fr en"), FormField("empty", ""),
            ])
    }

    @Test(
        "an optional field that is empty counts as left out",
        arguments: [
            "redirect_uri", "scope", "completion", "prompt", "login_hint", "domain_hint", "claims", "host_label",
            "state", "code_challenge", "code_challenge_method", "nonce",
        ])
    func emptyField(name: String) throws {
        let (plain, empty) = (try BeginParameters.sample(), try BeginParameters.sample("\"\(name)\": \"\""))
        #expect(empty.parameters == [] && empty.scope == plain.scope && empty.redirectURI == plain.redirectURI)
    }

    @Test("flat extra parameters go to the authorization request, and `resource` to the token request as well")
    func flatParameters() throws {
        let both = "{\"resource\": \"https://mcp.example/\", \"audience\": \"a\"}"
        let sample = try BeginParameters.sample("\"extra_parameters\": \(both)")
        let resource = FormField("resource", "https://mcp.example/")
        #expect(sample.parameters == [resource, FormField("audience", "a")])
        #expect(sample.tokenParameters == [resource])
        let state = "\"state\": \"\(BeginParameters.state)\""
        #expect(try BeginParameters.response("\(state), \"extra_parameters\": \(both)").tokenParameters == [])
    }

    @Test("nested extra parameters go where they say")
    func nestedParameters() throws {
        let sample = try BeginParameters.sample(
            """
            "extra_parameters": {"token": {"audience": "api", "empty": ""}, "authorization": {"resource": "r", "code": "x"}}
            """)
        #expect(sample.parameters == [FormField("resource", "r"), FormField("code", "x")])
        #expect(sample.tokenParameters == [FormField("audience", "api"), FormField("empty", "")])
        #expect(try BeginParameters.sample("\"extra_parameters\": {\"authorization\": {}}").tokenParameters == [])
        // Names like those of the two places are parameters as any other.
        let flat = try BeginParameters.sample("\"extra_parameters\": {\"token\": \"a\"}")
        #expect(flat.parameters == [FormField("token", "a")])
    }

    @Test(
        "claims are an object, or a text that holds one, and are written anew",
        arguments: [
            (
                "{\"id_token\": {\"auth_time\": {\"essential\": true}}}",
                "{\"id_token\":{\"auth_time\":{\"essential\":true}}}"
            ),
            ("\"{ \\\"userinfo\\\" : null }\"", "{\"userinfo\":null}"), ("{}", "{}"),
        ])
    func claims(value: String, text: String) throws {
        #expect(try BeginParameters.sample("\"claims\": \(value)").parameters == [FormField("claims", text)])
    }

    @Test("extra parameters may be 32, each with a name of 128 and a value of 2048 bytes")
    func extraLimits() throws {
        let many = (1...32).map { "\"p\($0)\": \"\"" }.joined(separator: ", ")
        #expect(try BeginParameters.sample("\"extra_parameters\": {\(many)}").parameters.count == 32)
        let name = String(repeating: "n", count: 128)
        let value = String(repeating: "v", count: 2048)
        #expect(
            try BeginParameters.sample("\"extra_parameters\": {\"\(name)\": \"\(value)\"}").parameters
                == [FormField(name, value)])
    }

    // MARK: Response mode

    @Test("the app's own state is 16 to 2048 visible characters", arguments: [16, 17, 43, 2047, 2048])
    func state(length: Int) throws {
        let state = String(repeating: "~", count: length)
        guard
            case .response(state, challenge: nil, nonce: nil) = try BeginParameters.response("\"state\": \"\(state)\"")
                .mode
        else {
            Issue.record("the state is taken as it is")
            return
        }
    }

    @Test(
        "with a challenge the app names the method or not, and a nonce where the scope asks for one",
        arguments: [
            ("", "profile", nil), (", \"code_challenge_method\": \"S256\"", "profile", nil),
            (", \"nonce\": \"n-0S6_WzA2Mj\"", "profile", "n-0S6_WzA2Mj"),
            (", \"nonce\": \"n-0S6_WzA2Mj\"", "openid", "n-0S6_WzA2Mj"),
        ] as [(String, String, String?)])
    func challenge(more: String, scope: String, nonce: String?) throws {
        let mode = try BeginParameters.response(
            """
            "state": "\(BeginParameters.state)", "code_challenge": "\(BeginParameters.challenge)", "scope": "\(scope)"\(more)
            """
        ).mode
        guard case .response(BeginParameters.state, BeginParameters.challenge, let given) = mode else {
            Issue.record("state and challenge are taken as they are")
            return
        }
        #expect(given == nonce)
    }

    @Test("without a challenge the app composes its own request, so openid needs no nonce here")
    func noChallenge() throws {
        let mode = try BeginParameters.response("\"state\": \"\(BeginParameters.state)\", \"scope\": \"openid\"").mode
        guard case .response(BeginParameters.state, challenge: nil, nonce: nil) = mode else {
            Issue.record("nothing but the state is held")
            return
        }
    }

    @Test("the port that the app listens on is taken where the browser is sent back to it")
    func returnPort() throws {
        #expect(try BeginParameters.sample("\"return_port\": 50123", app: "device").returnPort == 50123)
        #expect(try BeginParameters.sample("\"return_port\": 50123").returnPort == nil, "of no use, and no harm")
    }
}
