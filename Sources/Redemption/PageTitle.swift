internal import SwitchyardText

/// The title of a web page, for messages.
enum PageTitle {
    /// The bytes that are looked at: a title stands at the beginning.
    private static let searched = 16 * 1024
    private static let maximumLength = 120

    /// - Returns: the text between `<title>` and `</title>`, its blanks joined; nil without one.
    static func read(_ page: [UInt8]) -> String? {
        let text = String(decoding: page.prefix(searched), as: UTF8.self)
        let lower = text.asciiLowercased
        guard let start = lower.firstRange(of: "<title"),
            let open = lower[start.upperBound...].firstIndex(of: ">"),
            let end = lower[open...].firstRange(of: "</title")
        else { return nil }
        let bytes = Array(text.utf8)
        let from = lower.utf8.distance(from: lower.startIndex, to: lower.index(after: open))
        let upTo = lower.utf8.distance(from: lower.startIndex, to: end.lowerBound)
        let title = String(decoding: bytes[from..<upTo], as: UTF8.self)
        let words = title.split { $0.isWhitespace }.joined(separator: " ")
        return words.isEmpty ? nil : String(words.prefix(maximumLength))
    }
}
