// A redirect URI of the app's own, and what happens when it has a mistake.

import SwitchyardClient

func makeApplication(redirectURI: String) throws(AuthenticationError) -> PublicClientApplication {
    try PublicClientApplication(
        configuration: PublicClientApplicationConfiguration(
            clientID: "11111111-2222-3333-4444-555555555555",
            bundleID: "com.contoso.mail",
            redirectURI: redirectURI))
}

// Loopback: the library listens on a port of its own for each sign-in.
let application = try makeApplication(redirectURI: "http://localhost")
print(application.redirectURI ?? "")

// Another app's bundle ID: nobody would ever call this app with it.
do throws(AuthenticationError) {
    _ = try makeApplication(redirectURI: "msauth.com.contoso.files://auth")
} catch {
    print(error.code, error.internalCode ?? "")  // invalidConfiguration invalidRedirectURI
    print(error.message)  // … has the form of MSAL but names another bundle ID: write msauth.com.contoso.mail://auth, …
    print(error.msalInternalCode ?? 0)  // -42011
}
