/// Why the content of a token endpoint's answer is no token response. No token is in it.
public enum TokenResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No JSON object, or a name twice in one.
    case notAnObject
    case missingAccessToken
    /// `token_type` is missing or something other than Bearer.
    case unsupportedTokenType
    /// A member has a value of the wrong kind.
    case invalidMember(name: String)

    public var description: String {
        switch self {
        case .notAnObject: "the token response is no JSON object, or has a name twice"
        case .missingAccessToken: "the token response has no access_token"
        case .unsupportedTokenType: "the token_type of the token response is not Bearer"
        case .invalidMember(let name): "the member \(name) of the token response has a value of the wrong kind"
        }
    }
}
