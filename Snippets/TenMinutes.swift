//! The app of the tutorial: signs in, keeps the sign-in, and gets a token without asking the next time.

// snippet.app
import SwitchyardClient

// The issuer is the first argument, so that the app can be tried out with one of this machine.
let issuer = CommandLine.arguments.dropFirst().first ?? "https://login.contoso.com"

var configuration = PublicClientApplicationConfiguration(
    clientID: "contoso-mail", bundleID: "com.contoso.mail", redirectURI: "http://localhost/callback",
    authority: try Authority.oidc(issuer: issuer, allowingLoopbackHTTP: true))
// For an issuer of this machine only: everywhere else it has to be https.
configuration.allowsLoopbackHTTP = true

let application = try PublicClientApplication(configuration: configuration)
let scopes = ["mail.read"]
// snippet.end

// snippet.interactive
func signIn(_ account: Account?) async throws(AuthenticationError) -> AuthenticationResult {
    var parameters = InteractiveTokenParameters(scopes: scopes, account: account)
    parameters.presentation = .custom { url in
        print("Open this address in a browser of this machine:\n\n  \(url)\n")
        return true
    }
    return try await application.acquireToken(with: parameters)
}
// snippet.end

// snippet.tokens
func tokens() async throws(AuthenticationError) -> AuthenticationResult {
    let account = try await application.accounts().first
    do throws(AuthenticationError) {
        return try await application.acquireTokenSilent(with: SilentTokenParameters(scopes: scopes, account: account))
    } catch  where error.code == .interactionRequired {
        return try await signIn(account)
    }
}
// snippet.end

// snippet.main
do throws(AuthenticationError) {
    let result = try await tokens()
    print("Signed in as \(result.account.name ?? result.account.identifier), for \(result.scopes).")
} catch {
    print("\(error)\n\(error.remedy)")
}
// snippet.end
