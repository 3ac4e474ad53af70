public import SwitchyardCrypto
public import SwitchyardJOSE
public import SwitchyardJSON
internal import SwitchyardText

/// The claims that an ID token must have to be trusted (OpenID Connect Core section 3.1.3.7). The signature is checked
/// elsewhere.
public struct IDTokenExpectations: Sendable {
    public var issuer: ExpectedIssuer
    public var clientID: String
    /// The nonce of the request; nil if the request had no nonce. The token's nonce is ignored then.
    public var nonce: String?
    /// Seconds since 1970.
    public var now: Int64
    /// Seconds by which the clocks may differ.
    public var clockSkew: Int64
    /// The access token that came along, for `at_hash` and `c_hash`.
    public var accessToken: Secret?
    public var code: Secret?
    /// The demands of the request on the authentication.
    public var stepUp = StepUp.none
    /// When the callback came, at the earliest and at the latest, in seconds since 1970; nil for now.
    public var arrival: ClosedRange<Int64>?

    public init(
        issuer: ExpectedIssuer, clientID: String, nonce: String?, now: Int64, clockSkew: Int64 = 60,
        accessToken: Secret? = nil, code: Secret? = nil
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.nonce = nonce
        self.now = now
        self.clockSkew = clockSkew
        self.accessToken = accessToken
        self.code = code
    }

    /// Judges all claims of a token with its issuer's signature, and returns them. The first wrong claim is the error.
    public func claims(of token: VerifiedJWT) throws(IDTokenError) -> JSONObject {
        try validate(token.token)
        return token.claims
    }

    func validate(_ token: UnverifiedJWT) throws(IDTokenError) {
        let claims = token.claims
        try validateIssuer(claims)
        try validateAudience(claims)
        try validateTimes(claims)
        guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count) else {
            throw IDTokenError(.missingClaim(name: "sub"))
        }
        if let nonce {
            guard let found = claims["nonce"]?.string else { throw IDTokenError(.missingClaim(name: "nonce")) }
            guard constantTimeEqual(Array(found.utf8), Array(nonce.utf8)) else { throw IDTokenError(.wrongNonce) }
        }
        guard matches(claims["at_hash"], accessToken, token.algorithm) else {
            throw IDTokenError(.wrongAccessTokenHash)
        }
        guard matches(claims["c_hash"], code, token.algorithm) else { throw IDTokenError(.wrongCodeHash) }
        try stepUp.check(claims, arrival: arrival ?? now...now)
    }

    private func validateIssuer(_ claims: JSONObject) throws(IDTokenError) {
        guard let found = claims["iss"]?.string else { throw IDTokenError(.missingClaim(name: "iss")) }
        switch issuer {
        case .exactly(let expected):
            guard found.isExactly(expected) else { throw .mismatch(.wrongIssuer, claims["iss"], expected) }
        case .tenantTemplate(let template, let tenants):
            guard let tenant = claims["tid"]?.string else { throw IDTokenError(.missingClaim(name: "tid")) }
            guard let own = ExpectedIssuer.fill(template, with: tenant), found.isExactly(own) else {
                throw .mismatch(.wrongIssuer, claims["iss"], template)
            }
            guard tenants.accepts(tenant) else { throw .mismatch(.tenantNotAllowed, claims["tid"], nil) }
        }
    }

    private func validateAudience(_ claims: JSONObject) throws(IDTokenError) {
        let audience: [JSONValue] =
            switch claims["aud"] {
            case .string(let one): [.string(one)]
            case .array(let many): many
            default: throw IDTokenError(.missingClaim(name: "aud"))
            }
        guard audience.contains(where: isClient) else { throw .mismatch(.wrongAudience, claims["aud"], clientID) }
        let party = claims["azp"]
        // A token for several audiences must say which of them it was issued to.
        if audience.count > 1, party == nil { throw IDTokenError(.missingClaim(name: "azp")) }
        if let party, !isClient(party) { throw .mismatch(.wrongAuthorizedParty, party, clientID) }
    }

    private func isClient(_ value: JSONValue) -> Bool { value.string?.isExactly(clientID) ?? false }

    private func validateTimes(_ claims: JSONObject) throws(IDTokenError) {
        let expiry = try claims.numericDate("exp")
        let issuedAt = try claims.numericDate("iat")
        guard expiry > now - clockSkew else { throw IDTokenError(.expired) }
        guard issuedAt <= now + clockSkew else { throw IDTokenError(.notYetValid) }
        if claims["nbf"] != nil, try claims.numericDate("nbf") > now + clockSkew { throw IDTokenError(.notYetValid) }
    }

    /// Whether a hash claim is absent, or is the left half of the digest of `value` in the size of the signature's
    /// (OpenID Connect Core section 3.1.3.6). Without a value every claim matches.
    private func matches(_ claim: JSONValue?, _ value: Secret?, _ algorithm: String) -> Bool {
        guard let claim, let value else { return true }
        guard let found = claim.string, let hash = IDTokenAlgorithm(name: algorithm)?.hash else { return false }
        let digest = hash.digest(of: value.exposedBytes)
        return constantTimeEqual(
            Array(found.utf8), Array(Base64URL.encode(Array(digest.prefix(digest.count / 2))).utf8))
    }
}

