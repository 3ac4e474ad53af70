internal import SwitchyardText

/// A language range with its weight, such as `fr-CH;q=0.8` (RFC 4647 section 2.1, RFC 9110 section 12.4.2).
struct LanguageRange {
    /// In lower case; "*" for any language.
    private let range: [UInt8]
    /// The length of the first subtag, which names the language.
    private let primaryLength: Int
    /// The weight in thousandths, 0 to 1000; 0 means "not acceptable".
    let quality: Int

    /// nil unless the text is a language range with at most a weight behind it.
    init?(_ text: Substring.UTF8View) {
        let parts = text.split(separator: UInt8(ascii: ";"), maxSplits: 2, omittingEmptySubsequences: false)
        let range = Self.modern(Self.trimmed(parts[0]).map(ASCII.lowercased))
        guard !range.isEmpty, range.count <= 35, range.allSatisfy(Self.isRangeCharacter), parts.count <= 2,
            let quality = parts.count == 2 ? Substring(Self.trimmed(parts[1])).weight : 1000
        else { return nil }
        self.range = range
        self.quality = quality
        primaryLength = range.firstIndex(of: UInt8(ascii: "-")) ?? range.count
    }

    var isWildcard: Bool { range == [UInt8(ascii: "*")] }

    /// How closely the range describes a tag that it covers.
    var length: Int { range.count }

    /// Whether the range is this tag or a family that the tag belongs to: "zh" covers "zh-Hans" (RFC 4647 section
    /// 3.3.1).
    func covers(_ tag: String) -> Bool {
        let tag = tag.utf8
        guard range.count <= tag.count else { return false }
        let rest = tag.dropFirst(range.count)
        return range.elementsEqual(tag.prefix(range.count).lazy.map(ASCII.lowercased))
            && (rest.isEmpty || rest.first == UInt8(ascii: "-"))
    }

    /// Whether the range and the tag are of one language, with any regions and scripts: a reader of "pt-PT" reads
    /// "pt-BR" more easily than English.
    func isOfLanguage(of tag: String) -> Bool {
        range.prefix(primaryLength).elementsEqual(
            tag.utf8.prefix { $0 != UInt8(ascii: "-") }.lazy.map(ASCII.lowercased))
    }

    /// The range with today's subtag for Hebrew. Some systems still send the one that was withdrawn in 1989 (IANA
    /// language subtag registry, `iw`).
    private static func modern(_ range: [UInt8]) -> [UInt8] {
        guard range.starts(with: "iw".utf8), range.count == 2 || range[2] == UInt8(ascii: "-") else { return range }
        return Array("he".utf8) + range.dropFirst(2)
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
