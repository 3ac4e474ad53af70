internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The documents that the issuer publishes about itself.
enum Documents {
    /// OpenID Connect Discovery section 3, with RFC 9207 section 3, RFC 7009 and JARM section 4.
    static func discovery(_ address: IssuerAddress, _ algorithm: IDTokenAlgorithm) -> JSONValue {
        // Only the plain shape signs responses: a signed one names the issuer.
        let modes = ResponseMode.allCases.filter { address.issuerInResponses != nil || !$0.isSigned }
        var document: JSONObject = [
            "issuer": .string(address.issuerInMetadata),
            "authorization_endpoint": .string(address.url(of: .authorization)),
            "token_endpoint": .string(address.url(of: .token)),
            "jwks_uri": .string(address.url(of: .jwks)),
            "userinfo_endpoint": .string(address.url(of: .userInfo)),
            "response_types_supported": ["code"],
            "response_modes_supported": .array(modes.map { .string($0.rawValue) }),
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [.string(algorithm.rawValue)],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "claims_supported": [
                "iss", "sub", "aud", "exp", "iat", "nonce", "at_hash", "name", "preferred_username", "email", "oid",
                "tid",
            ],
            "code_challenge_methods_supported": ["S256"],
        ]
        if address.issuerInResponses != nil {
            document["authorization_response_iss_parameter_supported"] = true
            document["revocation_endpoint"] = .string(address.url(of: .revocation))
            document["authorization_signing_alg_values_supported"] = [.string(algorithm.rawValue)]
        }
        return .object(document)
    }
}
