//! The app of the tutorial: signs in, keeps the sign-in, and gets a token without asking the next time.

// snippet.app
import SwitchyardClient

let scopes = ["mail.read"]

func makeApplication(issuer: String) throws -> PublicClientApplication {
    var configuration = PublicClientApplicationConfiguration(
        clientID: "contoso-mail", bundleID: "com.contoso.mail", redirectURI: "http://localhost/callback",
        authority: try .oidc(issuer: issuer, allowingLoopbackHTTP: true))
    // For an issuer of this machine only: everywhere else it has to be https.
    configuration.allowsLoopbackHTTP = true
    return try PublicClientApplication(configuration: configuration)
}
// snippet.end

// snippet.interactive
func signIn(
    _ account: Account?, in application: PublicClientApplication
) async throws(AuthenticationError) -> AuthenticationResult {
    var parameters = InteractiveTokenParameters(scopes: scopes, account: account)
    parameters.presentation = .standardError
    return try await application.acquireToken(with: parameters)
}
// snippet.end

// snippet.tokens
func tokens(in application: PublicClientApplication) async throws(AuthenticationError) -> AuthenticationResult {
    let account = try await application.accounts().first
    do throws(AuthenticationError) {
        return try await application.acquireTokenSilent(with: SilentTokenParameters(scopes: scopes, account: account))
    } catch  where error.code == .interactionRequired {
        return try await signIn(account, in: application)
    }
}
// snippet.end

// snippet.main
do {
    // The issuer is the first argument, so that the app can be tried out with one of this machine.
    let issuer = CommandLine.arguments.dropFirst().first ?? "https://login.contoso.com"
    let result = try await tokens(in: makeApplication(issuer: issuer))
    print("Signed in as \(result.account.name ?? result.account.identifier), for \(result.scopes).")
} catch let error as AuthenticationError {
    print("\(error)\n\(error.remedy)")
} catch {
    // Such as an issuer that is no URL.
    print(error)
}
// snippet.end
