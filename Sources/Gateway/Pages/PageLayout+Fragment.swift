extension PageLayout {
    /// The page for `response_mode=fragment`. Its script shows one of the hidden parts; without scripts the browser
    /// shows the part for that case, and the title is that part's.
    func fragment() -> Page {
        let words = strings.fragment
        return document(title: words.needsScript.heading, update: .never, policy: .fragment) { html in
            html.markup("<main>\n<noscript>\n<section class=\"stop\">\n")
            html.symbol(.stop)
            html.notice(words.needsScript)
            html.markup("</section>\n</noscript>\n<section class=\"busy\" id=\"sending\" role=\"status\" hidden>\n")
            html.symbol(.busy)
            html.notice(words.sending)
            html.markup("</section>\n<section class=\"stop\" id=\"incomplete\" hidden>\n")
            html.symbol(.stop)
            html.notice(strings.refused(.missingCode))
            html.markup("</section>\n</main>\n<script>")
            html.markup(FragmentScript.text)
            html.markup("</script>\n")
        }
    }
}
