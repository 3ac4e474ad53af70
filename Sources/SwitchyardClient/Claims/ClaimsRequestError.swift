/// Why a text is no claims request.
public struct ClaimsRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    /// What would be right.
    public var remedy: String {
        "write a JSON object as OpenID Connect Core section 5.5 has it, with the members id_token and access_token"
    }

    /// What MSAL calls the same failure: an invalid parameter.
    public var msalInternalCode: Int { -42000 }

    public var description: String { "\(message): \(remedy)" }
}
