public import SwitchyardOAuth

/// An identity provider, as the configuration names it.
public struct IssuerConfiguration: Hashable, Sendable {
    /// Where its endpoints are known from.
    public enum Source: Hashable, Sendable {
        /// By the metadata document below the issuer's URL (OpenID Connect Discovery section 4).
        case discovery
        /// From the configuration.
        case configured(IssuerMetadata)
    }

    /// By which apps refer to it.
    public let name: String
    /// The issuer identifier. With ``Source/discovery`` it is a valid endpoint URL.
    public let issuer: String
    public let source: Source
    /// The path of an extra trust anchor in PEM, beside the system's.
    public let certificateAuthority: String?

    /// Whether it stands for many tenants, so that each app must list those it accepts: a `{tenantid}` in the
    /// identifier, or `common` or `organizations` of Microsoft Entra.
    public let isTemplate: Bool

    init(name: String, issuer: String, source: Source, certificateAuthority: String?) {
        self.name = name
        self.issuer = issuer
        self.source = source
        self.certificateAuthority = certificateAuthority
        let entra = "https://login.microsoftonline.com/"
        isTemplate =
            issuer.contains("{tenantid}")
            || ["common", "organizations"].contains { issuer == entra + $0 || issuer.hasPrefix(entra + $0 + "/") }
    }
}
