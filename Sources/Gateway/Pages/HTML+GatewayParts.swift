internal import SwitchyardPages
internal import SwitchyardPhrases

/// The parts that only the gateway's pages have.
extension HTML {
    mutating func notice(_ notice: Notice<String>) {
        heading(notice.heading)
        paragraph(notice.explanation)
        paragraph(notice.next)
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

    /// Appends the form by which a person says that another person began the sign-in.
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
