internal import SwitchyardHTTP
internal import SwitchyardPages
internal import SwitchyardPhrases

/// The page that a browser shows at a loopback redirect URI: fixed text, without any part of the request. It looks like
/// the gateway's pages, and speaks their words.
enum LoopbackPage {
    static func response(_ status: Status, _ message: Message, tone: Tone, in language: Language) -> Response {
        var html = HTML(reservingBytes: 6144)
        html.beginDocument(in: language, title: message.heading)
        html.markup("<style>")
        html.markup(Stylesheet.text)
        html.markup("</style>\n</head>\n<body>\n")
        html.markup(tone.card)
        html.symbol(tone)
        html.heading(message.heading)
        html.paragraph(message.text)
        html.markup("</main>\n<script>")
        html.markup(script)
        html.markup("</script>\n</body>\n</html>\n")
        var response = Response(status, body: .bytes(html.bytes))
        response.add("Content-Type", "text/html; charset=utf-8")
        response.add("Content-Language", language.tag)
        response.add("Content-Security-Policy", policy)
        response.add("Cache-Control", "no-store")
        // The address holds a code.
        response.add("Referrer-Policy", "no-referrer")
        response.add("X-Content-Type-Options", "nosniff")
        response.closesConnection = true
        return response
    }

    /// Takes the code out of the address bar. The address may still be loaded again: then there is no state, and the
    /// answer says so.
    private static let script: StaticString = """

        history.replaceState(null, "", location.pathname);

        """

    private static let policy =
        "default-src 'none'; script-src \(HTML.hashSource(of: script)); style-src \(Stylesheet.hashSource); "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
