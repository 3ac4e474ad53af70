/// An error in an authorization response (RFC 6749 section 4.1.2.1), with the additions that Microsoft's issuers make.
/// Every value is the issuer's, unchecked: escape it before it is shown.
public struct AuthorizationError: Error, Hashable, Sendable {
    public let error: String
    public let errorDescription: String?
    public let suberror: String?
    public let correlationID: String?
    /// A claims challenge to send with the next attempt.
    public let claims: String?

    public init(
        error: String, errorDescription: String? = nil, suberror: String? = nil, correlationID: String? = nil,
        claims: String? = nil
    ) {
        self.error = error
        self.errorDescription = errorDescription
        self.suberror = suberror
        self.correlationID = correlationID
        self.claims = claims
    }

    /// Picks the members out of an authorization response; a second one of a name is not looked at.
    init(error: String, parameters: [FormField]) {
        func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        self.init(
            error: error, errorDescription: value("error_description"),
            suberror: value("suberror") ?? value("error_subcode"), correlationID: value("correlation_id"),
            claims: value("claims"))
    }
}
