import SwitchyardJSON
import SwitchyardOAuth
import Testing

@Suite("Sign-in failures") struct SignInFailureTests {
    @Test(
        "an OAuth error becomes the code that says what to do",
        arguments: [
            ("invalid_request", nil, .invalidRequest, -42002), ("invalid_client", nil, .invalidClient, -42003),
            ("invalid_grant", nil, .invalidGrant, -42004), ("INVALID_GRANT", "other", .invalidGrant, -42004),
            ("invalid_grant", "insufficient_device_strength", .invalidGrant, -50007),
            ("invalid_scope", nil, .invalidScope, -42005),
            ("unauthorized_client", nil, .unauthorizedClient, -42006),
            ("unauthorized_client", "protection_policy_required", .serverProtectionPoliciesRequired, -50004),
            ("interaction_required", nil, .interactionRequired, -50002),
            ("login_required", nil, .interactionRequired, -50002),
            ("consent_required", nil, .interactionRequired, -50002), ("access_denied", nil, .accessDenied, nil),
            ("access_denied", "cancel", .userCanceled, -50005), ("access_denied", "consent", .accessDenied, nil),
            ("user_cancelled_login", nil, .userCanceled, -50005), ("server_error", nil, .serverError, -50006),
            ("temporarily_unavailable", nil, .temporarilyUnavailable, nil),
            ("something_new", nil, .authorizationFailed, -42104),
        ] as [(error: IssuerText, suberror: IssuerText?, code: SignInFailure.Code, internalCode: Int?)])
    func meanings(error: IssuerText, suberror: IssuerText?, code: SignInFailure.Code, internalCode: Int?) {
        let failure = SignInFailure(
            AuthorizationError(error: error, errorDescription: "words", suberror: suberror, correlationID: "c"))
        #expect(
            failure
                == SignInFailure(
                    code, internalCode: internalCode.flatMap(SignInFailure.InternalCode.init), oauthError: error,
                    oauthSuberror: suberror, description: "words",
                    correlationID: "c"))
    }

    @Test(
        "the status of the token endpoint decides where it says more",
        arguments: [
            (400, "invalid_grant", .invalidGrant), (429, "invalid_request", .throttled),
            (500, "invalid_grant", .serverError),
            (503, "temporarily_unavailable", .temporarilyUnavailable), (503, "server_error", .serverError),
            (400, "something_new", .authorizationFailed), (401, "something_new", .authorizationFailed),
            (200, "something_new", .authorizationFailed), (502, "something_new", .serverError),
            (200, "bad_verification_code", .invalidGrant), (200, "incorrect_client_credentials", .invalidClient),
            (200, "redirect_uri_mismatch", .invalidRequest), (200, "invalid_code", .invalidGrant),
            (400, "OAuthException", .authorizationFailed),
        ] as [(Int, String, SignInFailure.Code)])
    func statuses(status: Int, error: String, code: SignInFailure.Code) throws {
        let failure = SignInFailure(
            try #require(TokenErrorResponse(["error": .string(error)])), httpStatus: status, retryAfter: 7)
        #expect(failure.code == code)
        #expect(failure.oauthError == IssuerText(error))
        #expect(failure.httpStatus == status)
        #expect(failure.retryAfter == 7)
    }

    @Test("a password that must be reset keeps MSAL's public number")
    func passwordReset() throws {
        let error = try #require(TokenErrorResponse(["error": "invalid_request", "error_codes": [50142]]))
        let failure = SignInFailure(error, httpStatus: 400)
        #expect(failure.code == .invalidRequest)
        #expect(failure.internalCode == .passwordResetRequired)
    }

    @Test(
        "before the release, an app is told the code, the error's name and its number, and nothing else of the issuer's words",
        arguments: [
            ("AADSTS50105: alice@contoso.com has no role", "AADSTS50105"), ("AADSTS50105", "AADSTS50105"),
            ("alice@contoso.com: AADSTS50105", nil), ("AADSTS: alice", nil), ("AADSTSalice", nil),
            ("aadsts50105", nil), ("AADSTS01234567890", nil), ("AADSTS\u{0661}", nil), (nil, nil),
        ] as [(IssuerText?, IssuerText?)])
    func beforeRelease(description: IssuerText?, told: IssuerText?) {
        let error = AuthorizationError(
            error: "access_denied", errorDescription: description, suberror: "alice", correlationID: "c", claims: "{}")
        var failure = SignInFailure(error)
        failure.httpHeaders = ["x": "alice"]
        failure.errorCodes = [50105]
        #expect(
            failure.beforeRelease
                == SignInFailure(.accessDenied, internalCode: nil, oauthError: "access_denied", description: told))
    }

    @Test("the error object has what applies and nothing else")
    func json() {
        #expect(SignInFailure(.expired).json == ["code": "expired"])
        let full = SignInFailure(
            .throttled, internalCode: .invalidRequest, oauthError: "e", oauthSuberror: "s", description: "d",
            correlationID: "c",
            httpStatus: 429, retryAfter: 30, claims: "{}")
        #expect(
            full.json == [
                "code": "throttled", "internal_code": -42002, "oauth_error": "e", "oauth_suberror": "s",
                "description": "d",
                "correlation_id": "c", "http_status": 429, "retry_after": 30, "claims": "{}",
            ])
    }
}
