internal import SwitchyardJSON

/// The words of an `error` that is an object instead of a string, as Facebook's and Google's token endpoints send it:
/// `{"message": "Invalid code", "type": "OAuthException", "code": 100}`.
struct NestedError {
    /// The name of an unnamed error.
    static let unnamed: IssuerText = "unknown_error"

    /// The most exact name: a `code` that is text, else `type`, else `status`.
    let name: IssuerText
    let description: IssuerText?
    /// A `code` that is a number.
    let number: IssuerText?

    /// nil for an object without these members, or their spellings `error_code`, `errorSummary` and the like.
    init?(_ members: JSONObject) {
        func text(_ names: String...) -> IssuerText? {
            names.lazy.compactMap { members[$0]?.string }.first { !$0.isEmpty }.map { IssuerText($0) }
        }
        func integer(_ names: String...) -> Int64? { names.lazy.compactMap { members[$0]?.integer }.first }
        number = integer("code", "error_code", "errorCode").map { "\($0)" }
        description = text(
            "message", "error_description", "description", "error_message", "errorSummary", "errorMessage", "detail",
            "title")
        let name = text("code", "error_code", "errorCode", "type", "status")
        guard name != nil || description != nil || number != nil else { return nil }
        self.name = name ?? Self.unnamed
    }
}
