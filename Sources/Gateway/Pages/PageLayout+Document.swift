internal import SwitchyardPages
internal import SwitchyardPhrases

extension PageLayout {
    /// A document with one card: the symbol of `tone`, then `content`.
    func card(
        heading: String, tone: Tone, update: PageUpdate = .never, policy: PagePolicy = .text,
        content: (inout HTML) -> Void
    ) -> Page {
        document(title: heading, update: update, policy: policy) { html in
            html.markup(tone.card)
            html.symbol(tone)
            content(&html)
            html.markup("</main>\n")
        }
    }

    /// A document around `body`.
    func document(title: String, update: PageUpdate, policy: PagePolicy, body: (inout HTML) -> Void) -> Page {
        var html = HTML(reservingBytes: 6144)
        html.beginDocument(in: language, title: title)
        html.markup("<meta name=\"robots\" content=\"noindex\">\n")
        if case .after(let seconds) = update {
            html.markup("<meta http-equiv=\"refresh\" content=\"")
            html.text(String(seconds))
            html.markup("\">\n")
        }
        html.markup("<style>")
        html.markup(Stylesheet.text)
        html.markup("</style>\n</head>\n<body>\n")
        body(&html)
        html.markup("</body>\n</html>\n")
        return Page(html: html.bytes, contentLanguage: language.tag, contentSecurityPolicy: policy.text)
    }
}

/// How a page that shows a passing moment comes to show the next one.
enum PageUpdate {
    case never, byHand
    /// By itself, after a whole second or more.
    case after(seconds: Int)

    init(afterSeconds seconds: Int?) {
        self = seconds.map { .after(seconds: max(1, $0)) } ?? .byHand
    }
}
