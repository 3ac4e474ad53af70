import SwitchyardOAuth
import Testing

@Suite("Redirect URIs") struct RedirectURITests {
    @Test(
        "a good redirect URI is matched by its form and kept as it was written",
        arguments: [
            ("https://login.contoso.com/app1/auth", .https(host: "login.contoso.com", port: 443, path: "/app1/auth")),
            ("https://Login.Contoso.COM:443/App1", .https(host: "login.contoso.com", port: 443, path: "/App1")),
            ("HTTPS://login.contoso.com", .https(host: "login.contoso.com", port: 443, path: "/")),
            ("https://login.contoso.com:8443/a/", .https(host: "login.contoso.com", port: 8443, path: "/a/")),
            (
                "https://xn--bcher-kva.example/caf%C3%A9",
                .https(host: "xn--bcher-kva.example", port: 443, path: "/caf%C3%A9")
            ),
            ("https://192.168.7.2/cb", .https(host: "192.168.7.2", port: 443, path: "/cb")),
            ("https://[::1]:8443/cb", .https(host: "[::1]", port: 8443, path: "/cb")),
            ("https://login.contoso.com/done", .https(host: "login.contoso.com", port: 443, path: "/done")),
            ("http://127.0.0.1:3000/cb", .loopback(host: "127.0.0.1", path: "/cb")),
            ("http://LOCALHOST", .loopback(host: "localhost", path: "/")),
            ("http://[::1]/cb", .loopback(host: "[::1]", path: "/cb")),
            ("msauth.com.contoso.app1://auth", .customScheme(scheme: "msauth.com.contoso.app1", rest: "//auth")),
            ("MyApp://Auth", .customScheme(scheme: "myapp", rest: "//Auth")),
            ("msauth.com.contoso.app1://auth/", .customScheme(scheme: "msauth.com.contoso.app1", rest: "//auth")),
            ("myapp://auth/cb/", .customScheme(scheme: "myapp", rest: "//auth/cb/")),
            ("myapp:/", .customScheme(scheme: "myapp", rest: "/")),
            ("com.example.app:/oauth2redirect", .customScheme(scheme: "com.example.app", rest: "/oauth2redirect")),
        ] as [(String, RedirectURI.Form)])
    func accepted(text: String, form: RedirectURI.Form) throws {
        let uri = try RedirectURI(text)
        #expect(uri.form == form)
        #expect(uri.text == text)
    }

    @Test(
        "a bad redirect URI is refused for its reason",
        arguments: [
            ("", .empty), ("https://a.example/" + String(repeating: "a", count: 2048), .tooLong),
            ("https://a.example/a b", .forbiddenCharacter), ("https://a.example/\r\nX: y", .forbiddenCharacter),
            ("https://a.example/%0d%0a", .forbiddenCharacter), ("https://a.example/{id}", .forbiddenCharacter),
            ("https://bücher.example/", .nonASCII), ("https://a.example/é", .nonASCII),
            ("https:\\\\a.example/", .backslash), ("https://*.example/cb", .wildcard),
            ("https://a.example/*", .wildcard),
            ("https://a.example/#", .fragment), ("https://a.example/cb#x", .fragment), ("https://a.example/?", .query),
            ("https://a.example/cb?x=1", .query), ("login.contoso.com/cb", .missingScheme),
            ("//a.example/", .missingScheme),
            ("1app://auth", .missingScheme), ("://auth", .missingScheme), ("urn:ietf:wg:oauth:2.0:oob", .outOfBand),
            ("javascript:alert(1)", .unsafeScheme), ("data:text/html,x", .unsafeScheme),
            ("file:///etc/x", .unsafeScheme),
            ("myapp:", .missingHost), ("myapp://", .missingHost), ("https:///cb", .missingHost),
            ("https:cb", .missingHost),
            ("https://:443/", .missingHost), ("https://user@a.example/", .userinfo),
            ("https://a.example@b.example/", .userinfo),
            ("myapp://user@auth", .userinfo), ("https://a..example/", .invalidHost),
            ("https://a.example./", .invalidHost),
            ("https://-a.example/", .invalidHost), ("https://a_b.example/", .invalidHost),
            ("https://0x7f.1/", .invalidHost),
            ("https://2130706433/", .invalidHost), ("https://127.0.0.01/", .invalidHost),
            ("https://[::2]/", .invalidHost),
            ("https://a%2eexample/", .invalidHost), ("myapp://au%74h", .invalidHost), ("myapp://../x", .invalidHost),
            ("myapp://.;a/x", .invalidHost),
            ("https://a.example:/", .invalidPort),
            ("https://a.example:0/", .invalidPort), ("https://a.example:0443/", .invalidPort),
            ("https://a.example:65536/", .invalidPort), ("https://a.example:4 43/", .forbiddenCharacter),
            ("http://a.example/cb", .httpNotLoopback), ("http://localhost.a.example/", .httpNotLoopback),
            ("http://127.0.0.2/", .httpNotLoopback), ("https://a.example/%", .invalidPercentEncoding),
            ("https://a.example/%4", .invalidPercentEncoding), ("https://a.example/%c0%af", .invalidPercentEncoding),
            ("https://a.example/a%2fb", .encodedSeparator), ("https://a.example/a%5Cb", .encodedSeparator),
            ("https://a.example/%252e", .encodedSeparator), ("https://a.example//cb", .emptySegment),
            ("https://a.example/a//b", .emptySegment), ("https://a.example/a/../b", .dotSegment),
            ("https://a.example/a/.", .dotSegment), ("https://a.example/%2E%2e/b", .dotSegment),
            ("https://a.example/a/..;x/b", .dotSegment), ("myapp://auth/../x", .dotSegment),
            ("https://a.example/v1/requests", .reservedPath), ("https://a.example/done/x", .reservedPath),
            ("https://a.example/start/", .reservedPath), ("https://a.example/.well-known/x", .reservedPath),
        ] as [(String, RedirectURIError.Kind)])
    func refused(text: String, kind: RedirectURIError.Kind) {
        #expect(throws: RedirectURIError(kind, text: text)) { try RedirectURI(text) }
    }

    @Test("every reason has its own words and a remedy", arguments: RedirectURIError.Kind.allCases)
    func words(kind: RedirectURIError.Kind) {
        let error = RedirectURIError(kind, text: "x")
        #expect(!error.remedy.isEmpty)
        #expect(
            RedirectURIError.Kind.allCases.filter { RedirectURIError($0, text: "x").message == error.message } == [kind]
        )
    }

    @Test("the default redirect URI of a bundle ID is valid")
    func defaultURI() throws {
        #expect(
            try RedirectURI(RedirectURI.defaultURI(bundleID: "com.contoso.app1")).text
                == "msauth.com.contoso.app1://auth")
    }
}
