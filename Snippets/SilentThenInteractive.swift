// Tokens without asking anybody where that is possible, and in the browser where it is not.

import SwitchyardClient

func token(
    for scopes: [String], of account: Account?, in application: PublicClientApplication
) async throws(AuthenticationError) -> AuthenticationResult {
    do throws(AuthenticationError) {
        return try await application.acquireTokenSilent(
            with: SilentTokenParameters(scopes: scopes, account: account))
    } catch {
        switch error.code {
        case .interactionRequired:
            // Only the person can go on; what the issuer wants to know is in the claims.
            return try await application.acquireToken(
                with: InteractiveTokenParameters(scopes: scopes, account: account, claims: error.claims))
        case .serverDeclinedScopes:
            // Go on with less, or use error.result at once: it has the tokens.
            print("declined: \(error.declinedScopes)")
            return try await application.acquireTokenSilent(
                with: SilentTokenParameters(scopes: error.grantedScopes, account: error.result?.account ?? account))
        case .network, .serverError, .temporarilyUnavailable, .throttled:
            // Says nothing about the account: signing in again would not help.
            print("\(error.explanation) (again in \(error.retryAfter ?? 30) seconds)")
            throw error
        case .userCanceled:
            print("canceled")
            throw error
        default:
            print(error.explanation)
            print("for developers: \(error.message) \(error.remedy) \(error.correlationID ?? "")")
            throw error
        }
    }
}

let application = try PublicClientApplication(
    configuration: PublicClientApplicationConfiguration(
        clientID: "11111111-2222-3333-4444-555555555555", bundleID: "com.contoso.mail",
        redirectURI: "http://localhost"))
if CommandLine.arguments.contains("--sign-in") {
    let account = try await application.accounts().first
    let result = try await token(for: ["User.Read"], of: account, in: application)
    print("signed in as \(result.account.username ?? "somebody"), for \(result.scopes)")
}
