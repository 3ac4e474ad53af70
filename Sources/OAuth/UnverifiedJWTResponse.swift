public import Crypto
internal import JSON

/// An authorization response in a JWT (JARM section 2.1) that has been decoded, and whose signature, issuer, audience
/// and age nobody has judged.
///
/// Only its state can be asked for, to look up the request it claims to be for. The rest comes out of
/// ``JWTResponseExpectations/validate(_:)``, and is to be believed only where the signature is right, too.
public struct UnverifiedJWTResponse: Sendable {
    /// What a signature check needs of it.
    public let jws: UnverifiedJWS
    /// Its shape has been judged already: what could never be a response costs no more than this.
    let response: AuthorizationResponse

    public var state: Secret { response.state }

    /// Reads the parameters that a browser brought: the query (without `?`) and, of a form_post, the content.
    ///
    /// There has to be one `response`. A decisive parameter beside it is refused: a reader that took `code` from there
    /// would believe what nobody has signed.
    public static func parse(query: [UInt8], content: [UInt8]?) throws(JWTResponseError) -> UnverifiedJWTResponse {
        guard query.count + (content?.count ?? 0) <= AuthorizationResponse.maximumLength else { throw .tooLarge }
        let fields: [FormField]
        do throws(AuthorizationResponseError) {
            fields = try AuthorizationResponse.decode(query) + AuthorizationResponse.decode(content ?? [])
        } catch {
            throw .parameters(error)
        }
        let decisive = fields.filter { AuthorizationResponse.decisiveNames.contains($0.name) }
        if let stray = decisive.first(where: { $0.name != "response" }) { throw .unsignedParameter(name: stray.name) }
        guard decisive.count <= 1 else { throw .parameters(.duplicateParameter(name: "response")) }
        guard let response = decisive.first, !response.value.isEmpty else { throw .missingResponse }
        return try parse(compact: response.value)
    }

    /// Reads the JWT itself, of at most ``AuthorizationResponse/maximumLength`` bytes.
    public static func parse(compact: String) throws(JWTResponseError) -> UnverifiedJWTResponse {
        let jws: UnverifiedJWS
        do throws(JWSError) {
            jws = try UnverifiedJWS.parse(compact, maximumLength: AuthorizationResponse.maximumLength)
        } catch {
            throw JWTResponseError(error)
        }
        guard let issuer = jws.claims["iss"]?.string else { throw .invalidClaim(name: "iss") }
        let parameters = try parameters(in: jws.claims)
        do throws(AuthorizationResponseError) {
            return UnverifiedJWTResponse(jws: jws, response: try AuthorizationResponse(parameters, issuer: issuer))
        } catch {
            throw .parameters(error)
        }
    }

    /// The claims that are about the JWT (RFC 7519 section 4.1), not parameters of the response.
    private static let ownClaims: Set<String> = ["iss", "aud", "exp", "iat", "nbf", "jti"]

    /// As many as a query may have.
    private static let maximumParameters = 100

    /// Claims as the parameters that they would be in a query.
    private static func parameters(in claims: JSONObject) throws(JWTResponseError) -> [FormField] {
        guard claims.members.count <= maximumParameters + ownClaims.count else {
            throw .parameters(.malformed(.tooManyFields))
        }
        var parameters: [FormField] = []
        for (name, value) in claims.members where !ownClaims.contains(name) {
            if let text = value.string {
                parameters.append(FormField(name, text))
            } else if value != .null, AuthorizationResponse.decisiveNames.contains(name) {
                // RFC 6749 section 4.1.2 has strings here. A text made up for something else might match by chance.
                throw .invalidClaim(name: name)
            } else if let text = text(of: value) {
                parameters.append(FormField(name, text))
            }
        }
        return parameters
    }

    /// A whole number or a truth value has one text, the same that a query would carry (`expires_in=3600`). A fraction
    /// has several, a list or an object none that everybody reads alike, and null says nothing: these are left out.
    private static func text(of value: JSONValue) -> String? {
        switch value {
        case .integer(let number): String(number)
        case .bool(let truth): truth ? "true" : "false"
        default: nil
        }
    }
}
