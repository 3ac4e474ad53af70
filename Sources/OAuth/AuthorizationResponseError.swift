public import SwitchyardJOSE

/// Why the parameters of a callback are no authorization response. No user input is in it.
public enum AuthorizationResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed(FormEncodingError)
    /// A parameter that decides anything came twice, or both in the query and in the content.
    case duplicateParameter(name: String)
    case missingState
    case neitherCodeNorError
    case bothCodeAndError
    case tooLarge
    /// Plain parameters, or none, where a signed response is asked for.
    case notSigned
    /// The parameter `response` is no JWT that can be looked at.
    case unreadableJWT(JWTError)

    public var description: String {
        switch self {
        case .malformed(.invalidEscape): "the parameters hold a broken escape"
        case .malformed(.unescapedByte): "the parameters hold a byte that has to be escaped"
        case .malformed(.notUTF8): "a parameter is not UTF-8"
        case .malformed(.tooManyFields): "there are too many parameters"
        case .duplicateParameter(let name): "the parameter \(name) was given twice"
        case .missingState: "the parameter state is missing"
        case .neitherCodeNorError: "there is neither a code nor an error"
        case .bothCodeAndError: "there is a code together with an error"
        case .tooLarge: "the parameters are too large"
        case .notSigned: "the response is not signed, though it was asked to be"
        case .unreadableJWT(.encrypted): "the signed response is encrypted, which is not supported"
        case .unreadableJWT: "the signed response is no JWT that is understood here"
        }
    }
}
