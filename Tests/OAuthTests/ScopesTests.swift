import SwitchyardOAuth
import Testing

@Suite("Scopes") struct ScopesTests {
    @Test(
        "names keep order and spelling, each once whatever its case",
        arguments: [("", ""), ("  a   b ", "a b"), ("User.Read openid user.read OPENID b", "User.Read openid b")])
    func parsing(text: String, result: String) {
        #expect(Scopes(parsing: text).text == result)
    }

    @Test(
        "what an issuer did not grant is declined, but never a reserved scope",
        arguments: [
            ("User.Read Mail.Read", "User.Read Mail.Read", ""), ("User.Read Mail.Read", "mail.read", "User.Read"),
            ("User.Read Mail.Read", "", "User.Read Mail.Read"), ("openid profile EMAIL offline_access", "", ""),
            ("openid User.Read", "openid User.Write", "User.Read"), ("api://x/.default", "api://x/Read openid", ""),
            ("api://x/.default", "openid profile", "api://x/.default"), ("a", "a b c", ""),
        ])
    func declined(asked: String, granted: String, declined: String) {
        #expect(Scopes(parsing: asked).declined(grantedBy: Scopes(parsing: granted)).text == declined)
    }

    @Test(
        "commas of an issuer are read as spaces, unless a scope that was asked for has one",
        arguments: [
            ("read:user repo", "read:user,repo", "read:user repo"), ("repo", ",repo,,gist,", "repo gist"),
            ("a,b c", "a,b c", "a,b c"), ("a b", "a b", "a b"), ("a", "", ""),
        ])
    func granted(asked: String, answered: String, granted: String) {
        #expect(Scopes(parsing: answered).granted(for: Scopes(parsing: asked)).text == granted)
    }

    @Test(
        "a scope that RFC 6749 does not allow is not asked for",
        arguments: [
            ("openid api://x/Read", true), ("", true), ("a\"b", false), ("a\\b", false), ("a\tb", false), ("é", false),
        ])
    func validating(text: String, valid: Bool) {
        #expect((Scopes(validating: text) != nil) == valid)
    }
}
