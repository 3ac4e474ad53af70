internal import SwitchyardHTTP
internal import SwitchyardPages

/// The page that a browser shows at a loopback redirect URI: fixed text, without any part of the request.
enum LoopbackPage {
    static func response(_ status: Status, _ text: LoopbackWords.Text) -> Response {
        var html = HTML(reservingBytes: 1024)
        html.markup("<!doctype html>\n<html lang=\"")
        html.text(text.language)
        html.markup("\">\n<head>\n<meta charset=\"utf-8\">\n")
        html.markup("<meta name=\"viewport\" content=\"width=device-width\">\n<title>")
        html.text(text.title)
        html.markup("</title>\n<style>")
        html.markup(style)
        html.markup("</style>\n</head>\n<body>\n<main>\n")
        html.heading(text.title)
        html.paragraph(text.sentence)
        html.markup("</main>\n</body>\n</html>\n")
        var response = Response(status, body: .bytes(html.bytes))
        response.add("Content-Type", "text/html; charset=utf-8")
        response.add("Content-Security-Policy", policy)
        response.add("Cache-Control", "no-store")
        // The address holds a code.
        response.add("Referrer-Policy", "no-referrer")
        response.add("X-Content-Type-Options", "nosniff")
        response.closesConnection = true
        return response
    }

    private static let style: StaticString = """
        :root{color-scheme:light dark}\
        body{font:1.125rem/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:1rem}\
        main{max-width:32rem}h1{font-size:1.5rem;line-height:1.25}
        """

    private static let policy =
        "default-src 'none'; style-src \(HTML.hashSource(of: style)); "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
