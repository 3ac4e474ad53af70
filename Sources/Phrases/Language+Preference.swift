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
}
