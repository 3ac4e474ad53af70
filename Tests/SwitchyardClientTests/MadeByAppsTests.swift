import SwitchyardClient
import Testing

/// Imports the library like an app: only public declarations.
@Suite("An app's own tests can make")
struct MadeByAppsTests {
    private let account = Account(
        identifier: "u.t", environment: "id.example", username: "ada@contoso.example", name: "Ada", tenantID: "t",
        claims: IDTokenClaims(json: #"{"sub":"s"}"#))

    @Test("a result with its account")
    func result() {
        let result = AuthenticationResult(
            accessToken: "at", scopes: ["a"], expiresOn: UnixTime(secondsSince1970: 60), account: account,
            tenantID: "t", idToken: "id", correlationID: "c", isExtendedLifetimeToken: true)
        #expect(result.authorizationHeader == "Bearer at" && result.account.claims["sub"] == "s")
        #expect(result.expiresOn.timeIntervalSince1970 == 60)
        #expect(result.expiresOn - UnixTime(secondsSince1970: 0) == .seconds(60))
        #expect(account != Account(identifier: "u.t", environment: "other"))
    }

    @Test("an account that belongs to no application, and says so")
    func homeless() async {
        let error = await #expect(throws: AuthenticationError.self) { try await account.accessToken(scopes: ["a"]) }
        #expect(error?.internalCode == .accountRequired)
        let answer = await #expect(throws: AuthenticationError.self) {
            try await account.authorizedRequest(APIRequest(.get, "https://api.example", scopes: ["a"]))
        }
        #expect(answer?.internalCode == .accountRequired)
    }

    @Test("an error, an answer of an API, a question, a line of the log, the end of a native sign-in")
    func others() {
        let error = AuthenticationError(.userCanceled, nil, "")
        #expect(error.code == .userCanceled && error.msalCode == -50005)
        #expect(AuthenticationError.Code(rawValue: "user_canceled") == .userCanceled)
        #expect(AuthenticationError.Code(rawValue: "something new") == nil)
        #expect(APIResponse(status: 204).isSuccess)
        #expect(ReleaseCodeQuestion(reference: "r").attemptsLeft == nil)
        #expect(LoggingConfiguration.Message(level: .info, text: "t").level < .verbose)
        #expect(LoggingConfiguration(level: .warning).level == .warning)
        let result = AuthenticationResult(accessToken: "at", scopes: [], expiresOn: .now(), account: account)
        let signIn = NativeSignIn(completed: NativeAccount(account: account, result: result))
        #expect(signIn.completed?.account == account && signIn.codeRequired == nil && signIn.mfaRequired == nil)
        #expect(NativeMFARequired.Method(id: "1").id == "1")
    }
}
