internal import SwitchyardConfiguration
internal import SwitchyardPages
internal import SwitchyardPhrases

/// The operator's name and links, on every page with a card.
extension PageLayout {
    func operatorName(into html: inout HTML) {
        guard let name = self.operator.name else { return }
        html.markup("<p class=\"operator\">")
        html.isolated(name)
        html.markup("</p>\n")
    }

    func operatorLinks(into html: inout HTML) {
        let (support, privacy) = (self.operator.supportURL, self.operator.privacyURL)
        guard support != nil || privacy != nil else { return }
        html.markup("<p class=\"links\">\n")
        if let support { link(to: support, self.operator.supportText ?? phrases.frame.help, into: &html) }
        if let privacy { link(to: privacy, phrases.frame.privacy, into: &html) }
        html.markup("</p>\n")
    }

    /// - Parameter address: the operator's, from the configuration.
    private func link(to address: String, _ words: String, into html: inout HTML) {
        html.markup("<a href=\"")
        html.text(address)
        html.markup("\">")
        html.isolated(words)
        html.markup("</a>\n")
    }
}
