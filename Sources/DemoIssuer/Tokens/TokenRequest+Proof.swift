internal import SwitchyardCrypto
internal import SwitchyardOAuth

extension TokenRequest {
    static func proof(_ kind: RequestKind, _ parameters: RequestParameters) throws(TokenError) -> Proof {
        switch kind {
        case .authorizationCode: try code(parameters)
        case .refreshToken: .refreshToken(try required("refresh_token", parameters))
        case .password: try native(.password(try required("password", parameters)), parameters)
        case .oneTimeCode: try native(.code(try required("oob", parameters)), parameters)
        case .secondFactorCode: try native(.secondCode(try required("oob", parameters)), parameters)
        case .continuation: try native(.none, parameters)
        case .initiate, .challenge, .introspect: throw .unsupportedGrantType
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
