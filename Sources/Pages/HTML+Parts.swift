/// The parts that pages are made of.
extension HTML {
    package mutating func symbol(_ tone: Tone) {
        // Hidden from screen readers: the heading says as much.
        markup("<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><circle cx=\"12\" cy=\"12\" r=\"10\"/>")
        markup(tone.symbol)
        markup("</svg>\n")
    }

    package mutating func heading(_ heading: String) {
        markup("<h1>")
        text(heading)
        markup("</h1>\n")
    }

    package mutating func small(_ text: String) {
        markup("<small>")
        self.text(text)
        markup("</small>\n")
    }

    package mutating func term(_ term: String) {
        markup("<dt>")
        text(term)
        markup("</dt>\n")
    }

    /// Appends a paragraph that stands out.
    package mutating func warning(_ content: (inout HTML) -> Void) {
        markup("<p class=\"warning\">")
        content(&self)
        markup("</p>\n")
    }
}
