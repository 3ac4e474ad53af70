internal import SwitchyardPages

/// A language that the pages are written in.
///
/// A new one is a file that defines it like `Language+French.swift`, and its name in `available`. What a browser sees at a
/// loopback address (`LoopbackWords`) and in `switchyard ssh` (`BridgeWords`) has its own.
struct Language: Sendable, Equatable, CustomStringConvertible {
    /// The languages to choose from; the first one serves whoever asks for none of them.
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
    /// Several field lines are given joined by commas. Without a field, or when nothing in it is available, the first
    /// available language: a page in a foreign language says more than 406.
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
