internal import SwitchyardPages
internal import SwitchyardPhrases

/// How a page that shows a passing moment comes to show the next one. No page loads itself again by a timer: that would
/// take focus, scroll position and a selected code away (WCAG 2.2, success criterion 2.2.1).
enum PageUpdate {
    case never, byHand
    /// By ``PageScript``, once the sign-in has left this stage.
    case live(SignInStage)

    var isLive: Bool { if case .live = self { true } else { false } }
}

extension PageLayout {
    /// Says how the page changes, with a link for a reader without scripts.
    func hint(_ update: PageUpdate, into html: inout HTML) {
        let words = phrases.frame
        switch update {
        case .never: return
        case .byHand: html.small(words.reloadToUpdate)
        case .live(let stage):
            html.markup("<small id=\"news\" role=\"status\"")
            html.data("stage", stage.rawValue)
            html.data("live", words.updatesItself)
            html.data("changed", words.changed)
            html.data("unreachable", words.unreachable)
            html.data("stopped", words.stoppedLooking)
            html.markup(">")
            html.text(words.reloadToUpdate)
            html.markup("</small>\n")
        }
        html.markup("<p class=\"reload\"><a id=\"reload\" href=\"\">")
        html.text(words.reload)
        html.markup("</a></p>\n")
    }
}

extension HTML {
    fileprivate mutating func data(_ name: String, _ value: String) {
        markup(" data-")
        text(name)
        markup("=\"")
        text(value)
        markup("\"")
    }
}
