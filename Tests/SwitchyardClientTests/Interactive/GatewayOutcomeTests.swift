import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardClient

@Suite("What a gateway says of a sign-in")
struct GatewayOutcomeTests {
    private func failure(_ outcome: JSONObject) -> AuthenticationError? {
        do throws(AuthenticationError) {
            _ = try GatewayOutcome.tokens(outcome)
            return nil
        } catch {
            return error
        }
    }

    @Test("is a token response, or the gateway's failure")
    func tokens() throws {
        let good: JSONObject = [
            "status": "completed", "token_response": ["access_token": "at", "token_type": "Bearer"],
        ]
        #expect(try GatewayOutcome.tokens(good).accessToken.exposedText == "at")
        #expect(failure(["status": "completed"])?.code == .gatewayFailed)
        #expect(failure(["token_response": ["access_token": "", "token_type": "Bearer"]])?.code == .gatewayFailed)
    }

    static let failures:
        [(json: JSONObject, code: AuthenticationError.Code, internalCode: AuthenticationError.InternalCode?)] = [
            (["code": "access_denied"], .accessDenied, nil), (["code": "expired"], .timedOut, nil),
            (["code": "server_error", "internal_code": -42104], .authorizationFailed, .authorizationFailed),
            (["code": "server_error", "internal_code": -50006], .serverError, nil),
            (["code": "invalid_request", "internal_code": -50142], .passwordResetRequired, nil),
            (["code": "invalid_grant", "internal_code": -50007], .insufficientDeviceStrength, nil),
            (["code": "invalid_grant", "internal_code": -1], .invalidGrant, nil),
            (["code": "something_new"], .internal, nil), ([:], .internal, nil),
        ]

    @Test("is a failure with the code that says what to do", arguments: failures)
    func failed(
        json: JSONObject, code: AuthenticationError.Code, internalCode: AuthenticationError.InternalCode?
    ) {
        let error = failure(["status": "failed", "error": .object(json)])
        #expect(error?.code == code && error?.internalCode == internalCode)
    }

    @Test("keeps what the issuer said in its failure")
    func words() {
        let error = failure([
            "error": [
                "code": "throttled", "oauth_error": "slow_down", "oauth_suberror": "s", "description": "d",
                "correlation_id": "c", "http_status": 429, "retry_after": 7,
                "claims": #"{"access_token":{"a":null}}"#,
            ]
        ])
        #expect(error?.code == .throttled && error?.retryAfter == 7 && error?.httpStatus == 429)
        #expect(error?.oauthError == "slow_down" && error?.oauthSuberror == "s" && error?.message == "d")
        #expect(error?.correlationID == "c" && error?.claims?.json == #"{"access_token":{"a":null}}"#)
    }

    static let responses:
        [(parameters: JSONObject, requiresIssuer: Bool, internalCode: AuthenticationError.InternalCode?)] = [
            (["code": "c", "state": "mine"], false, nil), (["error": "access_denied", "state": "mine"], false, nil),
            (["code": "c", "state": "mine", "iss": "https://id.example"], true, nil),
            (["code": "c", "state": "other"], false, .invalidState), (["code": "c"], false, .invalidResponse),
            (["state": "mine"], false, .invalidResponse),
            (["code": "c", "error": "e", "state": "mine"], false, .invalidResponse),
            (["code": "c", "state": "mine"], true, .invalidResponse),
            (["code": "c", "state": "mine", "iss": "https://evil.example"], false, .invalidResponse),
        ]

    @Test("is an authorization response that is checked as if it had come here", arguments: responses)
    func response(
        parameters: JSONObject, requiresIssuer: Bool, internalCode: AuthenticationError.InternalCode?
    ) throws {
        let metadata = IssuerMetadata(
            issuer: "https://id.example",
            authorizationEndpoint: try EndpointURL("https://id.example/authorize", allowingLoopbackHTTP: false),
            tokenEndpoint: try EndpointURL("https://id.example/token", allowingLoopbackHTTP: false),
            authorizationResponseIssParameterSupported: requiresIssuer)
        let outcome: JSONObject = [
            "status": "completed", "url": "https://app.example/auth", "parameters": .object(parameters),
        ]
        let redirectURI = try RedirectURI("https://app.example/auth")
        var found: AuthenticationError.InternalCode?
        do throws(AuthenticationError) {
            _ = try GatewayOutcome.response(
                outcome, redirectURI: redirectURI, state: "mine", metadata.identification(tenants: []))
        } catch {
            found = error.internalCode
        }
        #expect(found == internalCode)
    }

    @Test("is refused as a callback of another redirect URI, or as none at all")
    func otherRedirectURI() throws {
        let metadata = IssuerMetadata(
            issuer: "https://id.example",
            authorizationEndpoint: try EndpointURL("https://id.example/authorize", allowingLoopbackHTTP: false),
            tokenEndpoint: try EndpointURL("https://id.example/token", allowingLoopbackHTTP: false))
        let redirectURI = try RedirectURI("https://app.example/auth")
        let parameters: JSONObject = ["code": "c", "state": "mine"]
        for url: JSONValue in ["https://app.example/other", .null] {
            #expect(throws: AuthenticationError.self) {
                try GatewayOutcome.response(
                    ["status": "completed", "url": url, "parameters": .object(parameters)], redirectURI: redirectURI,
                    state: "mine", metadata.identification(tenants: []))
            }
        }
    }
}
