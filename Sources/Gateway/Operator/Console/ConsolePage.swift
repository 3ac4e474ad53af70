internal import SwitchyardHTTP
internal import SwitchyardPages

/// The console: one page at `/` of the admin listener, which shows `/v1/status`. Its text never varies, so it is made
/// once.
enum ConsolePage {
    static func respond(to request: Request) -> Response {
        var response = Response(.ok, fields: fields, body: .bytes(bytes))
        response.add("Content-Security-Policy", policy)
        return response
    }

    private static let fields: Fields = [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff", "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin", "Content-Language": "en",
    ]

    /// One stylesheet, one script, and this listener to ask.
    private static let policy =
        "default-src 'none'; script-src \(ConsoleScript.hashSource); style-src \(ConsoleStylesheet.hashSource); "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static let bytes: [UInt8] = {
        var html = HTML(reservingBytes: 32 << 10)
        html.markup(head)
        html.markup(ConsoleStylesheet.text)
        html.markup("</style>\n</head>\n")
        html.markup(body)
        html.markup("<script>")
        for part in ConsoleScript.parts { html.markup(part) }
        html.markup("</script>\n</body>\n</html>\n")
        return html.bytes
    }()

    private static let head: StaticString = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>Switchyard</title>
        <style>
        """

    private static let body: StaticString = """
        <body>
        <header>
        <h1>Switchyard</h1>
        <p id="about"></p>
        <p id="state" role="status">Asking the gateway …</p>
        </header>
        <main id="main" aria-busy="true">
        <noscript><section>This page takes scripts; <code>switchyard status</code> tells the same.</section></noscript>
        <section id="obstacles" role="alert" hidden>
        <h2>Not ready</h2>
        <ul id="obstacle-list"></ul>
        </section>
        <section class="wide first" aria-labelledby="sign-ins-title">
        <h2 id="sign-ins-title">Sign-ins, the last 15 minutes</h2>
        <ul class="plain legend" id="legend"></ul>
        <p class="scale"><span id="top"></span></p>
        <svg id="plot" viewBox="0 0 600 176" preserveAspectRatio="none" role="img" aria-label="Sign-ins"></svg>
        <p class="scale" aria-hidden="true"><span>15 min ago</span><span>now</span></p>
        <div id="reasons"></div>
        <details>
        <summary>As numbers</summary>
        <div class="scroll" tabindex="0" role="region" aria-label="Sign-ins as numbers">
        <table>
        <thead><tr><th scope="col">From</th><th scope="col" class="number">completed</th><th scope="col" class="number">failed</th>
        <th scope="col" class="number">given up</th><th scope="col" class="number">callbacks refused</th></tr></thead>
        <tbody id="numbers"></tbody>
        </table>
        </div>
        </details>
        </section>
        <section class="narrow first" aria-labelledby="now-title">
        <h2 id="now-title">Now</h2>
        <dl class="figures" id="figures"></dl>
        </section>
        <section aria-labelledby="refusals-title">
        <h2 id="refusals-title">Last refusals</h2>
        <form id="find" role="search">
        <label for="reference">Reference of a sign-in</label>
        <input id="reference" name="reference" autocomplete="off" autocapitalize="characters" spellcheck="false"
          maxlength="16" required>
        <button>Show its history</button>
        </form>
        <div class="scroll">
        <table class="stack">
        <thead><tr><th scope="col">Time</th><th scope="col">Why</th><th scope="col">App</th><th scope="col">Reference</th></tr></thead>
        <tbody id="refusals"></tbody>
        </table>
        </div>
        </section>
        <section class="wide" aria-labelledby="issuers-title">
        <h2 id="issuers-title">Issuers</h2>
        <div class="scroll">
        <table class="stack">
        <thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col" class="number">Redeemed</th>
        <th scope="col">Last error</th></tr></thead>
        <tbody id="issuers"></tbody>
        </table>
        </div>
        </section>
        <section class="narrow" aria-labelledby="store-title">
        <h2 id="store-title">Store and log</h2>
        <table class="facts"><tbody id="store"></tbody></table>
        </section>
        <section class="wide" aria-labelledby="configuration-title">
        <h2 id="configuration-title">Configuration</h2>
        <table class="facts"><tbody id="configuration"></tbody></table>
        </section>
        <section class="narrow" aria-labelledby="certificates-title">
        <h2 id="certificates-title">Certificates end in</h2>
        <table class="facts"><tbody id="certificates"></tbody></table>
        </section>
        <section class="narrow" aria-labelledby="limits-title">
        <h2 id="limits-title">Limits</h2>
        <table class="facts"><tbody id="limits"></tbody></table>
        </section>
        <section class="wide" aria-labelledby="connections-title">
        <h2 id="connections-title">Connections</h2>
        <table class="facts"><tbody id="connections"></tbody></table>
        </section>
        </main>
        <footer><p id="zone"></p></footer>
        <dialog id="sign-in" aria-labelledby="sign-in-title">
        <header>
        <h2 id="sign-in-title">Sign-in <span class="code" id="sign-in-name"></span></h2>
        <button type="button" id="close" autofocus>Close</button>
        </header>
        <div id="history"></div>
        </dialog>

        """
}
