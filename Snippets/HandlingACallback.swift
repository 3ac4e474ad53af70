// ! An app that the desktop calls with a URL. ! ! With a URL as its argument it is the app that the desktop starts for
// `msauth.com.contoso.mail://…`. Without one it ! begins a sign-in itself and takes URLs from standard input: on a
// machine without a desktop, paste what the browser shows.

import SwitchyardClient

// snippet.outcomes
/// Harmless with any URL, and with one URL twice.
func receive(_ url: String, in application: PublicClientApplication) async {
    let outcome = await application.handleResponse(url)
    switch outcome {
    case .completed: print("The sign-in goes on.")
    case .notMine: print("This is no callback; open it as whatever else it may be.")
    case .noPendingRequest: print("This process asked for nothing; hand the URL to the one that did.")
    case .alreadyConsumed: print("This callback was taken before.")
    case .stateMismatch: print("This callback belongs to no sign-in of this process. Those that wait, wait on.")
    case .expired: print("This callback came too late; please sign in again.")
    case .malformed: print("This is no answer of the issuer: \(outcome.reason ?? "it cannot be read").")
    // Later versions may know more.
    default: print("Nothing came of this callback: \(outcome).")
    }
}
// snippet.end

func signIn(in application: PublicClientApplication) async throws(AuthenticationError) {
    // Reading blocks, so it has a task beside the sign-in.
    Task.detached {
        while let line = readLine() { await receive(line, in: application) }
    }
    var parameters = InteractiveTokenParameters(scopes: ["User.Read"])
    parameters.presentation = .standardError
    print("Paste the address that the browser ends at.")
    print("Signed in: \(try await application.acquireToken(with: parameters))")
}

do throws(AuthenticationError) {
    let application = try PublicClientApplication(
        configuration: PublicClientApplicationConfiguration(
            clientID: "00001111-aaaa-2222-bbbb-3333cccc4444", bundleID: "com.contoso.mail"))
    if let url = CommandLine.arguments.dropFirst().first {
        await receive(url, in: application)

        // snippet.facade If a yes or no is enough: MSAL's answer, for all applications of this process.
        let isHandled = await PublicClientApplication.handleMSALResponse(url)
        // snippet.end
        print("handleMSALResponse says \(isHandled)")
    } else {
        try await signIn(in: application)
    }
} catch {
    print("\(error.explanation) (\(error.code))")
}
