internal import SwitchyardDemoIssuer
internal import SwitchyardJSON

/// As Azure AD B2C: `/tfp/{tenant}/{policy}/v2.0`, with a name that is no prefix of the addresses.
struct PolicyShape: AuthorityShape {
    private let tenant: Tenant
    private let policy: String

    private static let mark = "tfp"

    /// - Parameter path: below the issuer's own.
    init?(of path: [String]) {
        guard path.count > 3, path[0] == Self.mark, let tenant = Tenant(path[1]), Self.isPolicy(path[2]) else {
            return nil
        }
        self.tenant = tenant
        policy = path[2]
    }

    private static func isPolicy(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }

    func path(of endpoint: Endpoint) -> String? {
        endpoint.tenantPath.map { "/\(Self.mark)/\(tenant.segment)/\(policy)\($0)" }
    }

    var issuerPathInMetadata: String? { "/\(tenant.id.text)/v2.0/" }
    var issuerPath: String? { issuerPathInMetadata }

    func claims(about user: DemoUser) -> JSONObject {
        var claims = user.claims(in: tenant.id)
        claims["tfp"] = .string(policy)
        return claims
    }

    /// B2C has the accounts of each policy apart.
    func clientInfo(of user: DemoUser) -> String? {
        ClientInfo.encode("\(user.objectID(in: tenant.id))-\(policy.lowercased())", tenant.id)
    }
}

/// As AD FS: `/adfs`, without home tenants.
struct ADFSShape: AuthorityShape {
    private static let root = "/adfs"

    init?(of path: [String]) {
        guard path.first.map({ "/\($0)" }) == Self.root else { return nil }
    }

    func path(of endpoint: Endpoint) -> String? {
        let path: String? =
            switch endpoint {
            case .discovery: "/.well-known/openid-configuration"
            case .jwks: "/discovery/keys"
            case .authorization: "/oauth2/authorize"
            case .consent: "/oauth2/consent"
            case .token: "/oauth2/token"
            case .userInfo, .api, .revocation: nil
            }
        return path.map { Self.root + $0 }
    }

    var issuerPathInMetadata: String? { Self.root }
    var issuerPath: String? { Self.root }

    func claims(about user: DemoUser) -> JSONObject { user.claims(in: .standard) }

    func clientInfo(of user: DemoUser) -> String? { nil }
}
