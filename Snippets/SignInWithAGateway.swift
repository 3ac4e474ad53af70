//! A sign-in whose browser is somewhere else: a gateway takes the callback in, and asks for the code that its page shows.
//!
//! `SignInWithAGateway https://login.contoso.com:8443 com.contoso.app1`, over SSH, in a container, anywhere.

import Glibc
import SwitchyardClient

let arguments = Array(CommandLine.arguments.dropFirst())
let address = arguments.first ?? "https://login.contoso.com:8443"

do {
    var configuration = PublicClientApplicationConfiguration(
        clientID: "00001111-aaaa-2222-bbbb-3333cccc4444", bundleID: arguments.dropFirst().first ?? "com.contoso.app1")
    // snippet.hide
    // For trying it out with certificates and issuers of this machine.
    configuration.trustAnchor = arguments.count > 2 ? arguments[2] : nil
    if arguments.count > 3 {
        configuration.authority = try .oidc(issuer: arguments[3], allowingLoopbackHTTP: true)
        configuration.allowsLoopbackHTTP = true
        configuration.clientID = arguments.count > 4 ? arguments[4] : "switchyard-demo"
        configuration.cache = TokenCacheConfiguration(place: .memory)
    }
    // snippet.show
    // snippet.gateway
    configuration.gateway = GatewayConfiguration(address)
    let application = try PublicClientApplication(configuration: configuration)

    var parameters = InteractiveTokenParameters(scopes: ["mail.read"])
    // Any browser will do, on any machine.
    parameters.presentation = .standardError
    // Only the person who began the sign-in sees both the browser and this terminal.
    parameters.releaseCode = { question in
        if let left = question.attemptsLeft { print("That code is wrong; tries left: \(left).") }
        print("Type the code that the browser shows for sign-in \(question.reference):")
        // Show the line at once, also in a pipe.
        fflush(nil)
        return readLine()
    }
    // snippet.end

    let result = try await application.acquireToken(with: parameters)
    print("Signed in: \(result.account.username ?? result.account.identifier)")
} catch let error as AuthenticationError where error.code == .releaseFailed {
    print("The code was not given in. Nobody has got any tokens.")
} catch let error as AuthenticationError {
    print("\(error.explanation) (\(error.code))")
} catch {
    // Such as an issuer that is no URL.
    print(error)
}
