import SwitchyardPages
import SwitchyardPhrases

/// The field that chooses the language of a page.
enum AcceptLanguageTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let field = String(decoding: bytes, as: UTF8.self)
        let chosen = Language.preferred(byAcceptLanguage: field)
        try require(
            Language.preferred(byAcceptLanguage: chosen.tag) == chosen, "a language is chosen by its own tag")
        let upper = String(decoding: field.utf8.map { (97...122).contains($0) ? $0 ^ 0x20 : $0 }, as: UTF8.self)
        try require(Language.preferred(byAcceptLanguage: upper) == chosen, "a language tag has no case")
        guard field.utf8.count >= AcceptLanguage.readBytes else { return }
        try require(Language.preferred(byAcceptLanguage: field + ",fr,en") == chosen, "a long field is read in part")
    }
}
