/// The preferences in a field value of `Accept-Language` (RFC 9110 section 12.5.4).
package struct AcceptLanguage {
    /// How much of a field is read: browsers send less than a tenth of it, and the rest would only be work.
    package static let readBytes = 512
    package static let readRanges = 24

    private let ranges: [LanguageRange]

    /// Never fails: a range that cannot be read is left out.
    package init(_ field: String) {
        ranges = field.utf8.prefix(Self.readBytes)
            .split(separator: UInt8(ascii: ","), maxSplits: Self.readRanges)
            .prefix(Self.readRanges)
            .compactMap { LanguageRange($0) }
    }

    /// The candidate with the highest quality. Among equals the first in the field wins, then the first in the list.
    /// nil when the field accepts none of them.
    package func best<Candidate>(of candidates: [Candidate], tag: (Candidate) -> String) -> Candidate? {
        var best: (candidate: Candidate, preference: Preference)?
        for candidate in candidates {
            guard let preference = preference(for: tag(candidate)) else { continue }
            if let best, !preference.outranks(best.preference) { continue }
            best = (candidate, preference)
        }
        return best?.candidate
    }

    private struct Preference {
        /// In thousandths; more than 0.
        let quality: Int
        /// The place of the range that says so.
        let position: Int

        func outranks(_ other: Preference) -> Bool {
            (quality, other.position) > (other.quality, position)
        }
    }

    /// The quality that the field gives a language; nil when the field does not accept it.
    ///
    /// The best range of the language counts, with any region or script ("en-US" for "en", "pt-PT" for "pt-BR"), else
    /// "*". The closest range that covers the tag rules it out with the weight 0.
    private func preference(for tag: String) -> Preference? {
        let covering = ranges.filter { $0.covers(tag) }
        let closest = covering.map(\.length).max()
        guard !covering.contains(where: { $0.length == closest && $0.quality == 0 }) else { return nil }
        return preference { $0.isOfLanguage(of: tag) } ?? preference(where: \.isWildcard)
    }

    private func preference(where matches: (LanguageRange) -> Bool) -> Preference? {
        var best: Preference?
        for (position, range) in ranges.enumerated() where range.quality > 0 && matches(range) {
            let preference = Preference(quality: range.quality, position: position)
            if let best, !preference.outranks(best) { continue }
            best = preference
        }
        return best
    }
}
