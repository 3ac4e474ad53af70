import Testing

@testable import SwitchyardClient

/// Addresses that two programs could read in two ways, and those that are one authority in two spellings.
@Suite("Reading authorities") struct AuthorityReadingTests {
    @Test(
        "an address with more than one reading is refused, also where its kind would not look",
        arguments: [
            ("https://login.microsoftonline.com/common/v2.0#x", AuthorityError.Kind.malformed),
            ("https://login.microsoftonline.com/common/\r\nX: y", .malformed),
            ("https://login.microsoftonline.com/common/../other", .malformed),
            ("https://login.microsoftonline.com//common", .malformed),
            ("https://login.microsoftonline.com/common/a?\u{301}", .hasQuery),
            ("https://login.microsoftonline.com@evil.example/common", .malformed),
            ("https://id.example/a%2fb", .malformed),
            ("https://id.example//", .malformed),
        ])
    func refused(text: String, kind: AuthorityError.Kind) {
        let error = #expect(throws: AuthorityError.self) { try Authority(text) }
        #expect(error?.kind == kind)
        #expect(error?.text == text)
    }

    @Test(
        "the port of https is no other address",
        arguments: [
            ("https://login.microsoftonline.com:443/common", "https://login.microsoftonline.com/common"),
            ("https://contoso.b2clogin.com:443/contoso/B2C_1", "https://contoso.b2clogin.com/contoso/B2C_1"),
            ("https://contoso.ciamlogin.com:443/", "https://contoso.ciamlogin.com/"),
        ])
    func port(text: String, plain: String) throws {
        let authority = try Authority(text)
        #expect(try authority == Authority(plain))
        #expect(try authority.environment == Authority(plain).environment)
    }

    @Test("a policy at a host of Entra is B2C, not a tenant that is called tfp")
    func policy() throws {
        let authority = try Authority("https://login.microsoftonline.com/tfp/contoso.onmicrosoft.com/B2C_1_signin")
        #expect(authority.kind == .b2c)
        #expect(authority.tenant == "contoso.onmicrosoft.com")
    }
}
