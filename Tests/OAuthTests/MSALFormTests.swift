import SwitchyardOAuth
import Testing

@Suite("MSAL's forms of redirect URIs") struct MSALFormTests {
    @Test(
        "a redirect URI is told how it stands to what brokers accept",
        arguments: [
            ("", .empty), ("msauth.com.contoso.app1://auth", .matched), ("MSAUTH.com.contoso.app1://auth", .matched),
            ("myapp://com.contoso.app1", .matched), ("myapp://com.contoso.app1/x", .unknown),
            ("myapp://com.contoso.app1:80", .unknown), ("myapp://com.contoso.app1?x", .unknown),
            ("myapp://com.contoso.app2", .unknown), ("https://com.contoso.app1", .httpNotSupported),
            ("https://login.contoso.com/app1/auth", .httpNotSupported), ("HTTP://localhost", .httpNotSupported),
            ("msauth.com.contoso.app2://auth", .bundleIDMismatched), ("msauth://auth", .bundleIDMismatched),
            ("msauth.com.contoso.app1://auth/", .trailingText), ("msauth.com.contoso.app1://auth?x", .trailingText),
            ("msauth.com.contoso.app1://", .authHostMissing), ("msauth.com.contoso.app1://author", .authHostMissing),
            ("msauth.com.contoso.app1:", .authHostMissing), ("msauthfoo://x", .unknown), ("://auth", .schemeMissing),
            ("com.contoso.app1", .schemeMissing), ("urn:ietf:wg:oauth:2.0:oob", .outOfBandNotSupported),
            ("myapp://", .hostMissing), ("myapp:/auth", .hostMissing), ("myapp://auth", .unknown),
        ] as [(String, MSALForm)])
    func table(text: String, form: MSALForm) {
        #expect(MSALForm(of: text, bundleID: "com.contoso.app1") == form)
    }

    @Test("that is no match says why", arguments: MSALForm.allCases)
    func message(form: MSALForm) {
        #expect((form.message == nil) == (form == .matched))
    }
}
