internal import JSON

/// Why the claims of an authorization response in a JWT are not believed. The raw values name it in logs.
public enum JWTResponseClaimError: String, Error, Hashable, Sendable {
    case wrongIssuer = "wrong_issuer"
    case wrongAudience = "wrong_audience"
    /// A claim is missing, or has a value of the wrong kind.
    case invalidClaim = "invalid_claim"
    case expired
    case notYetValid = "not_yet_valid"
}

/// What an authorization response in a JWT must say to be believed (JARM section 2.4). The signature is not judged here.
public struct JWTResponseExpectations: Sendable {
    public var issuer: ExpectedIssuer
    public var clientID: String
    /// Seconds since 1970.
    public var now: Int64
    /// Seconds by which the clocks may differ.
    public var clockSkew: Int64

    public init(issuer: ExpectedIssuer, clientID: String, now: Int64, clockSkew: Int64 = 60) {
        self.issuer = issuer
        self.clientID = clientID
        self.now = now
        self.clockSkew = clockSkew
    }

    /// Judges every claim; the first one that is wrong is the error.
    /// - Returns: the response, to be believed as soon as the signature is known to be right.
    public func validate(
        _ unverified: UnverifiedJWTResponse
    ) throws(JWTResponseClaimError) -> AuthorizationResponse {
        let response = unverified.response
        guard let named = response.issuer, issuer.accepts(named) else { throw .wrongIssuer }
        try validateAudience(unverified.jws.claims)
        try validateTimes(unverified.jws.claims)
        return response
    }

    private func validateAudience(_ claims: JSONObject) throws(JWTResponseClaimError) {
        switch claims["aud"] {
        case .string(let one): guard one == clientID else { throw .wrongAudience }
        // JARM has no `azp`: it is enough to be among those it is meant for.
        case .array(let many): guard many.contains(.string(clientID)) else { throw .wrongAudience }
        default: throw .invalidClaim
        }
    }

    private func validateTimes(_ claims: JSONObject) throws(JWTResponseClaimError) {
        guard let expiry = claims.numericDate("exp") else { throw .invalidClaim }
        guard expiry > now - clockSkew else { throw .expired }
        for name in ["iat", "nbf"] where claims[name] != nil {
            guard let start = claims.numericDate(name) else { throw .invalidClaim }
            guard start <= now + clockSkew else { throw .notYetValid }
        }
    }
}
