import SwitchyardHTTP
import SwitchyardOAuth
import Testing

@testable import SwitchyardGateway

@Suite("Begin parameters: refusals") struct BeginParametersRefusalTests {
    private func refusal(_ body: () throws -> BeginParameters) throws -> APIError {
        try #require(#expect(throws: APIError.self) { try body() })
    }

    private func expect(
        _ error: APIError, names field: String, as code: String = "invalid_request",
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(error.status == .badRequest, sourceLocation: location)
        #expect(error.error == code, sourceLocation: location)
        #expect(error.description.contains("\"\(field)\""), sourceLocation: location)
    }

    @Test(
        "a call has to name an app that holds requests",
        arguments: [
            "{}", "{\"app\": null}", "{\"app\": \"\"}", "{\"app\": 1}", "{\"app\": \"nobody\"}", "{\"app\": \"Mail\"}",
            "{\"app\": \"mail \"}", "{\"app\": \"legacy\"}", "{\"app\": [\"mail\"]}",
            "{\"app\": \"\(String(repeating: "a", count: 257))\"}",
        ])
    func app(json: String) throws {
        expect(try refusal { try .sample(json: json) }, names: "app")
    }

    @Test(
        "a redirect URI that is not the app's is refused",
        arguments: [
            "https://login.example/legacy", "https://login.example/mail/", "https://login.example/Mail",
            "https://login.example:443/mail", "https://LOGIN.example/mail", "https://login.example/mail?a=b",
            "https://evil.example/mail", "http://login.example/mail", "https://login.example", "/mail",
            "msauth.mail://auth/x", "msauth.other://auth", "javascript:alert(1)",
            // Only the port of a loopback one is free (RFC 8252 section 7.3), not its host.
            "http://127.0.0.1:5000/", "http://127.0.0.1:5000/cb/", "http://127.0.0.1:5000/cb?a=b",
            "http://127.0.0.1:65536/cb", "http://127.0.0.1:x/cb", "http://localhost:5000/cb", "http://[::1]:5000/cb",
            "http://127.0.0.2:5000/cb", "http://127.0.0.1.evil.example/cb", "http://127.0.0.1@evil.example/cb",
            "http://user@127.0.0.1:5000/cb", "https://127.0.0.1:5000/cb",
        ])
    func redirectURI(uri: String) throws {
        expect(try refusal { try .sample("\"redirect_uri\": \"\(uri)\"") }, names: "redirect_uri")
    }

    @Test("a scope with characters that none has is refused", arguments: ["a\\\"b", "a\\\\b", "é", "a\u{A0}b"])
    func scope(text: String) throws {
        expect(try refusal { try .sample("\"scope\": \"\(text)\"") }, names: "scope", as: "invalid_scope")
    }

