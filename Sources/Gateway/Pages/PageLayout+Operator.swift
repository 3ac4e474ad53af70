internal import SwitchyardConfiguration
internal import SwitchyardPages
internal import SwitchyardPhrases
internal import SwitchyardRouting

/// The parts of a page that the operator, or the app, chooses: logo, name and links.
extension PageLayout {
    func logo(_ branding: AppBranding?) -> Logo? { branding?.logo ?? self.operator.logo }

    /// The logo and the operator's name.
    func letterhead(_ branding: AppBranding?, into html: inout HTML) {
        if let logo = logo(branding) {
            // The name beside it says as much.
            html.markup("<img class=\"logo\" alt=\"\" src=\"")
            html.text(LogoEndpoint.address(of: logo))
            html.markup("\">\n")
        }
        guard let name = self.operator.name else { return }
        html.markup("<p class=\"operator\">")
        html.isolated(name)
        html.markup("</p>\n")
    }

    /// Help and privacy. The operator's words belong to the operator's help.
    func links(_ branding: AppBranding?, into html: inout HTML) {
        let (support, privacy) = (branding?.supportURL ?? self.operator.supportURL, self.operator.privacyURL)
        guard support != nil || privacy != nil else { return }
        let words = branding?.supportURL == nil ? self.operator.supportText : nil
        html.markup("<p class=\"links\">\n")
        if let support { link(to: support, words ?? phrases.frame.help, into: &html) }
        if let privacy { link(to: privacy, phrases.frame.privacy, into: &html) }
        html.markup("</p>\n")
    }

    /// - Parameter address: from the configuration.
    private func link(to address: String, _ words: String, into html: inout HTML) {
        html.markup("<a href=\"")
        html.text(address)
        html.markup("\">")
        html.isolated(words)
        html.markup("</a>\n")
    }
}
