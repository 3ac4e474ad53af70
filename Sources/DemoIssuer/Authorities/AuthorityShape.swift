internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJSON

/// The shapes in which this issuer can be reached. All lead to the same endpoints and the same people; the addresses,
/// the issuer's name and the tenant differ.
enum AuthorityShape: Sendable {
    /// As OpenID Connect has it: everything right below the issuer's name.
    case plain
    /// As Microsoft Entra ID: `/{tenant}/v2.0` and `/{tenant}/oauth2/v2.0`.
    case tenant(Tenant)
    /// As Azure AD B2C: `/tfp/{tenant}/{policy}/v2.0`, with a name that is no prefix of the addresses.
    case policy(String, of: Tenant)
    /// As AD FS: `/adfs`.
    case adfs

    private static let policyMark = "tfp"
    private static let adfsMark = "adfs"

    /// The authority and the endpoint that a path names, below the issuer's own.
    static func find(_ path: String) -> (AuthorityShape, Endpoint)? {
        if let endpoint = Endpoint(plainPath: path) { return (.plain, endpoint) }
        guard let authority = AuthorityShape(of: path) else { return nil }
        // From the endpoints to the path, so that both directions are one table.
        let endpoint = Endpoint.allCases.first { authority.path(of: $0) == path }
        return endpoint.map { (authority, $0) }
    }

    private init?(of path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard let first = parts.first else { return nil }
        if first == Self.adfsMark {
            self = .adfs
        } else if first == Self.policyMark {
            guard parts.count > 3, let tenant = Tenant(parts[1]), Self.isPolicy(parts[2]) else { return nil }
            self = .policy(parts[2], of: tenant)
        } else {
            guard let tenant = Tenant(first) else { return nil }
            self = .tenant(tenant)
        }
    }

    /// nil for an endpoint that is at its plain address only.
    func path(of endpoint: Endpoint) -> String? {
        switch self {
        case .plain: endpoint.rawValue
        case .tenant(let tenant): endpoint.tenantPath.map { "/\(tenant.segment)\($0)" }
        case .policy(let policy, let tenant):
            endpoint.tenantPath.map { "/\(Self.policyMark)/\(tenant.segment)/\(policy)\($0)" }
        case .adfs: endpoint.adfsPath.map { "/\(Self.adfsMark)\($0)" }
        }
    }

    /// Whether apps may sign people in by themselves here.
    var takesNativeSignIns: Bool {
        guard case .tenant(let tenant) = self else { return false }
        return tenant.isOrganization
    }

    /// The part of the issuer's name after the base, as the metadata has it.
    var issuerPathInMetadata: String {
        switch self {
        case .plain: ""
        case .tenant(let tenant): "/\(tenant.nameInMetadata)/v2.0"
        case .policy(_, let tenant): "/\(tenant.id.text)/v2.0/"
        case .adfs: "/\(Self.adfsMark)"
        }
    }

    /// The same as ID tokens have it: of the tenant that the person is signed in to.
    var issuerPath: String {
        guard case .tenant(let tenant) = self else { return issuerPathInMetadata }
        return "/\(tenant.id.text)/v2.0"
    }

    private static func isPolicy(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }
}

/// How people look from an authority.
extension AuthorityShape {
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

    /// Microsoft's `client_info`: the person's account in its home tenant. nil at AD FS, which has no home tenants.
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
