/// An error in an authorization response (RFC 6749 section 4.1.2.1), with the additions that Microsoft's issuers make.
/// Every value is the issuer's: escape it before it is shown.
public struct AuthorizationError: Error, Hashable, Sendable {
    public let error: IssuerText
    public let errorDescription: IssuerText?
    public let suberror: IssuerText?
    public let correlationID: IssuerText?
    /// A claims challenge to send with the next attempt.
    public let claims: IssuerClaims?

    public init(
        error: IssuerText, errorDescription: IssuerText? = nil, suberror: IssuerText? = nil,
        correlationID: IssuerText? = nil, claims: IssuerClaims? = nil
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
        func text(_ name: String) -> IssuerText? { value(name).map { IssuerText($0) } }
        self.init(
            error: IssuerText(error), errorDescription: text("error_description"),
            suberror: text("suberror") ?? text("error_subcode"), correlationID: text("correlation_id"),
            claims: value("claims").flatMap { IssuerClaims($0) })
    }
}
