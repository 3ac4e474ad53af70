/// Why something is no authorization response in a JWT (JARM). No user input is in it.
public enum JWTResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no parameter `response`.
    case missingResponse
    /// A parameter that decides anything stands beside `response`, unsigned.
    case unsignedParameter(name: String)
    case tooLarge
    /// No compact JWS with a header and claims that are JSON objects.
    case malformed
    /// A JWE, which is not taken.
    case encrypted
    /// The header names an extension that must be understood (`crit`).
    case criticalHeader
    /// A claim is missing, or has a value of the wrong kind.
    case invalidClaim(name: String)
    /// What carries the JWT, or the claims in it, are no authorization response.
    case parameters(AuthorizationResponseError)

    init(_ error: JWSError) {
        self =
            switch error {
            case .tooLarge: .tooLarge
            case .malformed: .malformed
            case .criticalHeader: .criticalHeader
            case .encrypted: .encrypted
            }
    }

    public var description: String {
        switch self {
        case .missingResponse: "the parameter response is missing"
        case .unsignedParameter(let name): "the parameter \(name) stands beside the signed response"
        case .tooLarge: "the response is too large"
        case .malformed: "the response is no compact JWS"
        case .encrypted: "the response is encrypted, which is not supported"
        case .criticalHeader: "the response demands an extension that is not known here"
        case .invalidClaim(let name): "the response lacks a valid \(name)"
        case .parameters(let error): error.description
        }
    }
}
