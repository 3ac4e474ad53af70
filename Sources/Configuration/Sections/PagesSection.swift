package import SwitchyardPages
package import SwitchyardPhrases

/// The operator's part of the pages for the person at the browser. The `pages:` mapping.
public struct PagesConfiguration: Hashable, Sendable {
    /// The name of the organization; nil for pages without one.
    public var name: String?
    /// The logo of the organization; nil for pages without one.
    package var logo: Logo?
    /// The color of buttons and links; nil for ours.
    package var accent: Accent?
    /// The languages to choose from, never empty. The first one serves readers of all other languages.
    package var languages = Language.allCases
    /// The address of the operator's help, https or mailto; nil for pages without it.
    public var supportURL: String?
    /// The words of the link to the help; nil for the word "Help" in the reader's language.
    public var supportText: String?
    /// The address of the operator's privacy notice, https.
    public var privacyURL: String?

    public init() {}
}

/// Reads the `pages:` mapping.
struct PagesSection {
    enum Key: String, ConfigurationKey {
        case name
        case languages
        case supportURL = "support_url"
        case supportText = "support_text"
        case privacyURL = "privacy_url"
        case logoFile = "logo_file"
        case accent
    }

    let context: DecodingContext

    private static let tags = Language.allCases.map { ($0.tag, $0) }
    private static let longestText = 120

    func decode(_ node: YAMLNode) -> PagesConfiguration {
        var pages = PagesConfiguration()
        guard let reader = MappingReader<Key>(node, in: context) else { return pages }
        pages.name = reader[.name].flatMap { words($0) }
        if let node = reader[.languages] { pages.languages = languages(node) ?? pages.languages }
        pages.supportURL = reader[.supportURL].flatMap { context.supportURL($0) }
        pages.supportText = reader[.supportText].flatMap { words($0) }
        if let node = reader[.supportText], reader[.supportURL] == nil {
            context.error(at: node.mark, "\"support_text\" without \"support_url\"", "add support_url, or leave it out")
        }
        pages.privacyURL = reader[.privacyURL].flatMap { context.privacyURL($0) }
        pages.logo = reader[.logoFile].flatMap { context.logo($0) }
        if let node = reader[.logoFile], reader[.name] == nil {
            context.warning(
                at: node.mark, "\"logo_file\" without \"name\", so a screen reader says nothing of the logo",
                "add name: with the name of the organization")
        }
        pages.accent = reader[.accent].flatMap { AccentSection(context: context).decode($0) }
        return pages
    }

    private func languages(_ node: YAMLNode) -> [Language]? {
        guard let languages: [Language] = context.list(node, { context.choice($0, Self.tags) }) else { return nil }
        if Set(languages).count < languages.count {
            context.error(at: node.mark, "a language twice", "name each language once")
        }
        if languages.isEmpty, !context.log.hasErrors {
            context.error(at: node.mark, "a list of languages without any", "name at least one, such as [en, fr]")
        }
        return languages.isEmpty ? nil : languages
    }

    /// A short text of one line.
    private func words(_ node: YAMLNode) -> String? {
        context.value(node, "write one line of at most \(Self.longestText) characters") { text in
            let isLine = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
            return isLine && text.count <= Self.longestText ? text : nil
        }
    }
}
