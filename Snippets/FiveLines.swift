// ! The shortest sign-in, on a desktop: the browser opens, the token comes back, and the next token comes without the
// person.

// snippet.whole
import SwitchyardClient

do throws(AuthenticationError) {
    var configuration = PublicClientApplicationConfiguration(clientID: "mail-client", bundleID: "com.contoso.mail")
    configuration.redirectURI = "http://localhost"
    let application = try PublicClientApplication(configuration: configuration)
    let account = try await application.acquireToken(with: InteractiveTokenParameters(scopes: ["User.Read"])).account
    let token = try await account.accessToken(scopes: ["Mail.Read"])  // of another API, without asking again
    print("\(account.username ?? account.identifier) has signed in; there is a token of \(token.utf8.count) bytes.")
} catch {
    print("\(error)\n\(error.remedy)")
}
// snippet.end
