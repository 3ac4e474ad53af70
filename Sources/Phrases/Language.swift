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
        case .english: .english
        case .french: .french
        case .german: .german
        case .spanish: .spanish
        case .italian: .italian
        case .brazilianPortuguese: .brazilianPortuguese
        case .dutch: .dutch
        case .polish: .polish
        case .czech: .czech
        case .ukrainian: .ukrainian
        case .turkish: .turkish
        case .japanese: .japanese
        case .simplifiedChinese: .simplifiedChinese
        case .korean: .korean
        case .arabic: .arabic
        case .hebrew: .hebrew
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
