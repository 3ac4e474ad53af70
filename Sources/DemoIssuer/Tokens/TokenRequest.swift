internal import SwitchyardCrypto
package import SwitchyardHTTP
internal import SwitchyardJSON
package import SwitchyardOAuth

/// A token request that has been read (RFC 6749 sections 4.1.3 and 6).
package struct TokenRequest: Sendable {
    package enum Proof: Sendable {
        /// The verifier is nil when the authorization request had no challenge, which the code tells.
        case code(String, redirectURI: String, verifier: PKCE?)
        case refreshToken(String)
    }

    package let parameters: RequestParameters
    package let client: ClientCredentials
    package let grantType: String
    /// nil for a grant type that is none of these.
    package let proof: Proof?
    /// The scopes that the client asks for; nil for all that the proof stands for.
    package let scopes: Scopes?
    let claimsRequest: JSONObject?
    /// Microsoft's `client_info`, which is `1` or `true`.
    let wantsClientInfo: Bool

    package init(_ request: Request) throws(TokenError) {
        parameters = try Self.parameters(of: request)
        client = try ClientCredentials(request, parameters)
        guard let grantType = parameters["grant_type"] else { throw .missing("grant_type") }
        self.grantType = grantType
        proof = try Self.proof(grantType, parameters)
        scopes = parameters["scope"].map { Scopes(parsing: $0) }
        do throws(ClaimsParameter.Unreadable) {
            claimsRequest = try ClaimsParameter.read(parameters)
        } catch {
            throw .invalidClaims
        }
        wantsClientInfo = Self.wantsClientInfo(parameters)
    }

    package static func parameters(of request: Request) throws(TokenError) -> RequestParameters {
        guard request.mediaType == "application/x-www-form-urlencoded" else { throw .notAForm }
        do throws(RequestParameters.ReadingError) {
            return try RequestParameters(request.body)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Whether a token request or an authorization request asks for `client_info`.
    static func wantsClientInfo(_ parameters: RequestParameters) -> Bool {
        ["1", "true"].contains(parameters["client_info"])
    }
}

extension TokenRequest {
    private static func proof(_ grantType: String, _ parameters: RequestParameters) throws(TokenError) -> Proof? {
        switch grantType {
        case "authorization_code": try code(parameters)
        case "refresh_token": .refreshToken(try required("refresh_token", parameters))
        default: nil
        }
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

    package static func required(_ name: String, _ parameters: RequestParameters) throws(TokenError) -> String {
        guard let value = parameters[name] else { throw .missing(name) }
        return value
    }
}
