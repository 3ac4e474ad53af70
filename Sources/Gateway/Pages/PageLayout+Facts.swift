internal import SwitchyardPages
internal import SwitchyardPendingRequests
internal import SwitchyardPhrases

extension PageLayout {
    /// The facts about a sign-in, and about its beginner.
    func facts(_ signIn: SignInSummary, _ asker: Asker? = nil, said: String? = nil, into html: inout HTML) {
        html.markup("<dl>\n")
        if let said { answer(said, into: &html) }
        if let resource = signIn.resource {
            html.term(phrases.facts.resource)
            html.markup("<dd id=\"resource\">")
            html.isolated(resource)
            html.markup("</dd>\n")
        }
        if let asker { asked(asker, into: &html) }
        host(signIn.hostLabel, into: &html)
        reference(signIn.reference, into: &html)
        html.markup("</dl>\n")
    }

    /// Names the party that gets the access: a person may think that it is the program.
    func resourceOperator(_ signIn: SignInSummary, into html: inout HTML) {
        guard let host = signIn.resource else { return }
        html.markup("<p id=\"resource-operator\">")
        html.phrase(phrases.question.resourceOperator) { _ in host }
        html.markup("</p>\n")
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
