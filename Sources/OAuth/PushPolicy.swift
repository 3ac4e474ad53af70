/// Whether an app's authorization requests are pushed to the issuer before the browser goes there (RFC 9126).
public enum PushPolicy: String, CaseIterable, Sendable {
    case off
    /// If the issuer's metadata require it.
    case auto
    case required

    public func pushes(to metadata: IssuerMetadata) -> Bool {
        switch self {
        case .off: false
        case .auto: metadata.requiresPushedRequests
        case .required: true
        }
    }
}

/// An issuer's answer to a pushed authorization request (RFC 9126 section 2.2).
public struct PushedRequest: Hashable, Sendable {
    /// The reference that stands for the request at the authorization endpoint.
    public let requestURI: String
    /// Its lifetime in seconds.
    public let lifetime: Int64

    /// In bytes; it goes into an address.
    public static let maximumLength = 2048
    /// The longest time that a reference is remembered for, in seconds.
    private static let maximumLifetime: Int64 = 24 * 3600

    /// nil for a text that belongs into no address, and for a lifetime that is no positive number.
    public init?(requestURI: String, lifetime: Int64) {
        guard (1...Self.maximumLength).contains(requestURI.utf8.count),
            requestURI.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), lifetime > 0
        else { return nil }
        self.requestURI = requestURI
        self.lifetime = min(lifetime, Self.maximumLifetime)
    }
}
