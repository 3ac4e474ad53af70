internal import SwitchyardJOSE
public import SwitchyardJSON
internal import SwitchyardText

/// The claims that a signed answer of the userinfo endpoint must have (OpenID Connect Core section 5.3.2). The signature
/// is checked elsewhere.
public struct UserInfoExpectations: Sendable {
    public var issuer: ExpectedIssuer
    public var clientID: String
    /// Seconds since 1970.
    public var now: Int64
    public var clockSkew: Int64

    public init(issuer: ExpectedIssuer, clientID: String, now: Int64, clockSkew: Int64) {
        self.issuer = issuer
        self.clientID = clientID
        self.now = now
        self.clockSkew = clockSkew
    }

    /// The first claim that is wrong, in words; nil if all are right. The issuer and the client must be named: a JWT that
    /// was made for another purpose has to be told apart.
    public func problem(in claims: JSONObject) -> String? {
        guard let named = claims["iss"]?.string else { return "without iss" }
        do throws(AuthorizationResponseError) {
            try IssuerIdentification(expected: issuer, isRequired: true).check(named)
        } catch {
            return "of another issuer (iss)"
        }
        let audience = claims["aud"]?.string.map { [JSONValue.string($0)] } ?? claims["aud"]?.array ?? []
        guard audience.contains(where: { $0.string?.isExactly(clientID) ?? false }) else {
            return "for another client (aud)"
        }
        if claims["exp"] != nil {
            guard let expiry = claims[numericDate: "exp"], expiry > now - clockSkew else {
                return "that has expired (exp)"
            }
        }
        for name in ["nbf", "iat"] where claims[name] != nil {
            guard let start = claims[numericDate: name], start <= now + clockSkew else {
                return "from the future (\(name))"
            }
        }
        return nil
    }
}
