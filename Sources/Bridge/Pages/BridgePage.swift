internal import SwitchyardPages
internal import SwitchyardPhrases

/// A page that this machine shows, with the headers that belong to it.
public struct BridgePage: Sendable {
    public let html: [UInt8]
    public let fields: [(name: String, value: String)]

    /// Asks the person whether a sign-in that a far machine began is theirs.
    /// - Parameters:
    ///   - host: the far machine, as the person named it.
    ///   - action: a path of our own; each answer goes to its name below it, by POST.
    public static func consent(
        to address: SignInAddress, host: String, action: String, acceptLanguage: String?
    ) -> BridgePage {
        let language = Language.preferred(byAcceptLanguage: acceptLanguage)
        let (question, words) = (language.phrases.question, language.phrases.farMachine.consent)
        // All values are shown whole: otherwise an attacker could push the telling part out of sight.
        let whole = AddressJudge.maximumBytes
        let issuer = UntrustedText.shown(address.issuerHost, limit: whole)
        let value: (FarMachineSlot) -> String = { slot in
            switch slot {
            case .host: UntrustedText.shown(host, limit: 100)
            case .issuer: issuer
            }
        }
        return BridgePage(language, title: words.heading, tone: .stop, asks: true) { html in
            html.heading(words.heading)
            html.markup("<p>")
            html.phrase(words.explanation, value: value)
            html.markup("</p>\n")
            html.warning { $0.phrase(words.warning, value: value) }
            html.markup("<div class=\"choices question\">\n")
            html.answer(.refuse, to: action, label: question.notMe)
            html.answer(.continue, to: action, label: question.proceed)
            html.markup("</div>\n<dl>\n")
            html.fact(words.host, UntrustedText.shown(host, limit: 100), id: "host")
            html.fact(words.issuer, issuer, id: "issuer")
            html.fact(words.path, UntrustedText.shown(address.issuerPath, limit: whole), id: "path")
            html.fact(words.client, UntrustedText.shown(address.clientID, limit: whole), id: "client")
            let scope = address.scope.isEmpty ? words.noScope : UntrustedText.shown(address.scope, limit: whole)
            html.fact(words.scope, scope, id: "scope")
            for resource in address.resources {
                html.fact(words.resource, UntrustedText.shown(resource, limit: whole), id: nil)
            }
            if !address.authorizationDetails.isEmpty {
                let details = UntrustedText.shown(address.authorizationDetails, limit: whole)
                html.fact(words.details, details, id: "details")
            }
            if !address.prompt.isEmpty {
                html.fact(words.prompt, UntrustedText.shown(address.prompt, limit: whole), id: "prompt")
            }
            html.markup("</dl>\n")
        }
    }

    /// Shows the state of a sign-in, or the reason why a request belongs to no sign-in.
    public static func notice(_ notice: BridgeNotice, acceptLanguage: String?) -> BridgePage {
        let language = Language.preferred(byAcceptLanguage: acceptLanguage)
        let message = notice.message(in: language.phrases.farMachine)
        return BridgePage(language, title: message.heading, tone: notice.tone, asks: false) { html in
            html.heading(message.heading)
            html.paragraph(message.text)
        }
    }

    private init(_ language: Language, title: String, tone: Tone, asks: Bool, content: (inout HTML) -> Void) {
        var html = HTML(reservingBytes: 6144)
        html.beginDocument(in: language, title: title)
        html.markup("<style>")
        html.markup(Stylesheet.text)
        html.markup("</style>\n</head>\n<body>\n")
        html.markup(tone.card)
        html.symbol(tone)
        content(&html)
        html.markup("</main>\n</body>\n</html>\n")
        self.html = html.bytes
        // A browser applies `form-action` to all redirects behind a form: here the issuer, its own redirects, and the
        // tool's loopback address at the end. So no list can name them; a page without foreign markup has no other
        // form.
        let forms = asks ? "" : " form-action 'none';"
        fields = [
            ("Content-Type", "text/html; charset=utf-8"), ("Content-Language", language.tag),
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src \(Stylesheet.hashSource); base-uri 'none';\(forms) frame-ancestors 'none'"
            ),
            ("Cache-Control", "no-store"),
            // The referrer shows that the button was pressed on this page.
            ("Referrer-Policy", asks ? "same-origin" : "no-referrer"),
            ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
    }
}

/// The person's answer on the consent page.
public enum ConsentAnswer: String, Sendable {
    case `continue`
    case refuse
}

/// The pages without a question.
public enum BridgeNotice: Hashable, Sendable, CaseIterable {
    case refused
    /// It took too long, or has ended otherwise.
    case ended
    case alreadyDelivered
    case notStarted
    case notHere
    case notANavigation
    /// The tool does not listen any more.
    case toolGone
    /// The tool's answer cannot be shown.
    case toolResponseUnusable

    fileprivate var tone: Tone {
        switch self {
        case .notHere, .ended, .refused: .calm
        case .alreadyDelivered: .done
        case .notStarted, .notANavigation, .toolGone, .toolResponseUnusable: .stop
        }
    }
}

extension BridgeNotice {
    fileprivate func message(in phrases: FarMachinePhrases) -> Message {
        switch self {
        case .refused: phrases.refused
        case .ended: phrases.ended
        case .alreadyDelivered: phrases.alreadyDelivered
        case .notStarted: phrases.notStarted
        case .notHere: phrases.notHere
        case .notANavigation: phrases.notANavigation
        case .toolGone: phrases.toolGone
        case .toolResponseUnusable: phrases.toolResponseUnusable
        }
    }
}

extension HTML {
    fileprivate mutating func answer(_ answer: ConsentAnswer, to action: String, label: String) {
        markup("<form method=\"post\" action=\"")
        text("\(action)/\(answer.rawValue)")
        markup("\">\n<button class=\"button\" id=\"")
        text(answer.rawValue)
        markup("\">")
        text(label)
        markup("</button>\n</form>\n")
    }

    fileprivate mutating func fact(_ name: String, _ value: String, id: StaticString?) {
        term(name)
        if let id {
            markup("<dd id=\"")
            markup(id)
            markup("\">")
        } else {
            markup("<dd>")
        }
        isolated(value)
        markup("</dd>\n")
    }
}
