import SwitchyardCrypto
import SwitchyardJOSE
import Testing

@testable import SwitchyardOAuth

@Suite("What a request may believe of a response") struct CheckedResponseTests {
    private static let uri = "https://login.contoso.com/app1/auth"
    private let form: RedirectURI.Form
    private let issuer = IssuerIdentification(expected: .exactly("https://id.example"), isRequired: false)

    init() throws {
        form = try RedirectURI(Self.uri).form
    }

    private func unchecked(_ query: String, isSigned: Bool = false) throws -> UncheckedResponse {
        try UncheckedResponse(query: Array(query.utf8), content: nil, isSigned: isSigned, at: form)
    }

    @Test("it comes to the request's own redirect URI, with the request's own state")
    func matching() throws {
        let response = try unchecked("code=c&state=s")
        #expect(response.stateHash == SHA256Digest(of: "s"))
        let other = try RedirectURI("https://login.contoso.com/app2/auth").form
        #expect(throws: AuthorizationResponseError.wrongRedirectURI) {
            try response.matched(redirectURI: other, state: SHA256Digest(of: "s"))
        }
        #expect(throws: AuthorizationResponseError.wrongState) {
            try response.matched(redirectURI: form, state: SHA256Digest(of: "t"))
        }
        let checked = try response.matched(redirectURI: form, state: SHA256Digest(of: "s")).checked(by: issuer)
        #expect(checked.stateHash == SHA256Digest(of: "s"))
        #expect(checked.received == [FormField("code", "c"), FormField("state", "s")])
    }

    @Test("an identical response has the same fingerprint, any other has another")
    func fingerprint() throws {
        let queries = ["code=c&state=s", "code=d&state=s", "code=c&state=s&x=", "error=c&state=s"]
        let prints = try queries.map {
            try unchecked($0).matched(redirectURI: form, state: SHA256Digest(of: "s")).fingerprint
        }
        #expect(Set(prints).count == queries.count)
        let again = try unchecked("code=%63&state=s").matched(redirectURI: form, state: SHA256Digest(of: "s"))
        #expect(again.fingerprint == prints[0])
    }

    @Test(
        "its issuer is named rightly where it is named, and named where it always is (RFC 9207 section 2.4)",
        arguments: [
            (nil, false, nil), (nil, true, .missingIssuer), ("https://id.example", false, nil),
            ("https://id.example", true, nil), ("https://evil.example", false, .wrongIssuer),
            ("https://evil.example", true, .wrongIssuer), ("", false, .wrongIssuer),
            ("https://id.example/", false, .wrongIssuer),
            ("HTTPS://id.example", false, .wrongIssuer),
        ] as [(String?, Bool, AuthorizationResponseError?)])
    func issuer(named: String?, isRequired: Bool, mismatch: AuthorizationResponseError?) throws {
        let issuer = IssuerIdentification(expected: .exactly("https://id.example"), isRequired: isRequired)
        let query = "code=c&state=s" + (named.map { "&iss=" + FormEncoding.encode($0) } ?? "")
        let matched = try unchecked(query).matched(redirectURI: form, state: SHA256Digest(of: "s"))
        if let mismatch {
            #expect(throws: mismatch) { try matched.checked(by: issuer) }
        } else {
            _ = try matched.checked(by: issuer)
        }
    }

    @Test("a response that was asked for signed is never believed unsigned, nor by another one's signature")
    func signature() throws {
        let compact = SampleSignedResponse.compact()
        let matched = try unchecked("response=\(compact)", isSigned: true)
            .matched(redirectURI: form, state: SHA256Digest(of: "xyz"))
        #expect(throws: AuthorizationResponseError.signature(.wrongSignature)) { try matched.checked(by: issuer) }
        #expect(matched.signed != nil)
    }
}

extension UncheckedResponse {
    /// Checked for a request with this redirect URI and the state `s`.
    func checkedForTest(_ form: RedirectURI.Form) throws -> CheckedResponse {
        try matched(redirectURI: form, state: SHA256Digest(of: "s"))
            .checked(by: IssuerIdentification(expected: .exactly("https://id.example"), isRequired: false))
    }
}
