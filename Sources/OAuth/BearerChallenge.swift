internal import SwitchyardText

/// A protected resource's refusal of a call: the Bearer challenge in `WWW-Authenticate` (RFC 6750 section 3, RFC 9728
/// section 5.1). A challenge for DPoP counts where there is none for Bearer.
public struct BearerChallenge: Hashable, Sendable {
    /// Such as `invalid_token` or `insufficient_scope`.
    public let error: String?
    /// The server's words, not to be believed.
    public let errorDescription: String?
    /// The scopes that the call needs.
    public let scope: Scopes?
    /// The address of the resource's metadata. It counts only at the resource's own origin.
    public let resourceMetadata: String?

    /// - Parameter wwwAuthenticate: the value of the header field; of several fields, the values with commas between.
    /// - Throws: for a header that cannot be read to its end.
    /// - Returns: nil for a header without such a challenge.
    public init?(wwwAuthenticate: String) throws(BearerChallengeError) {
        guard let header = AuthenticateHeader(wwwAuthenticate) else { throw .unreadable }
        let found = ["bearer", "dpop"].lazy.compactMap { scheme in header.challenges.first { $0.scheme == scheme } }
        guard let challenge = found.first else { return nil }
        error = challenge.parameters["error"]
        errorDescription = challenge.parameters["error_description"]
        resourceMetadata = challenge.parameters["resource_metadata"]
        guard let text = challenge.parameters["scope"] else {
            scope = nil
            return
        }
        guard let scope = Scopes(validating: text) else { throw .invalidScope }
        self.scope = scope
    }

    /// Whether a token with more scopes is asked for (RFC 6750 section 3.1).
    public var asksForMoreScope: Bool { error == "insufficient_scope" }
}

/// The reason why a `WWW-Authenticate` header tells nothing.
public enum BearerChallengeError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable
    case invalidScope

    public var description: String {
        switch self {
        case .unreadable: "is no WWW-Authenticate header (RFC 9110 section 11.6.1)"
        case .invalidScope: "has a scope with characters that no scope may have (RFC 6749 section 3.3)"
        }
    }
}
