internal import Crypto
internal import HTTP
internal import OAuth

/// A token request that has been read (RFC 6749 sections 4.1.3 and 6).
struct TokenRequest: Sendable {
    enum Proof: Sendable {
        /// The verifier is nil when the authorization request had no challenge, which the code tells.
        case code(String, redirectURI: String, verifier: PKCE?)
        case refreshToken(String, scopes: Scopes?)
    }

    let client: ClientCredentials
    let proof: Proof

    init(_ request: Request) throws(TokenError) {
        guard Self.isForm(request) else { throw .notAForm }
        let parameters: RequestParameters
        do throws(RequestParameters.Problem) {
            parameters = try RequestParameters(request.body)
        } catch {
            throw .unreadable(error)
        }
        client = try ClientCredentials(request, parameters)
        switch parameters["grant_type"] {
        case "authorization_code": proof = try Self.code(parameters)
        case "refresh_token": proof = try Self.refreshToken(parameters)
        case nil: throw .missing("grant_type")
        default: throw .unsupportedGrantType
        }
    }

    private static func isForm(_ request: Request) -> Bool {
        let type = request.field("content-type")?.split(separator: ";").first?.split(separator: " ").first
        return type?.lowercased() == "application/x-www-form-urlencoded"
    }

    private static func code(_ parameters: RequestParameters) throws(TokenError) -> Proof {
        guard let code = parameters["code"] else { throw .missing("code") }
        guard let redirectURI = parameters["redirect_uri"] else { throw .missing("redirect_uri") }
        guard let text = parameters["code_verifier"] else {
            return .code(code, redirectURI: redirectURI, verifier: nil)
        }
        guard let verifier = PKCE(verifier: Secret(text)) else { throw .wrongVerifier }
        return .code(code, redirectURI: redirectURI, verifier: verifier)
    }

    private static func refreshToken(_ parameters: RequestParameters) throws(TokenError) -> Proof {
        guard let token = parameters["refresh_token"] else { throw .missing("refresh_token") }
        return .refreshToken(token, scopes: parameters["scope"].map { Scopes(parsing: $0) })
    }
}
