//! Two APIs from one sign-in: an access token is good for one of them, so each has its own.

import SwitchyardClient

do {
    let application = try PublicClientApplication(
        configuration: PublicClientApplicationConfiguration(
            clientID: "00001111-aaaa-2222-bbbb-3333cccc4444", bundleID: "com.contoso.mail",
            redirectURI: "http://localhost", authority: try .ciam(tenant: "contoso")))

    // snippet.consent
    let mailScopes = ["api://contoso-mail/Mail.Read", "api://contoso-mail/Mail.Send"]
    let calendarScopes = ["api://contoso-calendar/Calendar.Read"]

    // The person consents to both at once.
    var parameters = InteractiveTokenParameters(scopes: mailScopes)
    parameters.extraScopesToConsent = calendarScopes
    parameters.presentation = .standardError
    let account = try await application.acquireToken(with: parameters).account
    // snippet.end

    // snippet.tokens Each comes from the cache, or by the refresh token, without the person.
    let mailToken = try await account.accessToken(scopes: mailScopes)
    let calendarToken = try await account.accessToken(scopes: calendarScopes)
    print("Two tokens, and they are different: \(mailToken != calendarToken)")
    // snippet.end

    // snippet.request
    // Or let the account make the call: it adds the token, and answers a claims challenge.
    let request = APIRequest(.get, "https://calendar.contoso.com/v1/events", scopes: calendarScopes)
    let response = try await account.authorizedRequest(request)
    print(response.isSuccess ? response.text : "The calendar answered \(response.status).")
    // snippet.end
} catch let error as AuthenticationError {
    print("\(error.explanation) (\(error.code))")
} catch {
    // Such as a tenant that cannot be one.
    print(error)
}
