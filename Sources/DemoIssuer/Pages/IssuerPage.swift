internal import SwitchyardHTTP
internal import SwitchyardPages

/// The frame that all pages of the issuer share.
///
/// Their policy names no `form-action`: Chromium applies it to the redirects after a form too, and a redirect
/// URI may be of any scheme.
enum IssuerPage {
    /// - Parameter script: the one script that may run; by default no script may.
    static func response(
        _ status: Status, title: StaticString, script: StaticString? = nil, _ content: (inout HTML) -> Void
    ) -> Response {
        var html = HTML(reservingBytes: 6144)
        html.markup("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
        html.markup(title)
        html.markup("</title>\n<style>")
        html.markup(stylesheet)
        html.markup("</style>\n</head>\n<body>\n<main>\n")
        content(&html)
        html.markup("<footer>Switchyard demo issuer. Not a real account: any name will do.</footer>\n</main>\n")
        if let script {
            html.markup("<script>")
            html.markup(script)
            html.markup("</script>\n")
        }
        html.markup("</body>\n</html>\n")
        var response = Response(status, body: .bytes(html.bytes))
        response.fields.add([
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
        ])
        response.add("Content-Security-Policy", policy(script))
        return response
    }

    private static func policy(_ script: StaticString?) -> String {
        let scripts = script.map { "; script-src \(HTML.hashSource(of: $0))" } ?? ""
        return "default-src 'none'; style-src \(styleSource)\(scripts); base-uri 'none'; frame-ancestors 'none'"
    }

    private static let styleSource = HTML.hashSource(of: stylesheet)

    private static let stylesheet: StaticString = """

        :root {
          color-scheme: light dark;
          --page: #f2f4f7; --card: #fff; --line: #d8dde4; --text: #1c2128; --quiet: #57606a; --accent: #0b62c4;
          --on-accent: #fff;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #0f1216; --card: #1a1e24; --line: #323942; --text: #e6e9ed; --quiet: #a0aab6; --accent: #6cb0ff;
            --on-accent: #0f1216;
          }
        }
        * { box-sizing: border-box; margin: 0; }
        body {
          min-height: 100vh; padding: 1rem; display: grid; place-items: center; overflow-wrap: anywhere;
          background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, "Segoe UI", "Noto Sans", sans-serif;
        }
        main {
          width: 100%; max-width: 26rem; padding: clamp(1.5rem, 6vw, 2.5rem);
          background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
        }
        h1 { margin-bottom: .75rem; font-size: 1.375rem; line-height: 1.3; font-weight: 600; }
        p, ul, label { margin-bottom: 1rem; }
        ul { padding-left: 1.25rem; }
        label { display: block; font-size: .875rem; color: var(--quiet); }
        input {
          display: block; width: 100%; margin-top: .25rem; padding: .5rem .75rem; font: inherit; font-size: 1rem;
          color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: .5rem;
        }
        .actions { display: flex; flex-direction: row-reverse; gap: .75rem; }
        button {
          flex: 1; padding: .625rem 1rem; font: inherit; font-weight: 600; cursor: pointer; border-radius: .5rem;
          color: var(--text); background: transparent; border: 1px solid var(--line);
        }
        button.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
        small, footer { display: block; font-size: .8125rem; color: var(--quiet); }
        footer { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }

        """
}

/// The page for a faulty request whose client cannot be told.
enum ErrorPage {
    static func response(_ sentence: String) -> Response {
        IssuerPage.response(.badRequest, title: "Sign-in is not possible") { html in
            html.markup("<h1>Sign-in is not possible</h1>\n<p>")
            html.text(sentence)
            html.markup("</p>\n<p>This is for the developer of the app to put right.</p>\n")
        }
    }
}
