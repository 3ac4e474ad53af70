internal import SwitchyardOAuth

/// The issuer's name and where its endpoints are: below it.
struct IssuerAddress: Sendable {
    /// The issuer as it was configured, which is its name at its plain addresses.
    let issuer: String
    /// In which shape it was reached.
    private(set) var authority = Authority.plain
    /// The issuer without a slash at its end (OpenID Connect Discovery section 4).
    private let base: String
    /// What stands before every endpoint's own path; empty for an issuer without a path.
    private let pathPrefix: [UInt8]

    /// - Throws: ``DemoIssuerError/invalidIssuer(_:)``.
    init(_ issuer: String) throws(DemoIssuerError) {
        guard (try? EndpointURL(issuer, allowingLoopbackHTTP: true)) != nil, !issuer.contains("?") else {
            throw .invalidIssuer(issuer)
        }
        self.init(unchecked: issuer)
    }

    /// From an address that is listened on.
    init(scheme: String, authority: String) {
        self.init(unchecked: "\(scheme)://\(authority)")
    }

    private init(unchecked issuer: String) {
        self.issuer = issuer
        base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        // The path begins at the third slash.
        let parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        pathPrefix = parts.count == 4 ? Array("/\(parts[3])".utf8) : []
    }

    /// Of the shape that was reached, or the plain one where that has none.
    func url(of endpoint: Endpoint) -> String { base + (authority.path(of: endpoint) ?? endpoint.rawValue) }

    /// The endpoint that a request's path names, and the address in that shape; nil for a foreign path.
    func endpoint(at path: ArraySlice<UInt8>) -> (Endpoint, IssuerAddress)? {
        guard path.starts(with: pathPrefix),
            let (authority, endpoint) = Authority.find(
                String(decoding: path.dropFirst(pathPrefix.count), as: UTF8.self))
        else { return nil }
        var address = self
        address.authority = authority
        return (endpoint, address)
    }
}

// MARK: - Names

extension IssuerAddress {
    private var isPlain: Bool {
        if case .plain = authority { true } else { false }
    }

    /// As the metadata names the issuer: a template where people of any tenant may sign in.
    var issuerInMetadata: String { isPlain ? issuer : base + authority.issuerPathInMetadata }

    /// As ID tokens name the issuer.
    var issuerInTokens: String { isPlain ? issuer : base + authority.issuerPath }

    /// As authorization responses name it (RFC 9207); nil in the shapes of issuers that do not.
    var issuerInResponses: String? { isPlain ? issuer : nil }

    /// Where an API sends who comes without a good token.
    var authorizationURLForAPIs: String { base + "/common" + (Endpoint.authorization.tenantPath ?? "") }
}
