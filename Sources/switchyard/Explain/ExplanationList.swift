internal import SwitchyardGateway
internal import SwitchyardJSON

/// The table of causes and remedies, for a terminal and for the documentation.
enum ExplanationList {
    static func text(_ explanations: [Explanation]) -> String {
        explanations.map { explanation in
            """
            \(explanation.name) (\(explanation.kind.words))
            \(SignInStory.wrapped(explanation.cause + "."))
              Remedy
            \(SignInStory.wrapped(explanation.remedy, indent: "    "))
            """
        }.joined(separator: "\n\n")
    }

    /// `docs/reference/errors.md`.
    static var markdown: String {
        var text = """
            # Errors and refusals

            Every name that an operator meets, its cause and its remedy. This page is printed by
            `switchyard explain --list --markdown`; `switchyard explain NAME` tells one of them without a gateway, and
            `switchyard explain REFERENCE` tells one sign-in, with the one that it came to.

            """
        for kind in Explanation.Kind.allCases {
            let explanations = Explanation.all.filter { $0.kind == kind }
            text += "\n## \(kind.title)\n\n\(kind.introduction)\n\n"
            if kind == .callback {
                text += "| name | page | relay | cause | remedy |\n|---|---|---|---|---|\n"
            } else {
                text += "| name | cause | remedy |\n|---|---|---|\n"
            }
            for explanation in explanations {
                var cells = ["`\(explanation.name)`"]
                if kind == .callback {
                    cells.append(explanation.page.map { "\($0)" } ?? "")
                    cells.append(explanation.relayRefusal.map { "`\($0)`" } ?? "")
                }
                cells += [explanation.cause, explanation.remedy]
                text += "| \(cells.map(escaped).joined(separator: " | ")) |\n"
            }
        }
        return String(text.dropLast())
    }

    private static func escaped(_ cell: String) -> String { cell.replacing("|", with: "\\|") }
}

extension Explanation {
    var json: JSONObject {
        [
            "kind": .string(kind.rawValue), "name": .string(name), "cause": .string(cause), "remedy": .string(remedy),
        ]
    }
}

extension Explanation.Kind {
    /// Behind a name.
    fileprivate var words: String {
        switch self {
        case .failure: "the code of a failed sign-in"
        case .cause: "why a sign-in failed"
        case .obstacle: "what stood between gateway and issuer"
        case .keeping: "why an agent could not keep tokens"
        case .callback: "what became of a callback"
        case .delivery: "how a callback was handed over"
        case .relay: "why a relayed callback was not handled"
        case .limit: "a limit"
        case .answer: "an error of the API"
        case .oauth: "an issuer's error"
        case .entra: "an error of Microsoft Entra ID or Azure AD B2C"
        case .event: "an event of the log"
        case .detail: "a value in the log"
        }
    }

    fileprivate var title: String {
        switch self {
        case .failure: "Failures of sign-ins"
        case .cause: "Causes of failures"
        case .obstacle: "Between gateway and issuer"
        case .keeping: "Tokens that an agent cannot keep"
        case .callback: "Callbacks"
        case .delivery: "Handing callbacks over"
        case .relay: "Relayed callbacks"
        case .limit: "Limits"
        case .answer: "Errors of the API"
        case .oauth: "Errors of issuers"
        case .entra: "Errors of Microsoft Entra ID"
        case .event: "Events of the log"
        case .detail: "Values in the log"
        }
    }

    fileprivate var introduction: String {
        switch self {
        case .failure: "`error.code` of a sign-in that failed, `reason` of `failed` in the log."
        case .cause: "`cause` in the log and in histories, where a code has several causes."
        case .obstacle:
            "`reason` of `issuer_failing`, and `cause` of `failed`. Every other `status_NNN` is explained as well."
        case .keeping: "`reason` of `tokens_not_kept` in the log and in histories. The sign-in itself is well."
        case .callback:
            """
            The outcome of a callback: `reason` of `refused` in the log, `outcome` in metrics. Beside it the status of its page, and \
            the `reason` that a program gets which relays it.
            """
        case .delivery:
            "The result of a handler (`socket`, `dbus`, `exec`, `webhook`): `reason` of `delivery_failed` in the log, `result` in metrics."
        case .relay: "`reason` in the answer of `POST /v1/callbacks`."
        case .limit: "Keys below `limits`: `reason` of `limited` in the log."
        case .answer: "`error` in an answer of the apps' API, or of the admin listener."
        case .oauth:
            "`error` of an issuer, by the names of RFC 6749, OpenID Connect and their neighbors; `oauth_error` in histories."
        case .entra:
            "`number` in the log and in histories: the number with which the issuer's text begins. Any other number is explained by where to look it up."
        case .event: "`event` in [the log](log.md)."
        case .detail:
            "`endpoint`, `proof`, `by` and `handler` in the log and in histories name no fault; `begin_from` and `use_from` say by which key a caller was refused."
        }
    }
}
