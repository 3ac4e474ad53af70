//! Tokens without asking the person where that is possible, in the browser where it is not, and an answer to every error.

import SwitchyardClient

// snippet.silent
/// Asks the person only if there is no other way.
func tokens(
    for scopes: [String], in application: PublicClientApplication
) async throws(AuthenticationError) -> AuthenticationResult {
    let account = try await application.accounts().first
    do throws(AuthenticationError) {
        return try await application.acquireTokenSilent(with: SilentTokenParameters(scopes: scopes, account: account))
    } catch  where error.code == .interactionRequired {
        var parameters = InteractiveTokenParameters(scopes: scopes, account: account, claims: error.claims)
        parameters.presentation = .standardError
        return try await application.acquireToken(with: parameters)
    }
}
// snippet.end

// snippet.errors
/// The app's answer to each error. nil: there are no tokens, and the person knows why.
func recover(
    from error: AuthenticationError, in application: PublicClientApplication
) async -> AuthenticationResult? {
    switch error.code {
    case .serverDeclinedScopes where !error.grantedScopes.isEmpty:
        // The tokens for the granted scopes are in the cache already.
        print("Going on without \(error.declinedScopes.joined(separator: ", ")).")
        return try? await application.acquireTokenSilent(
            with: SilentTokenParameters(scopes: error.grantedScopes, account: error.result?.account))
    case .userCanceled: print("Nobody signed in. Try again whenever you like.")
    case .accessDenied: print("Somebody said no: the person, an administrator or a policy.")
    case .network: print("There is no connection. Nothing is lost; try again later.")
    case .throttled, .temporarilyUnavailable: print("Try again in \(error.retryAfter ?? 60) seconds.")
    case .timedOut: print("The sign-in took too long.")
    default:
        // A sentence for the person; for the log a line without names, and what can be done.
        print(error.explanation)
        print("\(error.code): \(error.remedy)")
    }
    return nil
}
// snippet.end

do throws(AuthenticationError) {
    let application = try PublicClientApplication(
        configuration: PublicClientApplicationConfiguration(
            clientID: "00001111-aaaa-2222-bbbb-3333cccc4444", bundleID: "com.contoso.mail",
            redirectURI: "http://localhost", authority: .common))
    var result: AuthenticationResult?
    do throws(AuthenticationError) {
        result = try await tokens(for: ["User.Read", "Mail.Read"], in: application)
    } catch {
        result = await recover(from: error, in: application)
    }
    if let result { print("There is a token for \(result.scopes.joined(separator: ", ")).") }
} catch {
    // The configuration makes no sense.
    print(error.message)
}
