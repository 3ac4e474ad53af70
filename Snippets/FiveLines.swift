//! The shortest sign-in, on a desktop: the browser opens, the token comes back, and the next one asks nobody.

// snippet.whole
import SwitchyardClient

var configuration = PublicClientApplicationConfiguration(clientID: "mail-client", bundleID: "com.contoso.mail")
configuration.redirectURI = "http://localhost"
let application = try PublicClientApplication(configuration: configuration)
let account = try await application.acquireToken(with: InteractiveTokenParameters(scopes: ["User.Read"])).account
let token = try await account.accessToken(scopes: ["Mail.Read"])  // of another API, without asking again
// snippet.end

print("There is a token for \(account.username ?? account.identifier), of \(token.utf8.count) bytes.")
