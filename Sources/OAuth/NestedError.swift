internal import SwitchyardJSON
internal import SwitchyardText

/// The words of an error that does not have the members of the standards, such as Facebook's `error` that is an object:
/// `{"message": "Invalid code", "type": "OAuthException", "code": 100}`.
///
/// Providers spell the members in many ways (`error_code`, `errorCode`, `ErrorCode`, `errcode`). Case and underscores do
/// not count.
struct NestedError {
    /// The name of an unnamed error.
    static let unnamed: IssuerText = "unknown_error"

    /// The most exact name: a `code` that is text, else `type`, else `status`; nil for an unnamed error.
    let name: IssuerText?
    let description: IssuerText?
    /// A `code` that is a number.
    let number: IssuerText?

    /// nil for an object without these members.
    init?(_ members: JSONObject) {
        let spelled = members.members.map { member in
            (name: member.name.filter { $0 != "_" }.asciiLowercased, value: member.value)
        }
        func first<Value>(_ names: [String], _ read: (JSONValue) -> Value?) -> Value? {
            for name in names {
                for member in spelled where member.name == name {
                    if let value = read(member.value) { return value }
                }
            }
            return nil
        }
        func text(_ value: JSONValue) -> String? { value.string.flatMap { $0.isEmpty ? nil : $0 } }
        number = first(Self.codes, \.integer).map { "\($0)" }
        let name = first(Self.codes + ["errortype", "type", "status"], text)
        description = first(Self.descriptions, text).map { IssuerText($0) }
        // A type may be the address of a description (RFC 9457).
        self.name = name.flatMap { Self.isName($0) ? IssuerText($0) : nil }
        guard name != nil || description != nil || number != nil else { return nil }
    }

    private init(name: IssuerText?, description: IssuerText?, number: IssuerText?) {
        (self.name, self.description, self.number) = (name, description, number)
    }

    /// The words of an answer that is known to tell of an error, in itself or in an object inside.
    init?(in answer: JSONObject) {
        // Strava lists errors, Apigee has a fault, TikTok had its error in `data`.
        let first = answer["errors"]?.array?.first ?? answer["error"]?.array?.first
        let inside = [first, answer["error"], answer["fault"], answer["data"]].compactMap { $0?.object }
        let words = (inside + [answer]).compactMap { NestedError($0) }
        let ownText = [first?.string, answer["Error"]?.string].compactMap(\.self).first
        let number = answer["error"]?.integer.map { IssuerText("\($0)") }
        guard !words.isEmpty || ownText != nil || number != nil else { return nil }
        let isName = ownText.map(Self.isName) ?? false
        self.init(
            name: isName ? ownText.map { IssuerText($0) } : words.lazy.compactMap(\.name).first,
            description: words.lazy.compactMap(\.description).first ?? ownText.map { IssuerText($0) },
            number: number ?? words.lazy.compactMap(\.number).first)
    }

    private static let codes = ["code", "errorcode", "errcode"]
    private static let descriptions = [
        "message", "errordescription", "description", "errormessage", "errormsg", "errmsg", "msg", "errorsummary",
        "reason", "faultstring", "detail", "title",
    ]

    /// Whether a text is a name rather than a sentence. Names of errors are told before the release.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || [0x2D, 0x2E, 0x5F].contains($0) }
    }
}
