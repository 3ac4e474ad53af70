// The browser may be on another machine than this program: over SSH, in a container, for an agent. The callback goes to a
// gateway, and the person proves to be the one who began by typing in the code that the browser shows.

import SwitchyardClient

var configuration = PublicClientApplicationConfiguration(
    clientID: "11111111-2222-3333-4444-555555555555", bundleID: "com.contoso.mail")
configuration.gateway = GatewayConfiguration("https://login.contoso.example:8444")
let application = try PublicClientApplication(configuration: configuration)

var parameters = InteractiveTokenParameters(scopes: ["User.Read"])
parameters.presentation = .custom { url in
    print("Open this address in a browser, on any machine:\n\n  \(url)\n")
    return true
}
parameters.releaseCode = { question in
    if let left = question.attemptsLeft { print("That code is wrong; \(left) left.") }
    print("Type the code that the page of sign-in \(question.reference) shows: ", terminator: "")
    return readLine()
}

if CommandLine.arguments.contains("--sign-in") {
    let result = try await application.acquireToken(with: parameters)
    print("signed in as \(result.account.username ?? "somebody")")
}
