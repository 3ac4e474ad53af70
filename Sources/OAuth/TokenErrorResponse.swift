public import SwitchyardCrypto
public import SwitchyardJSON

/// An error answer of a token endpoint (RFC 6749 section 5.2), with the additions that Microsoft's issuers make.
/// Every value is the issuer's: escape it before it is shown.
public struct TokenErrorResponse: Error, Hashable, Sendable {
    public let error: IssuerText
    public let errorDescription: IssuerText?
    public let suberror: IssuerText?
    /// The numbers of Microsoft's token service; empty when absent.
    public let errorCodes: [Int64]
    public let correlationID: IssuerText?
    /// A claims challenge to send with the next attempt.
    public let claims: IssuerClaims?
    /// The person that the refusal is about, where a protection policy asks for more (`adi`); nil if it is absent or
    /// empty.
    public let username: IssuerText?
    /// The token for the next step of a native sign-in.
    public let continuationToken: Secret?

    /// nil unless `body` is a JSON object with an `error`, as ``init(_:)`` reads it.
    public init?(body: [UInt8]) {
        guard let members = (try? JSONValue.parse(body))?.object else { return nil }
        self.init(members)
    }

    /// The error of an answer without tokens and without `error`, in the provider's own members (``NestedError``). nil
    /// without these.
    public init?(namedOtherwise members: JSONObject) {
        guard let words = NestedError(in: members) else { return nil }
        error = words.name ?? NestedError.unnamed
        errorDescription = words.description
        suberror = words.number
        errorCodes = []
        correlationID = (members["correlation_id"] ?? members["correlationId"])?.string.map { IssuerText($0) }
        claims = nil
        username = nil
        continuationToken = nil
    }

    /// nil unless `error` is a string that is not empty, or an object that says something (``NestedError``).
    public init?(_ members: JSONObject) {
        func text(_ name: String) -> IssuerText? { members[name]?.string.map { IssuerText($0) } }
        if let error = members["error"]?.string, !error.isEmpty {
            self.error = IssuerText(error)
            // Zoom has its words in `reason`, others in `message`.
            errorDescription = text("error_description") ?? NestedError(members)?.description
            suberror = text("suberror")
        } else if let nested = members["error"]?.object.flatMap({ NestedError($0) }) {
            error = nested.name ?? NestedError.unnamed
            errorDescription = nested.description ?? text("error_description")
            suberror = nested.number ?? text("suberror")
        } else {
            return nil
        }
        errorCodes = (members["error_codes"]?.array ?? []).compactMap(\.integer)
        correlationID = text("correlation_id")
        claims = members["claims"]?.string.flatMap { IssuerClaims($0) }
        username = text("adi").flatMap { $0.text.isEmpty ? nil : $0 }
        continuationToken = members["continuation_token"]?.string.map { Secret($0) }
    }
}
