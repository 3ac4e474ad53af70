internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The cost of each deviation that the operator accepted for an issuer, in plain sentences.
struct IssuerProtection {
    private let issuer: IssuerConfiguration

    init(_ issuer: IssuerConfiguration) {
        self.issuer = issuer
    }

    /// One for each deviation; empty for an issuer that keeps the protocol.
    var lines: [String] {
        let deviations = issuer.profile.deviations
        var lines = deviations.accepted.map { cost(of: $0, deviations) }
        if deviations.omitsPKCE, deviations.omitsNonce || deviations.hasNoIDTokens {
            lines.append(
                "with both, only state ties a code to its sign-in: a browser that was made to bring somebody else's code "
                    + "together with its own state signs in as that person")
        }
        if let account = issuer.profile.account {
            lines.append(
                "account: \(account.url.origin) gets the access token, and its answer says whose account it is; no "
                    + "signature vouches for that")
        }
        return lines
    }

    private func cost(of deviation: Deviation, _ deviations: Deviations) -> String {
        switch deviation {
        case .pkce:
            "pkce: off: a stolen code is stopped by the client's secret alone, and a code that is brought to another "
                + "sign-in of the same client by nothing but state and nonce"
        case .nonce:
            "nonce: off: an ID token of an earlier sign-in is not told apart from this one's; PKCE, where it is on, still "
                + "ties the code to its sign-in"
        case .idToken:
            "id_token: none: nothing signed says who signed in, so an app must ask the provider's API with the access token, "
                + "and cannot tell a token that was made for another client"
        case .idTokenAlgorithms:
            deviations.allowsSecretSignedIDTokens
                ? "id_token_algorithms HS256: whoever has the client's secret can make ID tokens of anybody"
                : "id_token_algorithms: ID tokens with another algorithm are refused"
        case .tokenRequest:
            "token_request: json: nothing; the same parameters go to the same address as JSON"
        case .tokenResponse:
            "token_response: form: little; answers are read less strictly, over the same TLS"
        case .tokenType:
            "token_type: any: an app that takes the token for Bearer may send one that was meant to be used otherwise; look "
                + "at token_type"
        case .tokenPath:
            "token_path \(deviations.tokenPath.map { "\($0)" } ?? ""): nothing; tokens elsewhere in the answer are ignored"
        case .scopeSeparator:
            "scope_separator: nothing; a scope that holds the separator counts as two"
        case .refreshEndpoint:
            "refresh_endpoint: \(deviations.refreshEndpoint?.origin ?? "") gets refresh tokens and the client's credentials"
        case .parameterNames:
            "parameter_names: nothing; the parameters have other names"
        case .assertionAudience:
            "assertion_audience: token_endpoint: a client's assertion does not name the issuer, so another issuer that claims "
                + "the same token endpoint could have one made for it and use it; a key that signs so belongs to this issuer only"
        }
    }
}
