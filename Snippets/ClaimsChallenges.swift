// An API that wants more than the token says answers 401 with the claims that it wants.

import SwitchyardClient

func call(_ url: String, scopes: [String], for account: Account) async throws(AuthenticationError) -> APIResponse {
    // The short way: the library asks again with the claims, in the browser if need be, and calls once more.
    var request = APIRequest(.get, url, scopes: scopes)
    request.interaction = InteractiveTokenParameters(scopes: scopes)
    return try await account.authorizedRequest(request)
}

/// With a client of the app's own: what to do with the header of its 401.
func claims(in wwwAuthenticate: String) -> ClaimsRequest? {
    guard let challenge = ClaimsChallenge(wwwAuthenticate: wwwAuthenticate) else { return nil }
    return try? ClaimsRequest(json: challenge.claims)
}

let wanted = claims(
    in: #"Bearer error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJ2YWx1ZSI6ImMxIn19fQ==""#)
print(wanted?.json ?? "none")  // {"access_token":{"acrs":{"value":"c1"}}}

// Claims are values: asking for more changes no other request.
print(ClaimsRequest().requesting("given_name", in: .idToken, essential: true).json)
