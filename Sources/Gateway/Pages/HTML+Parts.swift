/// The parts that pages are made of.
extension HTML {
    mutating func symbol(_ tone: Tone) {
        // Hidden from screen readers: the heading says as much.
        markup("<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><circle cx=\"12\" cy=\"12\" r=\"10\"/>")
        markup(tone.symbol)
        markup("</svg>\n")
    }

    mutating func notice(_ notice: Notice<String>) {
        heading(notice.heading)
        paragraph(notice.explanation)
        paragraph(notice.next)
    }

    mutating func heading(_ heading: String) {
        markup("<h1>")
        text(heading)
        markup("</h1>\n")
    }

    mutating func small(_ text: String) {
        markup("<small>")
        self.text(text)
        markup("</small>\n")
    }

    mutating func term(_ term: String) {
        markup("<dt>")
        text(term)
        markup("</dt>\n")
    }

    /// Appends a paragraph that nobody shall overlook.
    mutating func warning(_ content: (inout HTML) -> Void) {
        markup("<p class=\"warning\">")
        content(&self)
        markup("</p>\n")
    }

    /// Appends a link. The address is ours, the issuer's or the app's registered one, never out of a request
    /// (rules: no open redirect).
    mutating func link(to address: String, content: (inout HTML) -> Void) {
        markup("<a class=\"button\" href=\"")
        text(address)
        markup("\">")
        content(&self)
        markup("</a>\n")
    }

    /// Appends the form by which a person says that somebody else began the sign-in.
    /// - Parameter action: A path of our own.
    mutating func notMe(action: String, label: String) {
        markup("<form method=\"post\" action=\"")
        text(action)
        markup("\">\n<input type=\"hidden\" name=\"answer\" value=\"not_me\">\n")
        markup("<button class=\"button\">")
        text(label)
        markup("</button>\n</form>\n")
    }
}