    @Test(
        "a field of a wrong kind or size is refused by its name",
        arguments: [
            ("scope", "[\"a\"]"), ("scope", "\"a\\tb\""),
            ("scope", "\"\(String(repeating: "a", count: 4097))\""),
            ("redirect_uri", "1"), ("prompt", "true"), ("login_hint", "{}"),
            ("login_hint", "\"a\\nb\""), ("domain_hint", "\"\(String(repeating: "a", count: 2049))\""),
            ("completion", "\"token\""), ("completion", "\"Tokens\""), ("completion", "1"),
            ("host_label", "\"\(String(repeating: "x", count: 65))\""),
            ("host_label", "\"a b\""),
            ("host_label", "\"é\""), ("host_label", "\"<b>\""), ("host_label", "\"a/b\""),
            ("host_label", "\"a\\u0000\""),
            ("host_label", "7"), ("claims", "1"), ("claims", "[]"), ("claims", "\"[]\""),
            ("claims", "\"{\""), ("claims", "\"{\\\"a\\\":1,\\\"a\\\":2}\""),
            ("claims", "{\"a\": \"\(String(repeating: "a", count: 4096))\"}"),
            ("extra_parameters", "1"), ("extra_parameters", "[]"), ("extra_parameters", "\"a=b\""),
            ("extra_parameters", "{\"a\": 1}"), ("extra_parameters", "{\"a\": null}"),
            ("extra_parameters", "{\"\": \"a\"}"), ("extra_parameters", "{\"a\\u0001\": \"a\"}"),
            ("extra_parameters", "{\"a\": {}}"), ("extra_parameters", "{\"token\": 1}"),
            ("extra_parameters", "{\"token\": {\"a\": 1}}"), ("extra_parameters", "{\"authorization\": {\"a\": {}}}"),
            ("extra_parameters", "{\"token\": {\((1...33).map { "\"p\($0)\": \"\"" }.joined(separator: ", "))}}"),
            (
                "extra_parameters",
                "{\"token\": {\((1...5).map { "\"p\($0)\": \"\(String(repeating: "a", count: 2000))\"" }.joined(separator: ", "))}}"
            ),
            ("extra_parameters", "{\"a\": [\"b\"]}"),
            ("extra_parameters", "{\"a\": \"\(String(repeating: "a", count: 2049))\"}"),
            ("extra_parameters", "{\"\(String(repeating: "a", count: 129))\": \"a\"}"),
            ("extra_parameters", "{\((1...33).map { "\"p\($0)\": \"\"" }.joined(separator: ", "))}"),
        ])
    func field(name: String, value: String) throws {
        expect(try refusal { try .sample("\"\(name)\": \(value)") }, names: name)
    }

    @Test(
        "an extra parameter cannot be one that the gateway sets itself, or that replaces them all, in any spelling",
        arguments: AuthorizationRequest.ownParameters.union([
            "STATE", "Redirect_URI", "REQUEST_URI", "client.id", " client_id", "client_id[]", "[client_id]",
            "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
            "code_challenge_method", "response_mode", "request", "request_uri",
        ]).sorted())
    func ownParameters(name: String) throws {
        let error = try refusal { try .sample("\"extra_parameters\": {\"audience\": \"a\", \"\(name)\": \"a\"}") }
        expect(error, names: "extra_parameters")
        expect(error, names: name)
    }

    @Test(
        "a nested extra parameter cannot be one that the gateway sets itself, and the refusal names the request",
        arguments: [
            ("authorization", "state"), ("authorization", "redirect_uri"), ("authorization", "Code_Challenge"),
            ("token", "grant_type"), ("token", "code"), ("token", "redirect_uri"), ("token", "code_verifier"),
            ("token", "client_id"), ("token", "CLIENT_SECRET"), ("token", "client_assertion"),
            ("token", "client_assertion_type"), ("token", "refresh_token"), ("token", "scope"),
        ])
    func nestedOwnParameters(place: String, name: String) throws {
        let error = try refusal {
            try .sample("\"extra_parameters\": {\"\(place)\": {\"x\": \"a\", \"\(name)\": \"a\"}}")
        }
        expect(error, names: "extra_parameters")
        expect(error, names: name)
        #expect(error.description.contains("\(place) request"))
    }

    @Test(
        "a mix of flat and nested extra parameters is refused by the name of the flat one",
        arguments: ["\"audience\": \"a\", \"token\": {}", "\"authorization\": {}, \"audience\": \"a\""])
    func mixedParameters(members: String) throws {
        let error = try refusal { try .sample("\"extra_parameters\": {\(members)}") }
        expect(error, names: "extra_parameters")
        expect(error, names: "audience")
    }

    @Test("parameters of the token request are refused where the app redeems")
    func tokenParametersOfTheApp() throws {
        let members =
            "\"state\": \"\(BeginParameters.state)\", \"extra_parameters\": {\"token\": {\"resource\": \"r\"}}"
        let error = try refusal { try .response(members) }
        expect(error, names: "extra_parameters")
        expect(error, names: "token")
    }

    @Test(
        "a key for the result is a public P-256 JWK and nothing else",
        arguments: ["1", "{}", "\"key\"", "{\"kty\": \"RSA\", \"n\": \"AQAB\", \"e\": \"AQAB\"}"])
    func resultKey(value: String) throws {
        expect(try refusal { try .sample("\"result_key\": \(value)") }, names: "result_key")
    }

    @Test("a proof needs the key that makes it", arguments: ["true", "1", "\"true\""])
    func resultProof(value: String) throws {
        expect(try refusal { try .sample("\"result_proof\": \(value)") }, names: "result_proof")
    }

    @Test("a port to come back to is a number from 1 to 65535", arguments: ["0", "65536", "-1", "\"80\"", "1.5", "{}"])
    func returnPort(value: String) throws {
        expect(try refusal { try .sample("\"return_port\": \(value)", app: "device") }, names: "return_port")
        expect(try refusal { try .sample("\"return_port\": \(value)") }, names: "return_port")
    }

    @Test("an app that the browser is sent back to has to say where it listens")
    func missingReturnPort() throws {
        expect(try refusal { try .sample(app: "device") }, names: "return_port")
    }

    @Test(
        "an unknown field is refused", arguments: ["redirectUri", "App", "client_id", "response_mode", "release", ""])
    func unknown(name: String) throws {
        expect(try refusal { try .sample("\"\(name)\": \"a\"") }, names: name)
    }

    @Test(
        "what the gateway makes by itself the app cannot give",
        arguments: ["state", "code_challenge", "code_challenge_method", "nonce"], ["", ", \"completion\": \"tokens\""])
    func tokensMode(name: String, more: String) throws {
        expect(try refusal { try .sample("\"\(name)\": \"\(BeginParameters.challenge)\"\(more)") }, names: name)
    }

    @Test(
        "a state that is missing, guessable, too long or not visible is refused",
        arguments: [
            "null", "\"\"", "1", "\"\(String(repeating: "a", count: 15))\"",
            "\"\(String(repeating: "a", count: 2049))\"",
            "\"\(String(repeating: "é", count: 22))\"", "\"0123456789 abcdefghijkl\"", "\"0123456789\\tabcdefghijkl\"",
            "\"0123456789\\u0000abcdefghijkl\"", "\"0123456789\\u007fabcdefghijkl\"",
        ])
    func state(value: String) throws {
        expect(try refusal { try .response("\"state\": \(value)") }, names: "state")
    }

    @Test(
        "a challenge that is none of S256, and a nonce that is missing or of no use, are refused",
        arguments: [
            ("\"code_challenge\": 1", "code_challenge"),
            ("\"code_challenge\": \"\(BeginParameters.challenge.dropLast())\"", "code_challenge"),
            ("\"code_challenge\": \"\(BeginParameters.challenge)A\"", "code_challenge"),
            ("\"code_challenge\": \"\(BeginParameters.challenge)=\"", "code_challenge"),
            ("\"code_challenge\": \"+\(BeginParameters.challenge.dropFirst())\"", "code_challenge"),
            ("\"code_challenge\": \"\(String(repeating: "a", count: 128))\"", "code_challenge"),
            ("\"code_challenge\": \"\(String(repeating: "a", count: 129))\"", "code_challenge"),
            ("\"code_challenge_method\": \"plain\"", "code_challenge_method"),
            ("\"code_challenge_method\": \"s256\"", "code_challenge_method"),
            ("\"code_challenge\": \"\(BeginParameters.challenge)\", \"scope\": \"openid\"", "nonce"),
            ("\"code_challenge\": \"\(BeginParameters.challenge)\", \"scope\": \"email OpenID\"", "nonce"),
            ("\"code_challenge\": \"\(BeginParameters.challenge)\"", "nonce"),
            ("\"code_challenge\": \"\(BeginParameters.challenge)\", \"nonce\": \"\"", "nonce"),
            ("\"code_challenge\": \"\(BeginParameters.challenge)\", \"nonce\": 7", "nonce"),
            (
                "\"code_challenge\": \"\(BeginParameters.challenge)\", \"nonce\": \"\(String(repeating: "a", count: 513))\"",
                "nonce"
            ),
            ("\"nonce\": \"n-0S6_WzA2Mj\"", "nonce"),
        ])
    func responseMode(members: String, field: String) throws {
        expect(try refusal { try .response("\"state\": \"\(BeginParameters.state)\", \(members)") }, names: field)
    }
}
