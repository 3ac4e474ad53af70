internal import SwitchyardOAuth
internal import SwitchyardReactor

/// Reads a shape from the parts of a path; nil for another shape's path.
package typealias AuthorityShapeReader = @Sendable ([String]) -> (any AuthorityShape)?

/// The issuer's name and where its endpoints are: below it.
package struct IssuerAddress: Sendable {
    /// The issuer as it was configured, which is its name at its plain addresses.
    package let issuer: String
    /// In which shape it was reached.
    package private(set) var authority: any AuthorityShape = PlainShape()
    private let shapes: [AuthorityShapeReader]
    /// The issuer without a slash at its end (OpenID Connect Discovery section 4).
    private let base: String
    /// The path before the path of every endpoint; empty for an issuer without a path.
    private let pathPrefix: [UInt8]

    /// - Throws: ``DemoIssuerError/invalidIssuer(_:)``.
    init(_ issuer: String, _ shapes: [AuthorityShapeReader]) throws(DemoIssuerError) {
        guard (try? EndpointURL(issuer, allowingLoopbackHTTP: true)) != nil, !issuer.contains("?") else {
            throw .invalidIssuer(issuer)
        }
        self.init(unchecked: issuer, shapes)
    }

    /// From an address that is listened on.
    init(scheme: String, authority: String, _ shapes: [AuthorityShapeReader]) {
        self.init(unchecked: "\(scheme)://\(authority)", shapes)
    }

    private init(unchecked issuer: String, _ shapes: [AuthorityShapeReader]) {
        self.shapes = shapes + [{ TenantShape(of: $0) }]
        self.issuer = issuer
        base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        // The path begins at the third slash.
        let parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        pathPrefix = parts.count == 4 ? Array("/\(parts[3])".utf8) : []
    }

    /// The endpoint's address in the shape that the client reached; the plain address where that shape has no such
    /// endpoint.
    package func url(of endpoint: Endpoint) -> String { base + (authority.path(of: endpoint) ?? endpoint.rawValue) }

    /// The endpoint that a request's path names, and the address in that shape; nil for a foreign path.
    package func endpoint(at path: ArraySlice<UInt8>) -> (Endpoint, IssuerAddress)? {
        guard path.starts(with: pathPrefix) else { return nil }
        let path = String(decoding: path.dropFirst(pathPrefix.count), as: UTF8.self)
        if let endpoint = Endpoint(plainPath: path) { return (endpoint, self) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard let shape = shapes.lazy.compactMap({ $0(parts) }).first,
            // From the endpoints to the path, so that both directions are one table.
            let endpoint = Endpoint.allCases.first(where: { shape.path(of: $0) == path })
        else { return nil }
        var address = self
        address.authority = shape
        return (endpoint, address)
    }
}

// MARK: - Names

extension IssuerAddress {
    /// As the metadata names the issuer: a template where people of any tenant may sign in.
    var issuerInMetadata: String { authority.issuerPathInMetadata.map { base + $0 } ?? issuer }

    /// As ID tokens name the issuer.
    var issuerInTokens: String { authority.issuerPath.map { base + $0 } ?? issuer }

    /// As authorization responses name it (RFC 9207); nil in the shapes of issuers that do not.
    package var issuerInResponses: String? { authority.issuerPath == nil ? issuer : nil }

    /// The address to which an API sends callers without a good token.
    var authorizationURLForAPIs: String { base + "/common" + (Endpoint.authorization.tenantPath ?? "") }
}

/// Whether an address reaches this machine only.
enum Loopback {
    /// An address to listen on: numeric, in 127.0.0.0/8 or ::1.
    static func contains(_ address: ListenAddress) -> Bool {
        guard case .tcp(let host, _) = address else { return false }
        if host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The other end of a connection; a Unix socket is on this machine by nature.
    static func contains(_ peer: Peer) -> Bool {
        switch peer {
        case .local: true
        case .ip(let address, _):
            address.count == 4 ? address[0] == 127 : address.last == 1 && address.dropLast().allSatisfy { $0 == 0 }
        }
    }
}
