//! An API that wants more than the token says, such as a second factor, answers 401 with a claims challenge.

import SwitchyardClient

// snippet.capability
var configuration = PublicClientApplicationConfiguration(
    clientID: "00001111-aaaa-2222-bbbb-3333cccc4444", bundleID: "com.contoso.mail", redirectURI: "http://localhost")
// Tells the issuer, and so its APIs, that this app can answer such challenges.
configuration.clientCapabilities = ["CP1"]
// snippet.end

// snippet.automatic
/// The short way: the request is sent again with a token that has the claims.
func whoAmI(_ account: Account) async throws(AuthenticationError) -> APIResponse {
    var request = APIRequest(.get, "https://graph.microsoft.com/v1.0/me", scopes: ["User.Read"])
    var interaction = InteractiveTokenParameters(scopes: ["User.Read"])
    interaction.presentation = .standardError
    // Without this, the error has the claims, and the app can ask when it suits the person.
    request.interaction = interaction
    return try await account.authorizedRequest(request)
}
// snippet.end

do throws(AuthenticationError) {
    let application = try PublicClientApplication(configuration: configuration)
    if let account = try await application.accounts().first {
        print("The API answered \(try await whoAmI(account).status).")
    } else {
        print("Nobody has signed in yet.")
    }
} catch {
    print("\(error.explanation) (\(error.code))")
}

// snippet.by-hand
/// With an HTTP client of the app's own: the claims of a 401, for the next request.
func claims(wwwAuthenticate: String) throws(ClaimsRequestError) -> ClaimsRequest? {
    guard let challenge = ClaimsChallenge(wwwAuthenticate: wwwAuthenticate) else { return nil }
    return try ClaimsRequest(json: challenge.claims)
}

/// An ID token with the claims that the app cannot go on without.
let ownClaims = ClaimsRequest().requesting("email", in: .idToken, essential: true)
// snippet.end

print("The app's own claims: \(ownClaims)")
let header = #"Bearer error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnsibmJmIjpudWxsfX0=""#
do throws(ClaimsRequestError) {
    print("The API's claims: \(try claims(wwwAuthenticate: header)?.merging(ownClaims).json ?? "none")")
} catch {
    print(error)
}
