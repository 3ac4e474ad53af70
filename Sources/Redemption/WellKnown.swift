internal import SwitchyardOAuth

/// The addresses at which an issuer publishes its metadata.
enum WellKnown {
    /// Behind the issuer identifier (OpenID Connect Discovery section 4).
    static func openIDConfiguration(_ issuer: EndpointURL) -> String {
        withoutSlash(issuer.text) + "/.well-known/openid-configuration"
    }

    /// Between the host and the path of the issuer identifier (RFC 8414 section 3.1).
    static func authorizationServer(_ issuer: EndpointURL) -> String {
        let text = withoutSlash(issuer.text)
        let name = "/.well-known/oauth-authorization-server"
        guard let scheme = text.firstRange(of: "://"),
            let path = text[scheme.upperBound...].firstIndex(of: "/")
        else { return text + name }
        return text[..<path] + name + text[path...]
    }

    private static func withoutSlash(_ text: String) -> String {
        text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