extension JSONObject {
    fileprivate func numericDate(_ name: String) throws(IDTokenError) -> Int64 {
        guard let date = self[numericDate: name] else { throw IDTokenError(.missingClaim(name: name)) }
        return date
    }
}

/// The reason why an ID token is refused, with the two values where they name an issuer, a client or a tenant. Values
/// of other claims stay out.
public struct IDTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault of the token.
    public enum Reason: Hashable, Sendable {
        case unreadable(JWTError)
        /// A claim is missing, or has a value of the wrong kind.
        case missingClaim(name: String)
        case wrongIssuer
        case tenantNotAllowed
        case wrongAudience
        case wrongAuthorizedParty
        case expired
        case notYetValid
        case wrongNonce
        case wrongAccessTokenHash
        case wrongCodeHash
        /// The request asked for another `acr`.
        case wrongAuthenticationContext
        /// The request asked for a more recent `auth_time`.
        case authenticationTooOld
    }

    public let reason: Reason
    /// The token's value, as JSON, and the expected one; nil where that would show too much, or where there is no
    /// value.
    public let found: IssuerText?
    public let expected: IssuerText?

    public init(_ reason: Reason, found: IssuerText? = nil, expected: IssuerText? = nil) {
        self.reason = reason
        self.found = found
        self.expected = expected
    }

    /// - Parameter expected: nil where it would be a list.
    static func mismatch(_ reason: Reason, _ found: JSONValue?, _ expected: String?) -> IDTokenError {
        // Much shorter than an issuer's text may be, because the other value must fit beside it.
        let json = String(decoding: (found ?? .null).serialized, as: UTF8.self)
        return IDTokenError(
            reason, found: IssuerText(json.utf8.count > 256 ? "\(json.prefix(256))…" : json),
            expected: expected.map { IssuerText(String(decoding: JSONValue.string($0).serialized, as: UTF8.self)) })
    }

    public var description: String {
        let words = "the ID token \(reason)"
        guard let found else { return words }
        return "\(words): it says \(found)" + (expected.map { ", and expected is \($0)" } ?? "")
    }
}

extension IDTokenError.Reason: CustomStringConvertible {
    /// Whether the token is good, and only the authentication is not the one that was asked for.
    public var isAboutStepUp: Bool { self == .wrongAuthenticationContext || self == .authenticationTooOld }

    public var description: String {
        switch self {
        case .unreadable(.malformed): "is no compact JWS"
        case .unreadable(.criticalHeader): "demands an extension that is not known here"
        case .unreadable(.encrypted): "is encrypted, and the app has no key to open it"
        case .unreadable(.undecryptable(let error)): "does not open: it \(error)"
        case .unreadable(.notEncrypted): "is signed only, although the app has encryption_keys_for_tokens"
        case .missingClaim(let name): "lacks a valid \(name)"
        case .wrongIssuer: "is from another issuer (iss)"
        case .tenantNotAllowed: "is from a tenant that is not listed (tid)"
        case .wrongAudience: "is for another client (aud)"
        case .wrongAuthorizedParty: "was issued to another client (azp)"
        case .expired: "has expired; is this machine's clock right?"
        case .notYetValid: "is from the future; is this machine's clock right?"
        case .wrongNonce: "belongs to another sign-in (its nonce differs)"
        case .wrongAccessTokenHash: "belongs to another access token (at_hash)"
        case .wrongCodeHash: "belongs to another code (c_hash)"
        case .wrongAuthenticationContext: "tells of another kind of authentication than was asked for (acr)"
        case .authenticationTooOld: "tells of no authentication that is as recent as was asked for (auth_time)"
        }
    }
}
