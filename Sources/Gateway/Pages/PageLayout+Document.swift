internal import SwitchyardConfiguration
internal import SwitchyardPages
internal import SwitchyardPhrases
internal import SwitchyardRouting

extension PageLayout {
    /// A document with one card: the symbol of `tone`, then `content`.
    /// - Parameter branding: the app's own; nil for the operator's, also if the reader may not learn the app.
    func card(
        heading: String, tone: Tone, policy: PagePolicy = .text, branding: AppBranding? = nil,
        content: (inout HTML) -> Void
    ) -> Page {
        document(title: heading, policy: policy, branding: branding) { html in
            html.markup(tone.card)
            letterhead(branding, into: &html)
            html.symbol(tone)
            content(&html)
            links(branding, into: &html)
            html.markup("</main>\n")
        }
    }

    /// A document around `body`.
    func document(
        title: String, policy: PagePolicy, branding: AppBranding? = nil, body: (inout HTML) -> Void
    ) -> Page {
        var html = HTML(reservingBytes: 6144)
        html.beginDocument(in: language, title: title)
        html.markup("<meta name=\"robots\" content=\"noindex\">\n")
        html.markup("<style>")
        html.markup(Stylesheet.text)
        html.markup("</style>\n")
        if let accent = self.operator.accent {
            html.markup("<style>")
            html.text(accent.style)
            html.markup("</style>\n")
        }
        html.markup("</head>\n<body>\n")
        body(&html)
        if policy.runsPageScript {
            html.markup("<script>")
            html.markup(PageScript.text)
            html.markup("</script>\n")
        }
        html.markup("</body>\n</html>\n")
        return Page(
            html: html.bytes, contentLanguage: language.tag,
            contentSecurityPolicy: policies.text(of: policy, hasLogo: logo(branding) != nil))
    }
}
