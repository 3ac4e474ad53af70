internal import SwitchyardCrypto
public import SwitchyardJOSE
public import SwitchyardJSON

/// The rules of the protocol that one provider breaks, and that the operator accepts by name. The default breaks none.
///
/// Each key of `deviations:` is one property here. The types of the requests and answers that a property changes read
/// it themselves, so code that gets ``none`` keeps the whole protocol.
public struct Deviations: Hashable, Sendable {
    public static let none = Deviations()

    /// `pkce: off`. The requests have no `code_challenge` and no `code_verifier`.
    public var omitsPKCE = false
    /// `nonce: off`. The authorization request has no `nonce`, and the ID token's is not looked at.
    public var omitsNonce = false
    /// `id_token: none`. An ID token is neither expected nor read, and never passed on.
    public var hasNoIDTokens = false
    /// `id_token_algorithms`. The only algorithms that an ID token may be signed with; nil for all those with a public
    /// key.
    public var idTokenAlgorithms: [IDTokenAlgorithm]?
    /// `token_request: json`. The content of token requests is a JSON object instead of a form.
    public var sendsJSONTokenRequests = false
    /// `token_response: form`. Form-encoded answers of the token endpoint are read too.
    public var readsFormTokenResponses = false
    /// `token_type: any`. The type of a token is passed on as it came, also a missing one.
    public var acceptsAnyTokenType = false
    /// `token_path`. The object of the token endpoint's answer that has `access_token`; nil for the whole answer.
    public var tokenPath: JSONPointer?
    /// `scope_separator`. One character between two scopes, in requests and answers.
    public var scopeSeparator: Character = " "
    /// `refresh_endpoint`. The address for refresh tokens; nil for the token endpoint.
    public var refreshEndpoint: EndpointURL?
    /// `parameter_names`.
    public var parameterNames = ParameterNames()
    /// `assertion_audience: token_endpoint`. A client assertion is for the token endpoint's address instead of the issuer.
    public var addressesTokenEndpoint = false

    public init() {}

    /// The accepted deviations, in the order of their keys.
    public var accepted: [Deviation] {
        Deviation.allCases.filter { deviation in
            switch deviation {
            case .pkce: omitsPKCE
            case .nonce: omitsNonce
            case .idToken: hasNoIDTokens
            case .idTokenAlgorithms: idTokenAlgorithms != nil
            case .tokenRequest: sendsJSONTokenRequests
            case .tokenResponse: readsFormTokenResponses
            case .tokenType: acceptsAnyTokenType
            case .tokenPath: tokenPath != nil
            case .scopeSeparator: scopeSeparator != " "
            case .refreshEndpoint: refreshEndpoint != nil
            case .parameterNames: !parameterNames.isEmpty
            case .assertionAudience: addressesTokenEndpoint
            }
        }
    }

    /// Whether an ID token may be signed with the client's secret.
    public var allowsSecretSignedIDTokens: Bool { idTokenAlgorithms?.contains(.hs256) ?? false }

    /// Whether an ID token may be signed with a key that the issuer publishes.
    public var allowsKeySignedIDTokens: Bool { idTokenAlgorithms.map { $0 != [.hs256] } ?? true }

    /// The scopes that a client which keeps tokens asks for beside its own. They are OpenID Connect's, so a provider
    /// without ID tokens may refuse them.
    public var automaticScopes: Scopes { hasNoIDTokens ? Scopes(parsing: "") : .forKeptTokens }

    /// The deviations of a token response that a gateway has read, and that it passes on.
    public var ofPassedOnTokens: Deviations {
        var deviations = self
        deviations.tokenPath = nil
        return deviations
    }

    /// Scopes as a request has them.
    public func text(of scopes: Scopes) -> String { scopes.names.joined(separator: String(scopeSeparator)) }
}

/// The keys of `deviations:`. The raw values are those of the configuration.
public enum Deviation: String, CaseIterable, Sendable {
    case pkce
    case nonce
    case idToken = "id_token"
    case idTokenAlgorithms = "id_token_algorithms"
    case tokenRequest = "token_request"
    case tokenResponse = "token_response"
    case tokenType = "token_type"
    case tokenPath = "token_path"
    case scopeSeparator = "scope_separator"
    case refreshEndpoint = "refresh_endpoint"
    case parameterNames = "parameter_names"
    case assertionAudience = "assertion_audience"
}

/// An algorithm that a provider may sign ID tokens with.
public enum IDTokenAlgorithm: Hashable, Sendable {
    /// With a key that the provider publishes.
    case publicKey(SigningAlgorithm)
    /// HMAC with SHA-256 under the client's secret (OpenID Connect Core section 10.1).
    case hs256

    /// The least length of a client secret that signs, in bytes.
    public static let minimumSecretLength = SecretSignature.minimumSecretLength

    /// nil for an unknown algorithm, also `none`.
    public init?(name: String) {
        if name == "HS256" {
            self = .hs256
        } else if let algorithm = SigningAlgorithm(rawValue: name) {
            self = .publicKey(algorithm)
        } else {
            return nil
        }
    }

    /// Its name in the header of a JWT.
    public var name: String {
        switch self {
        case .publicKey(let algorithm): algorithm.rawValue
        case .hs256: "HS256"
        }
    }

    /// The hash inside, which `at_hash` and `c_hash` are made with too.
    var hash: SHA2 {
        switch self {
        case .publicKey(let algorithm): algorithm.hash
        case .hs256: .sha256
        }
    }

    /// The names of all, for messages.
    public static let names = ["HS256"] + SigningAlgorithm.allCases.map(\.rawValue)
}
