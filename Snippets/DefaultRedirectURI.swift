// ! An app that names no redirect URI has `msauth.[bundle ID]://auth`. ! ! Register it with the issuer. The desktop
// opens this app by its scheme.

import SwitchyardClient

do throws(AuthenticationError) {
    let configuration = PublicClientApplicationConfiguration(
        clientID: "00001111-aaaa-2222-bbbb-3333cccc4444", bundleID: "com.contoso.mail")
    let application = try PublicClientApplication(configuration: configuration)

    print("Register this redirect URI with the issuer: \(application.redirectURI ?? "whichever the gateway serves")")
} catch {
    print(error.message)
}
