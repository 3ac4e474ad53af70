internal import SwitchyardPages
internal import SwitchyardPendingRequests
internal import SwitchyardPhrases

extension PageLayout {
    /// The facts about a sign-in, and about its beginner.
    func facts(_ signIn: SignInSummary, _ asker: Asker? = nil, said: String? = nil, into html: inout HTML) {
        html.markup("<dl>\n")
        if let said { answer(said, into: &html) }
        if let asker { asked(asker, into: &html) }
        host(signIn.hostLabel, into: &html)
        reference(signIn.reference, into: &html)
        html.markup("</dl>\n")
    }

    func reference(_ reference: Reference, into html: inout HTML) {
        html.term(phrases.facts.reference)
        html.markup("<dd id=\"reference\">")
        html.text("\(reference)")
        html.markup("</dd>\n")
    }

    private func asked(_ asker: Asker, into html: inout HTML) {
        html.term(phrases.facts.askedFrom)
        html.markup("<dd>")
        switch asker.origin {
        case .thisMachine: html.text(phrases.facts.thisMachine)
        case .unknown: html.text(phrases.facts.unknownPlace)
        case .address(let address):
            html.isolated(address)
            if asker.isSameAddress {
                html.text(" (\(phrases.facts.sameAddress))")
            }
        }
        html.markup("</dd>\n")
        html.term(phrases.facts.askedAt)
        html.markup("<dd><time datetime=\"")
        html.text(asker.moment)
        html.markup("\">")
        html.text(asker.time)
        html.markup("</time></dd>\n")
    }

    /// The words of the answer's sender: text, never markup, and no link.
    private func answer(_ said: String, into html: inout HTML) {
        html.term(phrases.facts.answerSays)
        html.markup("<dd id=\"answer\">")
        html.isolated(said)
        html.markup("</dd>\n")
    }

    private func host(_ label: String?, into html: inout HTML) {
        guard let label else { return }
        html.term(phrases.facts.hostClaim)
        html.markup("<dd>")
        html.isolated(label)
        html.markup("</dd>\n")
    }
}
