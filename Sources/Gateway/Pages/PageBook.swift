internal import SwitchyardConfiguration
internal import SwitchyardPhrases
internal import Synchronization

/// The pages of one configuration, in its languages. Safe from any thread.
final class PageBook: Sendable {
    private let configuration: PagesConfiguration
    /// Made when a reader first wants them: 16 languages would cost a gateway megabytes, and most serve two.
    private let sets = Mutex<[Language: PageSet]>([:])

    init(_ configuration: PagesConfiguration = PagesConfiguration()) {
        self.configuration = configuration
    }

    func language(byAcceptLanguage field: String?) -> Language {
        Language.preferred(byAcceptLanguage: field, among: configuration.languages)
    }

    /// The page with `content`. Never fails; a page without variable parts is not made again.
    func page(_ content: PageContent, in language: Language) -> Page {
        let set = sets.withLock { sets in
            if let set = sets[language] { return set }
            let set = PageSet(PageLayout(language: language, operator: configuration))
            sets[language] = set
            return set
        }
        return Page.render(content, from: set)
    }
}
