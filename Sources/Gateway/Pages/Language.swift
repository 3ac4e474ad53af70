internal import SwitchyardPages

/// A language of the pages.
///
/// A new one is a file like `Language+French.swift`, and its name in `available`. The words of loopback pages
/// (`LoopbackWords`) and of `switchyard ssh` (`BridgeWords`) are separate.
struct Language: Sendable, Equatable, CustomStringConvertible {
    /// The languages to choose from. The first one serves readers of all other languages.
    static let available: [Language] = [.english, .french]

    /// The language tag (RFC 5646), as in `lang` and `Content-Language`.
    let tag: String
    let layout: PageLayout
    /// The pages that carry no variable data, made once: a flood of bad requests costs a look-up each.
    let neutral: Page
    let fragment: Page
    /// One page for each refusal, at its raw value.
    let refused: [Page]
    let refusedWithReference: [ReferencePage]

    init(tag: String, strings: Strings) {
        let layout = PageLayout(languageTag: tag, strings: strings)
        self.tag = tag
        self.layout = layout
        neutral = layout.neutral(reference: nil)
        fragment = layout.fragment()
        refused = CallbackRefusal.allCases.map { layout.refused($0) }
        refusedWithReference = CallbackRefusal.allCases.map { refusal in
            ReferencePage { layout.refused(refusal, reference: $0) }
        }
    }

    /// The available language that the field value of `Accept-Language` prefers (RFC 9110 section 12.5.4).
    ///
    /// Several field lines are given joined by commas. Without a field, or without an available language in it, the
    /// first available language: a page in a foreign language says more than 406.
    static func preferred(byAcceptLanguage field: String?) -> Language {
        let fallback = Language.english
        guard let field else { return fallback }
        return AcceptLanguage(field).best(of: available, tag: \.tag) ?? fallback
    }

    var description: String { tag }

    static func == (left: Self, right: Self) -> Bool {
        left.tag == right.tag
    }
}
