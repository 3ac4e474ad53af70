internal import SwitchyardHTTP

/// Says what is wrong with a request whose client cannot be told.
enum ErrorPage {
    static func response(_ sentence: String) -> Response {
        Page.response(.badRequest, title: "Sign-in is not possible") { html in
            html.markup("<h1>Sign-in is not possible</h1>\n<p>")
            html.text(sentence)
            html.markup("</p>\n<p>This is for the developer of the app to put right.</p>\n")
        }
    }
}
