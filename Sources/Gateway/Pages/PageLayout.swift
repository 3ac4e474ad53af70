internal import SwitchyardConfiguration
internal import SwitchyardPages
internal import SwitchyardPendingRequests
internal import SwitchyardPhrases

/// Puts the words of one language into the one shape that all pages have.
struct PageLayout: Sendable {
    let language: Language
    /// The operator's part: its name, color, logo and links.
    let `operator`: PagesConfiguration
    let policies: PagePolicyTexts

    init(language: Language, operator: PagesConfiguration = PagesConfiguration()) {
        self.language = language
        self.operator = `operator`
        policies = PagePolicyTexts(accent: `operator`.accent.map { HTML.hashSource(of: $0.style) })
    }

    var phrases: Phrases { language.phrases }

    func collected(_ signIn: SignInSummary) -> Page {
        page(of: signIn, phrases.signIn.collected, tone: .done)
    }

    func waitingForApp(_ signIn: SignInSummary, isLive: Bool) -> Page {
        page(of: signIn, phrases.signIn.waitingForApp, tone: .busy, update: isLive ? .live(.waiting) : .byHand)
    }

    func redeeming(_ signIn: SignInSummary, isLive: Bool) -> Page {
        page(of: signIn, phrases.signIn.redeeming, tone: .busy, update: isLive ? .live(.redeeming) : .byHand)
    }

    func failed(_ signIn: SignInSummary, _ reason: FailureReason, said: String?) -> Page {
        page(of: signIn, reason.notice(in: phrases.endings), tone: .stop, said: said)
    }

    func delivered(_ signIn: SignInSummary) -> Page {
        page(of: signIn, phrases.signIn.delivered, tone: .done)
    }

    func delivering(_ signIn: SignInSummary) -> Page {
        page(of: signIn, phrases.signIn.delivering, tone: .busy, update: .live(.delivering))
    }

    func undelivered(_ signIn: SignInSummary) -> Page {
        page(of: signIn, phrases.signIn.undelivered, tone: .stop)
    }

    func passedOn(_ signIn: SignInSummary) -> Page {
        page(of: signIn, phrases.signIn.passedOn, tone: .calm)
    }

    func startedElsewhere(_ reference: Reference) -> Page {
        page(phrases.notices.startedElsewhere, tone: .stop, reference: reference)
    }

    func neutral(reference: Reference?) -> Page {
        page(phrases.notices.neutral, tone: .calm, reference: reference)
    }

    func refused(_ refusal: CallbackRefusal, reference: Reference? = nil) -> Page {
        page(refusal.notice(in: phrases.refusals), tone: .stop, reference: reference)
    }

    func comingAgain(_ refusal: CallbackRefusal, _ reference: Reference?) -> Page {
        page(refusal.notice(in: phrases.refusals), tone: .busy, reference: reference, update: .live(.again))
    }

    private func page(
        of signIn: SignInSummary, _ notice: Notice<AppPhrase>, tone: Tone, update: PageUpdate = .never,
        said: String? = nil
    ) -> Page {
        card(
            heading: notice.heading, tone: tone, policy: update.isLive ? .scripted : .text, branding: signIn.branding
        ) { html in
            // A live page has another status: its hint, which changes.
            html.markup(update.isLive ? "<div>\n" : "<div role=\"status\">\n")
            html.heading(notice.heading)
            html.paragraph(notice.explanation, app: signIn.app)
            html.paragraph(notice.next, app: signIn.app)
            html.markup("</div>\n")
            hint(update, into: &html)
            facts(signIn, said: said, into: &html)
        }
    }

    private func page(
        _ notice: Notice<String>, tone: Tone, reference: Reference?, update: PageUpdate = .never
    ) -> Page {
        card(heading: notice.heading, tone: tone, policy: update.isLive ? .scripted : .text) { html in
            html.notice(notice)
            hint(update, into: &html)
            guard let reference else { return }
            html.markup("<dl>\n")
            self.reference(reference, into: &html)
            html.markup("</dl>\n")
        }
    }
}
