/// The way in which the issuer returns the authorization response (OAuth 2.0 Multiple Response Type Encoding Practices
/// section 2.1, OAuth 2.0 Form Post Response Mode, JARM section 2.3).
public enum ResponseMode: String, CaseIterable, Sendable {
    case query
    case formPost = "form_post"
    case fragment
    /// For the response type `code` the same as ``queryJWT`` (JARM section 2.3.4).
    case jwt
    case queryJWT = "query.jwt"
    case formPostJWT = "form_post.jwt"
    case fragmentJWT = "fragment.jwt"

    /// The part of a browser's request that holds the parameters.
    public enum Carrier: Sendable {
        case query
        /// The content of a POST.
        case form
        /// The fragment, which a browser does not send: a page of ours posts it.
        case fragment
    }

    public var carrier: Carrier {
        switch self {
        case .query, .jwt, .queryJWT: .query
        case .formPost, .formPostJWT: .form
        case .fragment, .fragmentJWT: .fragment
        }
    }

    /// Whether the parameters come as one signed JWT, in the parameter `response`.
    public var isSigned: Bool {
        switch self {
        case .query, .formPost, .fragment: false
        case .jwt, .queryJWT, .formPostJWT, .fragmentJWT: true
        }
    }

    /// The `response_mode` of the authorization request; nil for the mode that an issuer uses unasked.
    public var requested: String? {
        self == .query ? nil : rawValue
    }
}
