internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardText

/// The value of a header field that repeats a part of a message (MCP 2026-07-28, Streamable HTTP, "Value Encoding").
enum HeaderValue {
    private static let start = "=?base64?"
    private static let end = "?="

    /// The text itself if a header field carries it unchanged, else its bytes in Base64 between two marks.
    static func encode(_ text: String) -> String {
        isPlain(text) ? text : start + Base64.encode(Array(text.utf8)) + end
    }

    /// - Returns: nil for a value that no header repeats: null, a fraction, a number beyond those of JavaScript, a list, an
    ///   object.
    static func encode(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): return encode(text)
        case .bool(let value): return value ? "true" : "false"
        case .integer, .number:
            guard let number = value.integer, number.magnitude < 1 << 53 else { return nil }
            return String(number)
        case .null, .largeNumber, .array, .object: return nil
        }
    }

    /// libcurl leaves a field without a value out, so an empty text counts as unsafe too.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last, first != 0x20, last != 0x20,
            text.allBytes(ASCII.isPrintable)
        else { return false }
        return !(text.hasPrefix(start) && text.hasSuffix(end))
    }
}
