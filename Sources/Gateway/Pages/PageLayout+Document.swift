internal import SwitchyardPages
internal import SwitchyardPhrases

extension PageLayout {
    /// A document with one card: the symbol of `tone`, then `content`.
    func card(
        heading: String, tone: Tone, policy: PagePolicy = .text,
        content: (inout HTML) -> Void
    ) -> Page {
        document(title: heading, policy: policy) { html in
            html.markup(tone.card)
            operatorName(into: &html)
            html.symbol(tone)
            content(&html)
            operatorLinks(into: &html)
            html.markup("</main>\n")
        }
    }

    /// A document around `body`.
    func document(title: String, policy: PagePolicy, body: (inout HTML) -> Void) -> Page {
        var html = HTML(reservingBytes: 6144)
        html.beginDocument(in: language, title: title)
        html.markup("<meta name=\"robots\" content=\"noindex\">\n")
        html.markup("<style>")
        html.markup(Stylesheet.text)
        html.markup("</style>\n</head>\n<body>\n")
        body(&html)
        if policy.runsPageScript {
            html.markup("<script>")
            html.markup(PageScript.text)
            html.markup("</script>\n")
        }
        html.markup("</body>\n</html>\n")
        return Page(html: html.bytes, contentLanguage: language.tag, contentSecurityPolicy: policy.text)
    }
}
