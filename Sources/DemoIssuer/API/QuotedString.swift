/// The inside of a quoted string in a header field (RFC 9110 section 5.6.4).
enum QuotedString {
    static func escape(_ text: String) -> String {
        String(text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] })
    }
}
