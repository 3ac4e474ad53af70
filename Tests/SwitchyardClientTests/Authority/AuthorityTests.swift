import SwitchyardOAuth
import Testing

@testable import SwitchyardClient

@Suite("An authority")
struct AuthorityTests {
    private static let guid = "11111111-2222-3333-4444-555555555555"

    static let addresses: [(url: String, kind: Authority.Kind, environment: String, discovery: String)] = [
        (
            "https://login.microsoftonline.com/common", .entra, "login.windows.net",
            "https://login.microsoftonline.com/common/v2.0"
        ),
        (
            "https://login.windows.net/\(guid)/", .entra, "login.windows.net",
            "https://login.microsoftonline.com/\(guid)/v2.0"
        ),
        (
            "https://LOGIN.microsoftonline.US/contoso.com", .entra, "login.microsoftonline.us",
            "https://login.microsoftonline.us/contoso.com/v2.0"
        ),
        (
            "https://login.chinacloudapi.cn/organizations", .entra, "login.partner.microsoftonline.cn",
            "https://login.partner.microsoftonline.cn/organizations/v2.0"
        ),
        (
            "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin", .b2c, "contoso.b2clogin.com",
            "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin/v2.0"
        ),
        (
            "https://login.contoso.example/tfp/contoso.onmicrosoft.com/policy", .b2c, "login.contoso.example",
            "https://login.contoso.example/tfp/contoso.onmicrosoft.com/policy/v2.0"
        ),
        (
            "https://contoso.ciamlogin.com/", .ciam, "contoso.ciamlogin.com",
            "https://contoso.ciamlogin.com/contoso.onmicrosoft.com/v2.0"
        ),
        (
            "https://contoso.ciamlogin.com/\(guid)", .ciam, "contoso.ciamlogin.com",
            "https://contoso.ciamlogin.com/\(guid)/v2.0"
        ),
        (
            "https://fs.contoso.example/adfs", .adfs, "https://fs.contoso.example/adfs",
            "https://fs.contoso.example/adfs"
        ),
        ("https://id.example/realms/one", .oidc, "https://id.example/realms/one", "https://id.example/realms/one"),
        ("https://id.example/", .oidc, "https://id.example/", "https://id.example/"),
    ]

    @Test("is recognized by its address", arguments: addresses)
    func recognized(url: String, kind: Authority.Kind, environment: String, discovery: String) throws {
        let authority = try Authority(url)
        #expect(authority.kind == kind && authority.environment == environment)
        #expect(authority.discovery.text == discovery)
        #expect(authority.aliases.contains(environment))
    }

    static let refusals: [(url: String, kind: AuthorityError.Kind)] = [
        ("login.microsoftonline.com/common", .malformed), ("http://login.microsoftonline.com/common", .insecure),
        ("https://login.microsoftonline.com", .missingTenant), ("https://login.microsoftonline.com/", .missingTenant),
        ("https://contoso.b2clogin.com/tfp", .missingTenant),
        ("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com", .missingPolicy),
        ("https://login.microsoftonline.com/common?x=1", .hasQuery), ("https://id.example/#x", .malformed),
        ("https://user@id.example/", .malformed), ("https:///common", .malformed),
        ("https://login.microsoftonline.com/a%2Fb", .invalidName), ("http://127.0.0.1/x", .insecure),
    ]

    @Test("is refused with the reason and what would be right", arguments: refusals)
    func refused(url: String, kind: AuthorityError.Kind) {
        do throws(AuthorityError) {
            let authority = try Authority(url)
            Issue.record("it was taken for \(authority.kind)")
        } catch {
            #expect(error.kind == kind && !error.remedy.isEmpty && error.message.contains(url))
        }
    }

    @Test("of a cloud is one under all of its names", arguments: EntraCloud.allCases)
    func clouds(cloud: EntraCloud) throws {
        let expected = try Authority.entra(.common, cloud: cloud)
        for host in cloud.hosts {
            #expect(try Authority("https://\(host)/common") == expected)
            #expect(expected.aliases.contains(host))
            #expect(EntraCloud(host: "evil-\(host)") == nil && EntraCloud(host: "\(host).evil.example") == nil)
        }
    }

    @Test("for many directories becomes the one of somebody's home, another one stays")
    func home() throws {
        for audience in [Authority.Audience.common, .organizations, .consumers] {
            let authority = try Authority.entra(audience)
            #expect(authority.isMultiTenant)
            #expect(authority.forHomeTenant(Self.guid).url == "https://login.microsoftonline.com/\(Self.guid)")
            #expect(authority.forHomeTenant("../evil") == authority)
        }
        let own = try Authority.entra(.tenant("contoso.com"), cloud: .usGovernment)
        #expect(own.forHomeTenant(Self.guid) == own && !own.isMultiTenant)
        #expect(try Authority.oidc(issuer: "https://id.example").forHomeTenant(Self.guid).url == "https://id.example")
    }

    @Test("goes to another cloud only where it is one of its maker's")
    func cloudInstance() throws {
        let authority = try Authority.entra(.common)
        #expect(
            authority.forCloudInstance(host: "LOGIN.microsoftonline.us")?.url
                == "https://login.microsoftonline.us/common")
        for host in [
            "attacker.example", "login.microsoftonline.com.attacker.example", "", "login.microsoftonline.us/x",
        ] {
            #expect(authority.forCloudInstance(host: host) == nil)
        }
        #expect(
            try Authority.oidc(issuer: "https://id.example").forCloudInstance(host: "login.microsoftonline.us") == nil)
    }

    @Test("lets in whom it is for")
    func tenants() throws {
        #expect(try Authority.entra(.common).tenants == .any)
        #expect(try Authority.entra(.organizations).tenants == .anyBut([Authority.consumersTenantID]))
        #expect(try Authority.entra(.consumers).tenants == .only([Authority.consumersTenantID]))
        #expect(try Authority.oidc(issuer: "https://id.example").tenants == [])
    }
}
