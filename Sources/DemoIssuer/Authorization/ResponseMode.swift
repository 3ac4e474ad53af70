/// How an authorization response reaches the client (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1,
/// OAuth 2.0 Form Post Response Mode).
enum ResponseMode: String, CaseIterable, Sendable {
    case query
    case fragment
    case formPost = "form_post"
}
