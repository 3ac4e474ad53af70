package import SwitchyardCrypto

/// The result of a request for tokens. It does not print its tokens.
public struct AuthenticationResult: Sendable, CustomStringConvertible, CustomReflectable {
    /// The token for the API of the scopes. Opaque: only the issuer and the API read it.
    public let accessToken: String
    /// `Bearer`, unless the app accepts an issuer that names another type (``IssuerDeviations/acceptsAnyTokenType``).
    public let tokenType: String
    /// The scopes of the token, in the issuer's spelling.
    public let scopes: [String]
    /// When the access token ends, by this machine's clock. ``UnixTime/timeIntervalSince1970`` makes a `Date` of it.
    public let expiresOn: UnixTime
    /// The directory that the token is of; nil for issuers without tenants.
    public let tenantID: String?
    /// Whether the token has expired but stays in use, because the issuer is down and allows it.
    public let isExtendedLifetimeToken: Bool
    /// The account that signed in.
    public let account: Account
    /// The ID token as it came, verified; nil without one.
    public let idToken: String?
    /// The request's name in the issuer's logs, where the issuer says so.
    public let correlationID: String?

    /// The private key that the token is bound to, as a JWK; nil for a bearer token.
    package var bindingKey: Secret?

    /// For tests of an app.
    public init(
        accessToken: String, scopes: [String], expiresOn: UnixTime, account: Account, tenantID: String? = nil,
        idToken: String? = nil, correlationID: String? = nil, isExtendedLifetimeToken: Bool = false,
        tokenType: String = "Bearer"
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.scopes = scopes
        self.expiresOn = expiresOn
        self.tenantID = tenantID
        self.isExtendedLifetimeToken = isExtendedLifetimeToken
        self.account = account
        self.idToken = idToken
        self.correlationID = correlationID
    }

    /// The value of the `Authorization` header (RFC 6750 section 2.1, RFC 9449 section 7.1).
    public var authorizationHeader: String { "\(isBound ? "DPoP" : "Bearer") \(accessToken)" }

    public var description: String {
        "tokens for \(scopes.joined(separator: " ")) until \(expiresOn.secondsSince1970) [redacted]"
    }

    public var customMirror: Mirror {
        Mirror(self, children: ["scopes": scopes, "expiresOn": expiresOn.secondsSince1970])
    }
}
