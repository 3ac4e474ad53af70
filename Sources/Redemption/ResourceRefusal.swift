/// The reason why nobody can sign in to a resource.
public enum ResourceRefusal: Error, Hashable, Sendable {
    /// The URL is of no protected resource, or its metadata are another's.
    case notAResource(String)
    /// The resource names no authorization server that may be used.
    case issuerNotAllowed(String)
    /// There is no client for its authorization server.
    case clientRequired(String)
    /// The authorization server does not say that it takes S256 challenges.
    case noPKCE(issuer: String)
    /// A document could not be had.
    /// - Parameter status: nil without an answer.
    case discoveryFailed(address: String, status: Int?)
    /// The request would not fit into an address, with the scopes of the caller and of the resource's challenge.
    case tooManyScopes
    /// The store of registered clients is out.
    case storeFailed
    /// No port on loopback can take the callback of a sign-in.
    case noPort(String)
}
