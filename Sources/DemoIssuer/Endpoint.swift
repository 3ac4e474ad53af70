package import SwitchyardHTTP

/// The addresses of the issuer, below its name.
package enum Endpoint: String, CaseIterable {
    case discovery = "/.well-known/openid-configuration"
    case jwks = "/jwks"
    case authorization = "/authorize"
    /// Where the consent page sends its decision.
    case consent = "/consent"
    case token = "/token"
    case revocation = "/revoke"
    case userInfo = "/userinfo"
    /// The APIs that take the issuer's access tokens; a name follows.
    case api = "/api/"

    init?(plainPath path: String) {
        if let endpoint = Endpoint(rawValue: path), endpoint != .api {
            self = endpoint
        } else if path.hasPrefix(Endpoint.api.rawValue), path.utf8.count > Endpoint.api.rawValue.utf8.count {
            self = .api
        } else {
            return nil
        }
    }

    /// Below a tenant of Microsoft Entra ID; nil for an unknown path.
    package var tenantPath: String? {
        switch self {
        case .discovery: "/v2.0/.well-known/openid-configuration"
        case .jwks: "/discovery/v2.0/keys"
        case .authorization: "/oauth2/v2.0/authorize"
        case .consent: "/oauth2/v2.0/consent"
        case .token: "/oauth2/v2.0/token"
        // Microsoft's issuers have no revocation endpoint.
        case .userInfo, .api, .revocation: nil
        }
    }

    package func allows(_ method: Request.Method) -> Bool {
        switch self {
        case .discovery, .jwks: method == .get || method == .head
        case .authorization, .userInfo, .api: method == .get || method == .post
        case .consent, .token, .revocation: method == .post
        }
    }

    /// As `Allow` names them.
    var allowedMethods: String {
        let names: [(Request.Method, String)] = [(.get, "GET"), (.head, "HEAD"), (.post, "POST")]
        return names.filter { allows($0.0) }.map(\.1).joined(separator: ", ")
    }
}
