internal import SwitchyardJSON

/// The parameter `claims` (OpenID Connect Core section 5.5).
enum ClaimsParameter {
    struct Unreadable: Error {}

    /// nil when there is none.
    static func read(_ parameters: RequestParameters) throws(Unreadable) -> JSONObject? {
        guard let text = parameters["claims"] else { return nil }
        guard let object = (try? JSONValue.parse(Array(text.utf8)))?.object else { throw Unreadable() }
        return object
    }
}
