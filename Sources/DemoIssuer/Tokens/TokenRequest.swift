internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// A token request that has been read (RFC 6749 sections 4.1.3 and 6, and native authentication).
struct TokenRequest: Sendable {
    enum Proof: Sendable {
        /// The verifier is nil when the authorization request had no challenge, which the code tells.
        case code(String, redirectURI: String, verifier: PKCE?)
        case refreshToken(String)
        case native(NativeProof)
    }

    let client: ClientCredentials
    let kind: RequestKind
    let proof: Proof
    /// What the token shall be good for; nil for all that the proof stands for.
    let scopes: Scopes?
    let claimsRequest: JSONObject?
    /// Microsoft's `client_info`, which is `1` or `true`.
    let wantsClientInfo: Bool
    /// Of this request only, beside those of the sign-in: by the parameter `demo`, and by scopes. (Not with a code:
    /// clients repeat the scopes of the sign-in.)
    let misbehaviors: Misbehaviors

    init(_ request: Request) throws(TokenError) {
        let parameters = try Self.parameters(of: request)
        client = try ClientCredentials(request, parameters)
        guard let name = parameters["grant_type"] else { throw .missing("grant_type") }
        guard let kind = RequestKind(grantType: name) else { throw .unsupportedGrantType }
        self.kind = kind
        proof = try Self.proof(kind, parameters)
        scopes = parameters["scope"].map { Scopes(parsing: $0) }
        do throws(ClaimsRequest.Unreadable) {
            claimsRequest = try ClaimsRequest.read(parameters)
        } catch {
            throw .invalidClaims
        }
        wantsClientInfo = Self.wantsClientInfo(parameters)
        let demoScopes = kind == .authorizationCode ? [] : scopes?.names ?? []
        guard let misbehaviors = Misbehaviors(parameter: parameters["demo"], scopes: demoScopes) else {
            throw .unknownMisbehavior
        }
        self.misbehaviors = misbehaviors
    }

    static func parameters(of request: Request) throws(TokenError) -> RequestParameters {
        guard request.mediaType == "application/x-www-form-urlencoded" else { throw .notAForm }
        do throws(RequestParameters.Problem) {
            return try RequestParameters(request.body)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Of a token request or an authorization request.
    static func wantsClientInfo(_ parameters: RequestParameters) -> Bool {
        ["1", "true"].contains(parameters["client_info"])
    }
}
