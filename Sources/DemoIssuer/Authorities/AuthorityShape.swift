internal import SwitchyardCrypto
package import SwitchyardJSON

/// A shape in which this issuer can be reached. All lead to the same endpoints and the same people; the addresses, the
/// issuer's name and the tenant differ.
package protocol AuthorityShape: Sendable {
    /// nil for an endpoint that is at its plain address only.
    func path(of endpoint: Endpoint) -> String?

    /// The part of the issuer's name after the base, as the metadata has it; nil for the configured name.
    var issuerPathInMetadata: String? { get }

    /// The same as ID tokens have it: of the tenant that the person is signed in to.
    var issuerPath: String? { get }

    /// The claims about a person, and about where they are signed in.
    func claims(about user: DemoUser) -> JSONObject

    /// Microsoft's `client_info`: the person's account in its home tenant; nil without one.
    func clientInfo(of user: DemoUser) -> String?
}

/// As OpenID Connect has it: everything right below the issuer's name.
struct PlainShape: AuthorityShape {
    func path(of endpoint: Endpoint) -> String? { endpoint.rawValue }

    var issuerPathInMetadata: String? { nil }
    var issuerPath: String? { nil }

    func claims(about user: DemoUser) -> JSONObject { user.claims(in: .standard) }

    func clientInfo(of user: DemoUser) -> String? { ClientInfo.encode(user.objectID(in: .standard), .standard) }
}

/// As Microsoft Entra ID: `/{tenant}/v2.0` and `/{tenant}/oauth2/v2.0`.
package struct TenantShape: AuthorityShape {
    package let tenant: Tenant

    /// - Parameter path: below the issuer's own.
    init?(of path: [String]) {
        guard let first = path.first, let tenant = Tenant(first) else { return nil }
        self.tenant = tenant
    }

    package func path(of endpoint: Endpoint) -> String? { endpoint.tenantPath.map { "/\(tenant.segment)\($0)" } }

    package var issuerPathInMetadata: String? { "/\(tenant.nameInMetadata)/v2.0" }
    package var issuerPath: String? { "/\(tenant.id.text)/v2.0" }

    package func claims(about user: DemoUser) -> JSONObject { user.claims(in: tenant.id) }

    package func clientInfo(of user: DemoUser) -> String? {
        ClientInfo.encode(user.objectID(in: tenant.home), tenant.home)
    }
}

/// `client_info` of Microsoft's issuers.
package enum ClientInfo {
    package static func encode(_ userID: String, _ tenant: TenantID) -> String {
        let members: JSONObject = ["uid": .string(userID), "utid": .string(tenant.text)]
        return Base64URL.encode(JSONValue.object(members).serialized)
    }
}
