internal import SwitchyardCrypto
package import SwitchyardHTTP
internal import SwitchyardJSON
package import SwitchyardOAuth

/// A token request that has been read (RFC 6749 sections 4.1.3 and 6, and native authentication).
package struct TokenRequest: Sendable {
    package enum Proof: Sendable {
        /// The verifier is nil when the authorization request had no challenge, which the code tells.
        case code(String, redirectURI: String, verifier: PKCE?)
        case refreshToken(String)
        case native(NativeProof)
    }

    package let parameters: RequestParameters
    package let client: ClientCredentials
    package let kind: RequestKind
    package let proof: Proof
    /// The scopes that the client asks for; nil for all that the proof stands for.
    package let scopes: Scopes?
    let claimsRequest: JSONObject?
    /// Microsoft's `client_info`, which is `1` or `true`.
    let wantsClientInfo: Bool

    package init(_ request: Request) throws(TokenError) {
        parameters = try Self.parameters(of: request)
        client = try ClientCredentials(request, parameters)
        guard let name = parameters["grant_type"] else { throw .missing("grant_type") }
        guard let kind = RequestKind(grantType: name) else { throw .unsupportedGrantType }
        self.kind = kind
        proof = try Self.proof(kind, parameters)
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
    private static func proof(_ kind: RequestKind, _ parameters: RequestParameters) throws(TokenError) -> Proof {
        switch kind {
        case .authorizationCode: try code(parameters)
        case .refreshToken: .refreshToken(try required("refresh_token", parameters))
        case .password: try native(.password(try required("password", parameters)), parameters)
        case .oneTimeCode: try native(.code(try required("oob", parameters)), parameters)
        case .secondFactorCode: try native(.secondCode(try required("oob", parameters)), parameters)
        case .continuation: try native(.none, parameters)
        case .initiate, .challenge, .introspect, .revocation: throw .unsupportedGrantType
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

    private static func native(
        _ evidence: NativeProof.Evidence, _ parameters: RequestParameters
    ) throws(TokenError) -> Proof {
        .native(
            NativeProof(
                continuationToken: try required("continuation_token", parameters), username: parameters["username"],
                evidence: evidence))
    }

    private static func required(_ name: String, _ parameters: RequestParameters) throws(TokenError) -> String {
        guard let value = parameters[name] else { throw .missing(name) }
        return value
    }
}

/// The kinds of requests to the token endpoint and to the endpoints of native authentication.
package enum RequestKind: String, Sendable, CaseIterable {
    // The grant types of RFC 6749 sections 4.1.3 and 6.
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"

    // The grant types of native authentication, which end what its own endpoints began.
    case password
    case oneTimeCode = "oob"
    case secondFactorCode = "mfa_oob"
    /// After a sign-up or a new password.
    case continuation = "continuation_token"

    // The endpoints of native authentication.
    case initiate, challenge, introspect

    case revocation

    /// nil for what is no grant type.
    package init?(grantType: String) {
        guard let kind = RequestKind(rawValue: grantType) else { return nil }
        switch kind {
        case .initiate, .challenge, .introspect, .revocation: return nil
        default: self = kind
        }
    }
}
