internal import SwitchyardPages

extension Language {
    /// The language that the field value of `Accept-Language` prefers (RFC 9110 section 12.5.4).
    ///
    /// Several field lines are given joined by commas. Without a field, or without one of the languages in it, the first
    /// language: a page in a foreign language says more than 406.
    /// - Parameter languages: at least one.
    package static func preferred(byAcceptLanguage field: String?, among languages: [Language] = allCases) -> Language {
        field.flatMap { AcceptLanguage($0).best(of: languages, tag: \.tag) } ?? languages.first ?? .english
    }

    /// The language of a person's session, by the names of locales in the order of preference, such as `de_AT.UTF-8`.
    package static func preferred(byLocales locales: [String]) -> Language {
        let ranges = locales.map { $0.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-") }
        return preferred(byAcceptLanguage: ranges.joined(separator: ","))
    }
}
