internal import SwitchyardPages
internal import SwitchyardPhrases

/// The pages that tie the beginner and the finisher together (rules: who began is who finishes).
extension PageLayout {
    func releaseCode(_ signIn: SignInSummary, _ asker: Asker, code: String, action: String) -> Page {
        let notice = phrases.signIn.releaseCode
        return card(heading: notice.heading, tone: .busy, policy: .scriptedForm, branding: signIn.branding) { html in
            html.heading(notice.heading)
            html.paragraph(notice.explanation, app: signIn.app)
            html.markup("<p id=\"release-code\" translate=\"no\">")
            html.text(code)
            html.markup("</p>\n")
            html.warning { $0.phrase(notice.next, app: signIn.app) }
            resourceOperator(signIn, into: &html)
            hint(.live(.code), into: &html)
            html.markup("<div class=\"choices question\">\n")
            html.notMe(action: action, label: phrases.question.notMe)
            html.markup("</div>\n")
            facts(signIn, asker, into: &html)
        }
    }

    func confirmStart(_ signIn: SignInSummary, _ asker: Asker, continueURL: String, action: String) -> Page {
        let words = phrases.question
        return card(heading: words.heading, tone: .stop, policy: .scriptedForm, branding: signIn.branding) { html in
            html.heading(words.heading)
            html.markup("<p>")
            question(words, signIn, asker, into: &html)
            html.markup("</p>\n")
            html.warning { $0.text(words.warning) }
            resourceOperator(signIn, into: &html)
            // The safe choice comes first and is the one that stands out.
            html.markup("<div class=\"choices question\">\n")
            html.notMe(action: action, label: phrases.question.notMe)
            html.link(to: continueURL) { $0.text(words.proceed) }
            html.markup("</div>\n")
            facts(signIn, asker, into: &html)
        }
    }

    func returning(_ signIn: SignInSummary, appURL: String) -> Page {
        let notice = phrases.signIn.returning
        return card(heading: notice.heading, tone: .busy, branding: signIn.branding) { html in
            html.markup("<div role=\"status\">\n")
            html.heading(notice.heading)
            html.paragraph(notice.explanation, app: signIn.app)
            html.paragraph(notice.next, app: signIn.app)
            html.markup("</div>\n<div class=\"choices\">\n")
            html.link(to: appURL) { $0.phrase(phrases.signIn.openApp, app: signIn.app) }
            html.markup("</div>\n")
            facts(signIn, into: &html)
        }
    }

    private func question(
        _ words: QuestionPhrases, _ signIn: SignInSummary, _ asker: Asker, into html: inout HTML
    ) {
        switch asker.origin {
        case .thisMachine: html.phrase(words.onThisMachine, app: signIn.app)
        case .unknown: html.phrase(words.somewhere, app: signIn.app)
        case .address(let address):
            html.phrase(words.atAddress) { slot in
                switch slot {
                case .app: signIn.app
                case .address: address
                }
            }
        }
    }
}
