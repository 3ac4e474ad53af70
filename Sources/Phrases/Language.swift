/// A language of the pages. The raw value is its tag (RFC 5646), as in `lang` and `Content-Language`.
///
/// A new language is a file like `Languages/Phrases+French.swift`, and a case here; the compiler names the rest.
package enum Language: String, Sendable, CaseIterable, CustomStringConvertible {
    case english = "en"
    case french = "fr"
    case german = "de"
    case spanish = "es"
    case italian = "it"
    case brazilianPortuguese = "pt-BR"
    case dutch = "nl"
    case polish = "pl"
    case czech = "cs"
    case ukrainian = "uk"
    case turkish = "tr"
    case japanese = "ja"
    case simplifiedChinese = "zh-Hans"
    case korean = "ko"
    case arabic = "ar"
    case hebrew = "he"

    package var phrases: Phrases {
        switch self {
        case .english: Phrases.english
        case .french: Phrases.french
        case .german: Phrases.german
        case .spanish: Phrases.spanish
        case .italian: Phrases.italian
        case .brazilianPortuguese: Phrases.brazilianPortuguese
        case .dutch: Phrases.dutch
        case .polish: Phrases.polish
        case .czech: Phrases.czech
        case .ukrainian: Phrases.ukrainian
        case .turkish: Phrases.turkish
        case .japanese: Phrases.japanese
        case .simplifiedChinese: Phrases.simplifiedChinese
        case .korean: Phrases.korean
        case .arabic: Phrases.arabic
        case .hebrew: Phrases.hebrew
        }
    }

    package var tag: String { rawValue }

    package var description: String { tag }

    /// The direction that its letters run in.
    package var direction: WritingDirection { Self.rightToLeft.contains(tag) ? .rightToLeft : .leftToRight }

    private static let rightToLeft: Set<String> = ["ar", "he"]
}

/// The raw value is that of the attribute `dir`.
package enum WritingDirection: String, Sendable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
}
