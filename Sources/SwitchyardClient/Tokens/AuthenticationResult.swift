/// What a request for tokens brought. It does not print its tokens.
public struct AuthenticationResult: Sendable, CustomStringConvertible, CustomReflectable {
    /// For the API that the scopes belong to. Opaque: what is in it is between issuer and API.
    public let accessToken: String
    /// What the token is good for, in the issuer's spelling.
    public let scopes: [String]
    /// When the access token ends, by this machine's clock.
    public let expiresOn: Timestamp
    /// The directory that the token is of; nil for issuers without tenants.
    public let tenantID: String?
    /// Whether the token has expired and is given all the same, because the issuer is down and allows it.
    public let isExtendedLifetimeToken: Bool
    /// Who signed in.
    public let account: Account
    /// The ID token as it came; nil when there was none. It has been verified.
    public let idToken: String?
    /// What the request was called in the logs of the issuer, where it says so.
    public let correlationID: String?

    /// The value of the `Authorization` header (RFC 6750 section 2.1).
    public var authorizationHeader: String { "Bearer \(accessToken)" }

    public var description: String {
        "tokens for \(scopes.joined(separator: " ")) until \(expiresOn.secondsSince1970) [redacted]"
    }

    public var customMirror: Mirror {
        Mirror(self, children: ["scopes": scopes, "expiresOn": expiresOn.secondsSince1970])
    }
}
