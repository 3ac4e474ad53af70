import SwitchyardGatewayClient
import SwitchyardJSON
import SwitchyardOAuth
import Testing

@testable import SwitchyardClient

@Suite("An error")
struct ErrorTableTests {
    static let table:
        [(error: String, suberror: String?, sts: [Int64], code: AuthenticationError.Code, msal: Int, inner: Int?)] = [
            ("invalid_request", nil, [], .invalidRequest, -50000, -42002),
            ("invalid_request", nil, [50142], .passwordResetRequired, -50142, nil),
            ("invalid_client", nil, [], .invalidClient, -50000, -42003),
            ("invalid_grant", nil, [], .invalidGrant, -50000, -42004),
            ("invalid_grant", "insufficient_device_strength", [], .insufficientDeviceStrength, -50007, nil),
            ("invalid_scope", nil, [], .invalidScope, -50000, -42005),
            ("unauthorized_client", nil, [], .unauthorizedClient, -50000, -42006),
            ("unauthorized_client", "protection_policy_required", [], .serverProtectionPoliciesRequired, -50004, nil),
            ("interaction_required", nil, [], .interactionRequired, -50002, nil),
            ("INTERACTION_REQUIRED", nil, [], .interactionRequired, -50002, nil),
            ("access_denied", nil, [], .accessDenied, -50000, -42104),
            ("server_error", nil, [], .serverError, -50006, nil),
            ("temporarily_unavailable", nil, [], .temporarilyUnavailable, -50006, nil),
            ("something_else", nil, [], .authorizationFailed, -50000, -42104),
            ("invalid_grant", "transfer_token_expired", [], .userCanceled, -50005, nil),
            ("tokenTransferFailedOTC", nil, [], .userCanceled, -50005, nil),
        ]

    @Test("of the token endpoint has the code and the number of MSAL's table, its weak spots mended", arguments: table)
    func tokenEndpoint(
        error: String, suberror: String?, sts: [Int64], code: AuthenticationError.Code, msal: Int, inner: Int?
    ) throws {
        let codes = sts.map(String.init).joined(separator: ",")
        let body = """
            {"error":"\(error)","suberror":"\(suberror ?? "")","error_codes":[\(codes)],"error_description":"AADSTS: told"}
            """
        let answer = try #require(TokenErrorResponse(body: Array(body.utf8)))
        let made = AuthenticationError(SignInFailure(answer, httpStatus: 400))
        #expect(made.code == code && made.msalCode == msal)
        #expect(inner == nil || made.msalInternalCode == inner)
        #expect(made.oauthError == error && made.stsErrorCodes == sts && made.httpStatus == 400)
        #expect(made.message == "AADSTS: told" && !made.description.contains("AADSTS"))
    }

    @Test("of a protection policy is about whom the issuer says it is about")
    func protectionPolicy() throws {
        let named: [(adi: String, username: String?)] = [
            (#""ada@contoso.example""#, "ada@contoso.example"), (#""""#, nil), ("7", nil),
        ]
        for (adi, username) in named {
            let body = #"{"error":"unauthorized_client","suberror":"protection_policy_required","adi":\#(adi)}"#
            let answer = try #require(TokenErrorResponse(body: Array(body.utf8)))
            let made = AuthenticationError(SignInFailure(answer, httpStatus: 400))
            #expect(made.code == .serverProtectionPoliciesRequired && made.username == username)
            #expect(!"\(made)".contains("ada"))
        }
    }

    @Test("of a gateway that does not serve the redirect URI says so by the field, not by the words")
    func redirectURI() throws {
        let uri = try RedirectURI("https://login.example/auth")
        let fields: [(name: String, internalCode: AuthenticationError.InternalCode)] = [
            ("redirect_uri", .invalidRedirectURI), ("scope", .invalidParameter),
        ]
        for (name, internalCode) in fields {
            let body: JSONObject = [
                "error": "invalid_request", "error_description": "about redirect_uri", "parameter": .string(name),
            ]
            let error = AuthenticationError(
                .refused(GatewayRefusal("it did not begin", GatewayResponse(status: 400, body: body))),
                redirectURI: uri)
            #expect(error.code == .invalidConfiguration && error.internalCode == internalCode)
        }
    }

    @Test("of a gateway that asks for patience says for how long")
    func gatewayPatience() {
        for (status, code) in [(429, AuthenticationError.Code.throttled), (503, .temporarilyUnavailable)] {
            let answer = GatewayResponse(status: status, body: ["error": "slow_down"], retryAfter: 7)
            let error = AuthenticationError(.refused(GatewayRefusal("it did not begin", answer)))
            #expect(error.code == code && error.retryAfter == 7 && error.httpStatus == status)
        }
        #expect(AuthenticationError(.answeredByAnother(status: 502, retryAfter: 3)).retryAfter == 3)
    }

    @Test("that the issuer made up itself wants the person where nobody is asked, and is not taken for a passing one")
    func unknownError() {
        let answer = AuthenticationError(
            SignInFailure(.serverError, internalCode: .authorizationFailed, oauthError: "mfa_required"))
        #expect(answer.code == .authorizationFailed && !answer.isPassing)
        #expect(answer.forSilentRequest.code == .interactionRequired)
        #expect((answer.forSilentRequest.underlyingError as? AuthenticationError)?.code == .authorizationFailed)
    }

    @Test("of a cancel by the person is told from a refusal")
    func cancel() {
        let refused = AuthenticationError(
            SignInFailure(AuthorizationError(error: "access_denied", suberror: "tts_denied")))
        let canceled = AuthenticationError(
            SignInFailure(AuthorizationError(error: "access_denied", suberror: "cancel")))
        #expect(refused.code == .accessDenied && refused.oauthSuberror == "tts_denied")
        #expect(canceled.code == .userCanceled && canceled.msalCode == -50005)
    }

    @Test(
        "has a sentence for a person and a remedy for a developer, whatever its code",
        arguments: AuthenticationError.Code.allCases)
    func words(code: AuthenticationError.Code) {
        #expect(code.explanation.hasSuffix(".") || code.explanation.hasSuffix("?"))
        #expect(code.remedy.count > 10)
        #expect(code.msalCode <= -50000)
        #expect(!AuthenticationError(code, nil, "secret words").description.contains("secret words"))
    }

    @Test("has a number of MSAL where MSAL has one, each once")
    func numbers() {
        let numbers = AuthenticationError.InternalCode.allCases.compactMap(\.msalInternalCode)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.allSatisfy { (-42800 ... -42000).contains($0) })
    }

    @Test("of the gateway's API is known here by the same name", arguments: SignInFailure.Code.allCases)
    func gateway(code: SignInFailure.Code) {
        let made = AuthenticationError(SignInFailure(json: SignInFailure(code).json)).code
        #expect(made.rawValue == (code == .expired ? "timed_out" : code.rawValue))
    }

    @Test("in a silent request becomes a wish for the person unless it is something else")
    func silent() {
        let expected: [(String, AuthenticationError.Code)] = [
            ("invalid_grant", .interactionRequired), ("access_denied", .interactionRequired),
            ("invalid_request", .interactionRequired), ("unauthorized_client", .interactionRequired),
            ("invalid_scope", .invalidScope), ("invalid_client", .invalidClient), ("server_error", .serverError),
        ]
        for (error, code) in expected {
            let failure = AuthenticationError(SignInFailure(AuthorizationError(error: IssuerText(error))))
            #expect(failure.forSilentRequest.code == code, "\(error)")
        }
    }
}
