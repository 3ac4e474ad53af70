internal import SwitchyardText

/// A language range with its weight, such as `fr-CH;q=0.8` (RFC 4647 section 2.1, RFC 9110 section 12.4.2).
struct LanguageRange {
    /// In lower case; "*" for any language.
    private let range: [UInt8]
    /// The weight in thousandths, 0 to 1000; 0 means "not acceptable".
    let quality: Int

    /// nil unless the text is a language range with at most a weight behind it.
    init?(_ text: Substring.UTF8View) {
        let parts = text.split(separator: UInt8(ascii: ";"), maxSplits: 2, omittingEmptySubsequences: false)
        let range = Self.trimmed(parts[0]).map(ASCII.lowercased)
        guard !range.isEmpty, range.count <= 35, range.allSatisfy(Self.isRangeCharacter), parts.count <= 2,
            let quality = parts.count == 2 ? Substring(Self.trimmed(parts[1])).weight : 1000
        else { return nil }
        self.range = range
        self.quality = quality
    }

    var isWildcard: Bool { range == [UInt8(ascii: "*")] }

    /// Whether the range is exactly this tag, without regard to case.
    func names(_ tag: String) -> Bool {
        range.elementsEqual(tag.utf8.lazy.map(ASCII.lowercased))
    }

    /// Whether the range or the tag is the other one with subtags added: a page in "fr" serves "fr-CA" (RFC 4647
    /// section 3.4), one in "pt-BR" serves "pt" (section 3.3.1).
    func isRelated(to tag: String) -> Bool {
        let tag = tag.utf8.map(ASCII.lowercased)
        let (short, long) = range.count < tag.count ? (range, tag) : (tag, range)
        return long.starts(with: short) && (long.count == short.count || long[short.count] == UInt8(ascii: "-"))
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let start = text.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start }
        return start[...last]
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func isRangeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "*"):
            true
        default: false
        }
    }
}
