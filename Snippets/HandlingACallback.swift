// What an app does with a URL that it was called with. Offer it every URL: only the callback of a request that waits ends
// that request's wait.

import SwitchyardClient

/// - Parameter sourceApplication: who called, as far as the desktop says.
func appWasOpened(
    _ application: PublicClientApplication, url: String, sourceApplication: String?
) async {
    switch await application.handleResponse(url, sourceApplication: sourceApplication) {
    case .completed: print("the sign-in goes on")
    case .notMine: print("a link for another part of the app")
    case .alreadyConsumed: print("it came twice; nothing happened")
    case .noPendingRequest, .stateMismatch, .expired: print("no sign-in waits for it; please sign in again")
    case .malformed(let reason): print("not a callback: \(reason)")
    }
}

/// The same with nothing but MSAL's answer, for every application of the process.
func appWasOpened(url: String) async -> Bool {
    await PublicClientApplication.handleMSALResponse(url)
}

let application = try PublicClientApplication(
    configuration: PublicClientApplicationConfiguration(
        clientID: "11111111-2222-3333-4444-555555555555", bundleID: "com.contoso.mail"))
if let url = CommandLine.arguments.dropFirst().first {
    await appWasOpened(application, url: url, sourceApplication: nil)
}
