/// Puts the words of one language into the one shape that all pages have.
struct PageLayout: Sendable {
    let languageTag: String
    let strings: Strings

    private static let contentSecurityPolicy =
        "default-src 'none'; style-src \(Stylesheet.hashSource); base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"

    func collected(_ signIn: SignInSummary) -> Page {
        page(of: signIn, strings.collected, tone: .done)
    }

    func waitingForApp(_ signIn: SignInSummary, refreshAfterSeconds seconds: Int?) -> Page {
        page(of: signIn, strings.waitingForApp, tone: .busy, update: .init(afterSeconds: seconds))
    }

    func redeeming(_ signIn: SignInSummary, refreshAfterSeconds seconds: Int?) -> Page {
        page(of: signIn, strings.redeeming, tone: .busy, update: .init(afterSeconds: seconds))
    }

    func failed(_ signIn: SignInSummary, _ reason: FailureReason) -> Page {
        page(of: signIn, strings.failed(reason), tone: .stop)
    }

    func neutral(reference: String?) -> Page {
        page(strings.neutral, tone: .calm, reference: reference)
    }

    func refused(_ refusal: CallbackRefusal) -> Page {
        page(strings.refused(refusal), tone: .stop, reference: nil)
    }

    /// How a page that shows a passing moment comes to show the next one.
    private enum Update {
        case never, byHand
        case after(seconds: Int)

        init(afterSeconds seconds: Int?) {
            self = seconds.map { .after(seconds: max(1, $0)) } ?? .byHand
        }
    }

    private func page(
        of signIn: SignInSummary, _ notice: Notice<AppPhrase>, tone: Tone, update: Update = .never
    ) -> Page {
        document(heading: notice.heading, tone: tone, update: update) { html in
            html.markup("<div role=\"status\">\n")
            self.heading(notice.heading, into: &html)
            html.paragraph(notice.explanation, app: signIn.app)
            html.paragraph(notice.next, app: signIn.app)
            self.hint(update, into: &html)
            html.markup("</div>\n<dl>\n")
            self.host(signIn.hostLabel, into: &html)
            self.reference(signIn.reference, into: &html)
            html.markup("</dl>\n")
        }
    }

    private func page(_ notice: Notice<String>, tone: Tone, reference: String?) -> Page {
        document(heading: notice.heading, tone: tone, update: .never) { html in
            self.heading(notice.heading, into: &html)
            html.paragraph(notice.explanation)
            html.paragraph(notice.next)
            guard let reference else { return }
            html.markup("<dl>\n")
            self.reference(reference, into: &html)
            html.markup("</dl>\n")
        }
    }

    private func document(heading: String, tone: Tone, update: Update, content: (inout HTML) -> Void) -> Page {
        var html = HTML(reservingBytes: 4096)
        html.markup("<!DOCTYPE html>\n<html lang=\"")
        html.text(languageTag)
        html.markup("\">\n<head>\n<meta charset=\"utf-8\">\n")
        html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        html.markup("<meta name=\"robots\" content=\"noindex\">\n")
        if case .after(let seconds) = update {
            html.markup("<meta http-equiv=\"refresh\" content=\"")
            html.text(String(seconds))
            html.markup("\">\n")
        }
        html.markup("<title>")
        html.text(heading)
        html.markup("</title>\n<style>")
        html.markup(Stylesheet.text)
        html.markup("</style>\n</head>\n<body>\n")
        html.markup(tone.card)
        // Hidden from screen readers: the heading says as much.
        html.markup("<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><circle cx=\"12\" cy=\"12\" r=\"10\"/>")
        html.markup(tone.symbol)
        html.markup("</svg>\n")
        content(&html)
        html.markup("</main>\n</body>\n</html>\n")
        return Page(
            html: html.bytes, contentLanguage: languageTag, contentSecurityPolicy: Self.contentSecurityPolicy)
    }

    private func heading(_ heading: String, into html: inout HTML) {
        html.markup("<h1>")
        html.text(heading)
        html.markup("</h1>\n")
    }

    private func hint(_ update: Update, into html: inout HTML) {
        switch update {
        case .never: return
        case .byHand: small(strings.reloadToUpdate, into: &html)
        case .after: small(strings.updatesItself, into: &html)
        }
    }

    private func small(_ text: String, into html: inout HTML) {
        html.markup("<small>")
        html.text(text)
        html.markup("</small>\n")
    }

    private func host(_ label: String?, into html: inout HTML) {
        guard let label else { return }
        html.markup("<dt>")
        html.text(strings.hostClaim)
        html.markup("</dt>\n<dd>")
        html.isolated(label)
        html.markup("</dd>\n")
    }

    private func reference(_ reference: String, into html: inout HTML) {
        html.markup("<dt>")
        html.text(strings.reference)
        html.markup("</dt>\n<dd id=\"reference\">")
        html.text(reference)
        html.markup("</dd>\n")
    }
}
