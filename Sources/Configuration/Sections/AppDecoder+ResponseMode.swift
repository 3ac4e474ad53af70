internal import SwitchyardOAuth

extension AppDecoder {
    /// How the issuer is asked to answer; nil when it is wrong, which is reported.
    func responseMode(_ redirects: [RedirectURI]?) -> ResponseMode? {
        guard let node = reader[.responseMode] else { return .query }
        guard let mode = context.choice(node, ResponseMode.allCases.map { ($0.rawValue, $0) }) else { return nil }
        guard let redirects else { return mode }
        switch mode.carrier {
        case .query: break
        case .form:
            checkNeedsHTTPS(redirects, at: node.mark, "response_mode \(mode.rawValue)") {
                "no POST reaches the gateway through \($0)"
            }
        case .fragment:
            checkNeedsHTTPS(redirects, at: node.mark, "response_mode \(mode.rawValue)") {
                "a fragment of \($0) is never seen"
            }
        }
        return mode
    }

    /// Reports what works at https redirect URIs only: an error when the app has none, a warning when it has others too.
    /// - Parameter reason: why it does not, at the URI that it is given.
    func checkNeedsHTTPS(_ redirects: [RedirectURI], at mark: Mark, _ what: String, _ reason: (RedirectURI) -> String) {
        let others = redirects.filter { if case .https = $0.form { false } else { true } }
        guard let other = others.first else { return }
        if others.count == redirects.count {
            context.error(
                at: mark, "\(what) without an https redirect URI: \(reason(other))",
                "list one in redirect_uris, or leave this out")
        } else {
            context.warning(
                at: mark, "\(what) beside a redirect URI that is not https: \(reason(other))",
                "begin with the https one only, and take the others out")
        }
    }
}
