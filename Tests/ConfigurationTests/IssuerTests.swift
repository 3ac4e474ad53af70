import SwitchyardConfiguration
import SwitchyardOAuth
import Testing

@Suite("Issuers") struct IssuerTests {
    @Test("endpoints can be given in place of discovery")
    func explicit() throws {
        let configuration = try Sample(
            issuers: """
                [{ name: contoso, issuer: 'https://id.contoso.com', authorization_endpoint: 'https://id.contoso.com/a?p=1',
                   token_endpoint: 'https://id.contoso.com/t', jwks_uri: 'https://id.contoso.com/k' }]
                """
        ).configuration()
        guard case .configured(let metadata) = configuration.issuers[0].source else {
            Issue.record("discovery")
            return
        }
        #expect(metadata.issuer == "https://id.contoso.com")
        #expect(metadata.authorizationEndpoint.text == "https://id.contoso.com/a?p=1")
        #expect(metadata.tokenEndpoint.text == "https://id.contoso.com/t")
        #expect(metadata.jwksURI?.text == "https://id.contoso.com/k")
    }

    @Test(
        "a wrong issuer is refused, and its apps are not blamed",
        arguments: [
            (
                "issuer: 'https://id.contoso.com', token_endpoint: 'https://id.contoso.com/t'",
                "\"authorization_endpoint\" is missing"
            ),
            (
                "issuer: 'https://id.contoso.com', jwks_uri: 'https://id.contoso.com/k', authorization_endpoint: 'https://x.com/a'",
                "\"token_endpoint\" is missing"
            ),
            ("issuer: 'https://id.contoso.com?x'", "has a query"),
            ("issuer: 'https://id.contoso.com#x'", "has a fragment"),
            ("issuer: id.contoso.com", "use https"),
            ("issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0'", "nothing can be discovered at a template"),
            ("isuer: 'https://id.contoso.com'", "unknown key"),
            ("issuer: 'https://id.contoso.com', ca: missing.pem", "missing.pem cannot be read"),
        ])
    func refused(keys: String, words: String) {
        let outcome = Sample(issuers: "[{ name: contoso, \(keys) }]").load()
        #expect(outcome.configuration == nil)
        #expect(outcome.errors.contains { $0.contains(words) }, "\(outcome.errors)")
        #expect(!outcome.errors.contains { $0.contains("unknown issuer") }, "\(outcome.errors)")
    }

    @Test(
        "an issuer is https; http only on loopback, and only while public_url is loopback too",
        arguments: [
            ("https://login.contoso.com", "http://127.0.0.1:9", false),
            ("https://login.contoso.com", "http://id.contoso.com", false),
            ("https://localhost:8443", "http://id.contoso.com", false),
            ("https://localhost:8443", "http://127.0.0.1:9", true),
            ("http://127.0.0.1:1", "http://localhost:9", true),
            ("https://login.contoso.com", "https://127.0.0.1:9", true),
        ])
    func plainHTTP(publicURL: String, issuer: String, isFine: Bool) {
        for keys in [
            "issuer: '\(issuer)'",
            "issuer: 'https://id.x.com', authorization_endpoint: '\(issuer)', token_endpoint: 'https://id.x.com/t'",
            "issuer: 'https://id.x.com', authorization_endpoint: 'https://id.x.com/a', token_endpoint: '\(issuer)'",
        ] {
            let outcome = Sample(publicURL: publicURL, issuers: "[{ name: contoso, \(keys) }]").load()
            #expect(
                isFine ? outcome.configuration != nil : outcome.hasOnlyError(containing: "is not https"),
                "\(outcome.errors)")
        }
    }

    @Test("two issuers do not share a name")
    func duplicate() {
        let one = "{ name: contoso, issuer: 'https://id.contoso.com' }"
        let outcome = Sample(issuers: "[\(one), \(one)]").load()
        #expect(outcome.hasOnlyError(containing: "a second issuer with the name \"contoso\""), "\(outcome.errors)")
    }

    private static let tenant = "tenants: [72f988bf-86f1-41af-91ab-2d7cd011db47]"

    @Test(
        "tenants are required where the issuer is a template, and refused elsewhere",
        arguments: [
            ("https://login.microsoftonline.com/common/v2.0", "", "no tenants"),
            ("https://login.microsoftonline.com/organizations/v2.0", "", "no tenants"),
            ("https://login.microsoftonline.us/organizations/v2.0", "", "no tenants"),
            ("https://login.partner.microsoftonline.cn/common/v2.0", "", "no tenants"),
            ("https://login.microsoftonline.de/common", "", "no tenants"),
            ("https://login.sovcloud-identity.fr/common/v2.0", tenant, nil),
            ("https://LOGIN.microsoftonline.com:443/Common/v2.0", "", "no tenants"),
            ("https://login.microsoftonline.com/commons/v2.0", "", nil),
            ("https://login.microsoftonline.com/consumers/v2.0", "", nil),
            ("https://login.microsoftonline.us.example.com/common/v2.0", "", nil),
            ("https://id.contoso.com/common/v2.0", "", nil),
            ("https://login.microsoftonline.com/common/v2.0", tenant, nil),
            ("https://login.microsoftonline.com/common/v2.0", "tenants: [contoso.com]", "a GUID"),
            ("https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0", "", nil),
            ("https://id.contoso.com", tenant, "stands for one only"),
        ] as [(String, String, String?)])
    func tenants(issuer: String, key: String, words: String?) {
        let app = Sample.app + (key.isEmpty ? "" : ", \(key)")
        let outcome = Sample(issuers: "[{ name: contoso, issuer: '\(issuer)' }]", apps: "[{ \(app) }]").load()
        if let words {
            #expect(outcome.errors.contains { $0.contains(words) }, "\(outcome.errors)")
        } else {
            #expect(outcome.configuration != nil, "\(outcome.errors)")
        }
    }

    @Test("a template with its endpoints given needs tenants too")
    func template() throws {
        let issuers = """
            [{ name: contoso, issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0',
               authorization_endpoint: 'https://login.microsoftonline.com/common/a', token_endpoint: 'https://x.com/t' }]
            """
        #expect(Sample(issuers: issuers).load().hasOnlyError(containing: "no tenants"))
        #expect(
            try Sample(issuers: issuers, apps: "[{ \(Sample.app), \(Self.tenant) }]").configuration().issuers[0]
                .isTemplate)
    }
}
