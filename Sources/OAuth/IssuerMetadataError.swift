/// Why an issuer's metadata cannot be used.
public enum IssuerMetadataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document speaks for another issuer than the one it was fetched for (OpenID Connect Discovery section 4.3).
    case wrongIssuer
    case missing(name: String)
    case invalidEndpoint(name: String, EndpointURLError)

    public var description: String {
        switch self {
        case .wrongIssuer: "the metadata is of another issuer"
        case .missing(let name): "the metadata lacks \(name)"
        case .invalidEndpoint(let name, let error): "the \(name) of the metadata \(error)"
        }
    }
}
