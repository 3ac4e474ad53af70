import SwitchyardOAuth
import Testing

@Suite("Callback addresses") struct CallbackAddressTests {
    @Test(
        "a callback is split into what is matched and its raw parameters",
        arguments: [
            (
                "msauth.com.contoso.app1://auth?code=a%20b&state=s", "msauth.com.contoso.app1://auth",
                "code=a%20b&state=s", false
            ),
            ("MSAUTH.com.contoso.app1://auth?code=a", "msauth.com.contoso.app1://auth", "code=a", false),
            ("http://127.0.0.1:51004/cb?code=a?b", "http://127.0.0.1:3000/cb", "code=a?b", false),
            ("http://localhost:51004?code=a#_=_", "http://localhost/", "code=a", true),
            ("https://Login.contoso.com:443/a", "https://login.contoso.com/a", "", false),
            ("myapp://auth?", "myapp://auth", "", false),
            ("myapp://auth#x?code=a", "myapp://auth", "", true),
        ])
    func split(text: String, registered: String, query: String, hasFragment: Bool) throws {
        let address = try CallbackAddress(relayed: text)
        #expect(address.form == (try RedirectURI(registered).form))
        #expect(address.query == Array(query.utf8))
        #expect(address.hasFragment == hasFragment)
    }

    @Test(
        "a callback that only looks like the registered URI has another form or none",
        arguments: [
            "msauth.com.contoso.app1://auth//?code=a", "msauth.com.contoso.app1://auth-evil?code=a",
            "msauth.com.contoso.app1://AUTH?code=a", "msauth.com.contoso.app1:auth?code=a",
            "msauth.com.contoso.app1://auth/other/page?code=a", "msauth.com.contoso.app1://auth:1?code=a",
            "msauth.com.contoso.app1://x@auth?code=a", "xmsauth.com.contoso.app1://auth?code=a",
        ])
    func lookalikes(text: String) throws {
        let registered = try RedirectURI("msauth.com.contoso.app1://auth")
        #expect((try? CallbackAddress(relayed: text))?.form != registered.form)
    }

    @Test("a text that can be no redirect URI is malformed, with the reason")
    func malformed() {
        #expect(throws: CallbackAddressError.malformed(.empty)) { try CallbackAddress(relayed: "?code=a") }
        #expect(throws: CallbackAddressError.malformed(.missingScheme)) { try CallbackAddress(relayed: "code=a") }
        #expect(throws: CallbackAddressError.malformed(.dotSegment)) {
            try CallbackAddress(relayed: "myapp://a/../b?code=a")
        }
    }

    @Test("the length is bounded", arguments: [(0, true), (1, false)])
    func bounded(excess: Int, accepted: Bool) {
        let start = "myapp://auth?code="
        let filler = String(repeating: "a", count: CallbackAddress.maximumLength - start.utf8.count + excess)
        #expect(((try? CallbackAddress(relayed: start + filler)) != nil) == accepted)
    }
}
