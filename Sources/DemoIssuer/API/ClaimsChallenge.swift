internal import SwitchyardCrypto
internal import SwitchyardJSON

/// What an API wants to have been asked for when an access token was acquired, in the way of Microsoft's continuous access
/// evaluation and step-up.
struct ClaimsChallenge: Sendable {
    /// How the claims stand in `WWW-Authenticate`.
    enum Form: String, Sendable {
        case base64
        case base64URL = "base64url"
        /// As they are, with the quotes escaped.
        case json
    }

    let claims: JSONObject
    var form = Form.base64

    /// Whether a request for these claims asked for everything here; it may have asked for more.
    func isMet(by request: JSONObject?) -> Bool {
        guard let request else { return false }
        return Self.isContained(.object(claims), in: .object(request))
    }

    /// The value of the parameter `claims`, between its quotes.
    var text: String {
        let bytes = JSONValue.object(claims).serialized
        switch form {
        case .base64: return Base64.encode(bytes)
        case .base64URL: return Base64URL.encode(bytes)
        case .json: return QuotedString.escape(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func isContained(_ small: JSONValue, in large: JSONValue) -> Bool {
        switch (small, large) {
        case (.object(let small), .object(let large)):
            small.members.allSatisfy { member in
                large[member.name].map { isContained(member.value, in: $0) } ?? false
            }
        case (.array(let small), .array(let large)):
            small.allSatisfy { element in large.contains { isContained(element, in: $0) } }
        default: small == large
        }
    }
}
