internal import SwitchyardHTTP

/// Carries an authorization response to the client as a form (OAuth 2.0 Form Post Response Mode section 2).
enum FormPostPage {
    private static let submit: StaticString = "document.forms[0].submit()"

    static func response(target: String, parameters: [(String, String)]) -> Response {
        Page.response(.ok, title: "Going back to the app", script: submit) { html in
            html.markup("<h1>Going back to the app</h1>\n<form method=\"post\" action=\"")
            html.text(target)
            html.markup("\">\n")
            for (name, value) in parameters { html.hiddenField(name, value) }
            html.markup("<p>If nothing happens, continue by hand.</p>\n")
            html.markup("<button class=\"primary\">Continue</button>\n</form>\n")
        }
    }
}
