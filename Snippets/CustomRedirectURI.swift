//! A redirect URI of the app's own choice, and what an app says when it is wrong.
//!
//! Run it with one: `CustomRedirectURI contoso-mail://auth`.

import SwitchyardClient

let redirectURI = CommandLine.arguments.dropFirst().first ?? "contoso-mail://auth"

// snippet.custom
let configuration = PublicClientApplicationConfiguration(
    clientID: "00001111-aaaa-2222-bbbb-3333cccc4444", bundleID: "com.contoso.mail", redirectURI: redirectURI)

do throws(AuthenticationError) {
    let application = try PublicClientApplication(configuration: configuration)
    print("Callbacks are expected at \(application.redirectURI ?? "the gateway").")
} catch  where error.internalCode == .invalidRedirectURI {
    // The message names the mistake and what would be right; the remedy says where else to correct it.
    print("\(error.message)\n\(error.remedy)")
} catch {
    print(error.message)
}
// snippet.end
