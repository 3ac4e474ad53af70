internal import SwitchyardCrypto
internal import SwitchyardHTTP

/// The page that a browser shows at a loopback redirect URI: words only, nothing of the request in it.
enum LoopbackPage {
    static func response(_ status: Status, _ text: LoopbackWords.Text) -> Response {
        let html = """
            <!doctype html>
            <html lang="\(text.language)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(text.title)</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            <h1>\(text.title)</h1>
            <p>\(text.sentence)</p>
            </main>
            </body>
            </html>

            """
        var response = Response(status, body: .bytes(Array(html.utf8)))
        response.add("Content-Type", "text/html; charset=utf-8")
        response.add("Content-Security-Policy", policy)
        response.add("Cache-Control", "no-store")
        // The address holds a code.
        response.add("Referrer-Policy", "no-referrer")
        response.add("X-Content-Type-Options", "nosniff")
        response.closesConnection = true
        return response
    }

    private static let style = """
        :root{color-scheme:light dark}\
        body{font:1.125rem/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:1rem}\
        main{max-width:32rem}h1{font-size:1.5rem;line-height:1.25}
        """

    private static let policy =
        "default-src 'none'; style-src 'sha256-\(Base64.encode(SHA256Digest(of: style).bytes))'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
