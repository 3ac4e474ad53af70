public import SwitchyardCrypto
public import SwitchyardJSON

/// An error answer of a token endpoint (RFC 6749 section 5.2), with the additions that Microsoft's issuers make.
/// Every value is the issuer's, unchecked: escape it before it is shown.
public struct TokenErrorResponse: Error, Hashable, Sendable {
    public let error: String
    public let errorDescription: String?
    public let suberror: String?
    /// The numbers of Microsoft's token service; empty when absent.
    public let errorCodes: [Int64]
    public let correlationID: String?
    /// A claims challenge to send with the next attempt.
    public let claims: String?
    /// What the next step of a native sign-in begins with.
    public let continuationToken: Secret?

    /// nil unless `body` is a JSON object with an `error` that is a non-empty string.
    public init?(body: [UInt8]) {
        guard let members = (try? JSONValue.parse(body))?.object else { return nil }
        self.init(members)
    }

    /// nil unless there is an `error` that is a non-empty string.
    public init?(_ members: JSONObject) {
        guard let error = members["error"]?.string, !error.isEmpty else { return nil }
        self.error = error
        errorDescription = members["error_description"]?.string
        suberror = members["suberror"]?.string
        errorCodes = (members["error_codes"]?.array ?? []).compactMap(\.integer)
        correlationID = members["correlation_id"]?.string
        claims = members["claims"]?.string
        continuationToken = members["continuation_token"]?.string.map { Secret($0) }
    }
}
