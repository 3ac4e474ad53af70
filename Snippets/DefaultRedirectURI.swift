// An app that says nothing about its redirect URI gets `msauth.[bundle ID]://auth`.

import SwitchyardClient

let configuration = PublicClientApplicationConfiguration(
    clientID: "11111111-2222-3333-4444-555555555555",
    bundleID: "com.contoso.mail")

let application = try PublicClientApplication(configuration: configuration)
print(application.redirectURI ?? "the gateway's")  // msauth.com.contoso.mail://auth
