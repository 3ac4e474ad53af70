// Sign-in on the app's own pages, where the authority allows it; and a token for each API, as the tutorial has it.

import SwitchyardClient

func ask(_ question: String) -> String {
    print(question, terminator: " ")
    return readLine() ?? ""
}

func signIn(with application: PublicClientApplication) async throws(AuthenticationError) -> Account {
    var step = try await application.nativeAuth.signIn(
        username: ask("E-mail:"), password: ask("Password:"))
    while true {
        switch step {
        case .completed(let account):
            let scopes = ["api://mail/read"]
            let result = try await account.getAccessToken(scopes: scopes)
            print("every scope is there: \(scopes.allSatisfy(result.scopes.contains))")
            return account.account
        case .codeRequired(let code):
            step = try await code.submit(code: ask("The code that was sent to \(code.sentTo ?? "you"):"))
        case .mfaRequired(let factor):
            step = try await factor.requestChallenge()
        case .browserRequired(let browser):
            return try await browser.signIn(with: InteractiveTokenParameters(scopes: ["api://mail/read"])).account
        }
    }
}

let authority = try Authority.ciam(tenant: "contoso")
let application = try PublicClientApplication(
    configuration: PublicClientApplicationConfiguration(
        clientID: "11111111-2222-3333-4444-555555555555", bundleID: "com.contoso.mail",
        redirectURI: "http://localhost", authority: authority))
if CommandLine.arguments.contains("--sign-in") {
    print(try await signIn(with: application).username ?? "")
}
