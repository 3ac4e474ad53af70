internal import OAuth

/// The issuer's name and where its endpoints are: below it.
struct IssuerAddress: Sendable {
    /// The issuer as every document and token names it.
    let issuer: String
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

    /// Which tenant people are signed in to here.
    var tenant: TenantID { .standard }

    /// Where those people are at home.
    var homeTenant: TenantID { .standard }

    /// As ID tokens name the issuer.
    var tokenIssuer: String { issuer }

    func url(of endpoint: Endpoint) -> String { base + endpoint.rawValue }

    /// The endpoint that a request's path names; nil for a foreign path.
    func endpoint(at path: ArraySlice<UInt8>) -> Endpoint? {
        guard path.starts(with: pathPrefix) else { return nil }
        return Endpoint(rawValue: String(decoding: path.dropFirst(pathPrefix.count), as: UTF8.self))
    }
}
