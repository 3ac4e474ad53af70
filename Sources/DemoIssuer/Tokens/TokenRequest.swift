internal import Crypto
internal import HTTP
internal import JSON
internal import OAuth

/// A token request that has been read (RFC 6749 sections 4.1.3 and 6).
struct TokenRequest: Sendable {
    enum Proof: Sendable {
        /// The verifier is nil when the authorization request had no challenge, which the code tells.
        case code(String, redirectURI: String, verifier: PKCE?)
        case refreshToken(String)
    }

    let client: ClientCredentials
    let grantType: GrantType
    let proof: Proof
    /// What the token shall be good for; nil for all that the proof stands for.
    let scopes: Scopes?
    let claimsRequest: JSONObject?
    /// Microsoft's `client_info`, which is `1` or `true`.
    let wantsClientInfo: Bool
    /// Of this request only, beside those of the sign-in: by the parameter `demo`, and by scopes in a refresh. (With a
    /// code, clients repeat the scopes of the sign-in.)
    let misbehaviors: Misbehaviors

    init(_ request: Request) throws(TokenError) {
        guard request.mediaType == "application/x-www-form-urlencoded" else { throw .notAForm }
        let parameters: RequestParameters
        do throws(RequestParameters.Problem) {
            parameters = try RequestParameters(request.body)
        } catch {
            throw .unreadable(error)
        }
        client = try ClientCredentials(request, parameters)
        guard let name = parameters["grant_type"] else { throw .missing("grant_type") }
        guard let grantType = GrantType(rawValue: name) else { throw .unsupportedGrantType }
        self.grantType = grantType
        proof =
            switch grantType {
            case .authorizationCode: try Self.code(parameters)
            case .refreshToken: .refreshToken(try Self.required("refresh_token", parameters))
            }
        scopes = parameters["scope"].map { Scopes(parsing: $0) }
        do throws(ClaimsRequest.Unreadable) {
            claimsRequest = try ClaimsRequest.read(parameters)
        } catch {
            throw .invalidClaims
        }
        wantsClientInfo = Self.wantsClientInfo(parameters)
        let demoScopes = grantType == .refreshToken ? scopes?.names ?? [] : []
        guard let misbehaviors = Misbehaviors(parameter: parameters["demo"], scopes: demoScopes) else {
            throw .unknownMisbehavior
        }
        self.misbehaviors = misbehaviors
    }

    /// Of a token request or an authorization request.
    static func wantsClientInfo(_ parameters: RequestParameters) -> Bool {
        ["1", "true"].contains(parameters["client_info"])
    }

    private static func code(_ parameters: RequestParameters) throws(TokenError) -> Proof {
        let code = try required("code", parameters)
        let redirectURI = try required("redirect_uri", parameters)
        guard let text = parameters["code_verifier"] else {
            return .code(code, redirectURI: redirectURI, verifier: nil)
        }
        guard let verifier = PKCE(verifier: Secret(text)) else { throw .wrongVerifier }
        return .code(code, redirectURI: redirectURI, verifier: verifier)
    }

    private static func required(_ name: String, _ parameters: RequestParameters) throws(TokenError) -> String {
        guard let value = parameters[name] else { throw .missing(name) }
        return value
    }
}
