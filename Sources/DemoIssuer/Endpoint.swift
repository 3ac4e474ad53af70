internal import HTTP

/// The addresses of the issuer, below its name.
enum Endpoint: String {
    case discovery = "/.well-known/openid-configuration"
    case jwks = "/jwks"
    case authorization = "/authorize"
    /// Where the consent page sends its decision.
    case consent = "/consent"
    case token = "/token"
    case userInfo = "/userinfo"
    case statistics = "/demo/stats"
    /// Where tests change keys and make endpoints unreachable.
    case control = "/demo/control"
    /// Where the token endpoint redirects to when it misbehaves so.
    case elsewhere = "/demo/elsewhere"

    func allows(_ method: Method) -> Bool {
        switch self {
        case .discovery, .jwks, .statistics: method == .get || method == .head
        case .authorization, .userInfo: method == .get || method == .post
        case .consent, .token, .control: method == .post
        case .elsewhere: true
        }
    }

    /// As `Allow` names them.
    var allowedMethods: String {
        let names: [(Method, String)] = [(.get, "GET"), (.head, "HEAD"), (.post, "POST")]
        return names.filter { allows($0.0) }.map(\.1).joined(separator: ", ")
    }
}
