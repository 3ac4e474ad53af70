// One sign-in, two APIs: each gets an access token of its own, kept apart in the cache.

import SwitchyardClient

let mail = ["api://mail/read"]
let files = ["api://files/read", "api://files/write"]

func readBoth(with application: PublicClientApplication) async throws(AuthenticationError) {
    var parameters = InteractiveTokenParameters(scopes: mail)
    // The person is asked once for everything; the second API's token comes without a question.
    parameters.extraScopesToConsent = files
    let account = try await application.acquireToken(with: parameters).account

    let mailToken = try await account.accessToken(scopes: mail)
    let filesToken = try await account.accessToken(scopes: files)
    print(mailToken == filesToken)  // false

    // Or let the library put it into the request.
    let answer = try await account.authorizedRequest(
        APIRequest(.get, "https://files.contoso.example/v1/recent", scopes: files))
    print(answer.isSuccess ? answer.text : "status \(answer.status)")
}

let application = try PublicClientApplication(
    configuration: PublicClientApplicationConfiguration(
        clientID: "11111111-2222-3333-4444-555555555555", bundleID: "com.contoso.mail",
        redirectURI: "http://localhost"))
if CommandLine.arguments.contains("--sign-in") {
    try await readBoth(with: application)
}
