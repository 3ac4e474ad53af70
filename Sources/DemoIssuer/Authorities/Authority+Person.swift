internal import SwitchyardCrypto
internal import SwitchyardJSON

/// How people look from an authority.
extension Authority {
    private var tenant: Tenant? {
        switch self {
        case .tenant(let tenant), .policy(_, let tenant): tenant
        case .plain, .adfs: nil
        }
    }

    /// The claims about a person, and about where they are signed in.
    func claims(about user: DemoUser) -> JSONObject {
        var claims = user.claims(in: tenant?.id ?? .standard)
        if case .policy(let policy, _) = self { claims["tfp"] = .string(policy) }
        return claims
    }

    /// Microsoft's `client_info`: who the person is at home. nil at AD FS, which does not know it.
    func clientInfo(of user: DemoUser) -> String? {
        let members: JSONObject
        switch self {
        case .adfs: return nil
        case .plain: members = Self.clientInfo(user.objectID(in: .standard), .standard)
        case .tenant(let tenant): members = Self.clientInfo(user.objectID(in: tenant.home), tenant.home)
        case .policy(let policy, let tenant):
            // B2C has the accounts of each policy apart.
            members = Self.clientInfo("\(user.objectID(in: tenant.id))-\(policy.lowercased())", tenant.id)
        }
        return Base64URL.encode(JSONValue.object(members).serialized)
    }

    private static func clientInfo(_ userID: String, _ tenant: TenantID) -> JSONObject {
        ["uid": .string(userID), "utid": .string(tenant.text)]
    }
}
