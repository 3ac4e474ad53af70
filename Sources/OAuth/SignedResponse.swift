public import SwitchyardCrypto
public import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardText

/// A JWT-secured authorization response (JARM) with an unchecked signature. Only its state may be used, to find the
/// issuer that must have signed it.
public struct SignedResponse: Sendable {
    public let token: UnverifiedJWT
    public let state: Secret
    /// The parameters that carried it.
    public let parameters: [FormField]

    /// Reads the query (without `?`) and, of a form post, the content: one parameter `response` with a JWT, and no
    /// parameter of a plain response beside it.
    /// - Parameter decryption: of the app; nil where its responses are only signed.
    /// - Throws: ``AuthorizationResponseError``.
    public static func parse(
        query: [UInt8], content: [UInt8]?, _ decryption: TokenDecryption? = nil
    ) throws(AuthorizationResponseError) -> SignedResponse {
        let parameters = try AuthorizationResponse.fields(query: query, content: content)
        let decisive = try DecisiveParameters(parameters)
        guard let compact = decisive.response, decisive.isResponseAlone else { throw .notSigned }
        let token: UnverifiedJWT
        do throws(JWTError) {
            token = try decryption.parse(compact, .jarm)
        } catch {
            throw .unreadableJWT(error)
        }
        guard let state = token.claims["state"]?.string, !state.isEmpty else { throw .missingState }
        return SignedResponse(token: token, state: Secret(state), parameters: parameters)
    }

    /// Whether the query or the content carries an encrypted response, which costs more to read than another one.
    public static func isEncrypted(query: [UInt8], content: [UInt8]?) -> Bool {
        guard let parameters = try? AuthorizationResponse.fields(query: query, content: content),
            let compact = (try? DecisiveParameters(parameters))?.response
        else { return false }
        return UnverifiedJWT.isEncrypted(compact)
    }

    /// Judges the claims before the signature, which costs more. They have no effect before the signature was checked.
    public func checkClaims(
        from issuer: ExpectedIssuer, to clientID: String, now: Int64, clockSkew: Int64
    ) throws(AuthorizationResponseError) {
        _ = try response(from: issuer, to: clientID, now: now, clockSkew: clockSkew)
    }

    /// The response inside, once its claims have been judged (JARM section 2.4).
    func response(
        from issuer: ExpectedIssuer, to clientID: String, now: Int64, clockSkew: Int64
    ) throws(AuthorizationResponseError) -> AuthorizationResponse {
        let claims = token.claims
        guard let named = claims["iss"]?.string else { throw .missingClaim(name: "iss") }
        try IssuerIdentification(expected: issuer, isRequired: true).check(named)
        switch claims["aud"] {
        case .string(let one): guard one.isExactly(clientID) else { throw .wrongAudience }
        case .array(let many): guard many.contains(.string(clientID)) else { throw .wrongAudience }
        default: throw .missingClaim(name: "aud")
        }
        guard let expiry = claims[numericDate: "exp"] else { throw .missingClaim(name: "exp") }
        guard expiry > now - clockSkew else { throw .expired }
        for name in ["nbf", "iat"] where claims[name] != nil {
            guard let start = claims[numericDate: name] else { throw .missingClaim(name: name) }
            guard start <= now + clockSkew else { throw .notYetValid }
        }
        let parameters = try Self.parameters(of: claims)
        do throws(AuthorizationResponseError) {
            return try AuthorizationResponse(parameters)
        } catch {
            throw .inside(error)
        }
    }

    /// The claims that are parameters of the response: those that are text. A claim that decides the kind of response
    /// must be text (RFC 6749 section 4.1.2): an `error` of another type is no success. null counts as absent.
    private static func parameters(of claims: JSONObject) throws(AuthorizationResponseError) -> [FormField] {
        var parameters: [FormField] = []
        for (name, value) in claims.members where !["aud", "exp", "iat", "nbf", "jti"].contains(name) {
            if let text = value.string {
                parameters.append(FormField(name, text))
            } else if value != .null, DecisiveParameters.names.contains(name) {
                throw .missingClaim(name: name)
            }
        }
        return parameters
    }
}
