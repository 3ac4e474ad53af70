internal import SwitchyardHTTP
internal import SwitchyardPages

/// The page that asks for the person's name, and for consent to the client's request.
struct ConsentPage {
    let clientName: String
    let redirectURI: String
    let scopes: [String]
    let suggestedUser: String
    /// The address for the decision.
    let action: String
    /// The parameters of the authorization request, which the form carries on.
    let parameters: [(name: String, value: String)]

    static let userField = "demo_user"
    static let decisionField = "demo_decision"
    static let approval = "approve"

    var response: Response {
        IssuerPage.response(.ok, title: "Sign in") { html in
            html.markup("<h1>Sign in to ")
            html.text(clientName)
            html.markup("</h1>\n")
            addScopes(to: &html)
            addForm(to: &html)
        }
    }

    private func addScopes(to html: inout HTML) {
        guard !scopes.isEmpty else { return }
        html.markup("<p>It asks for:</p>\n<ul>\n")
        for scope in scopes {
            html.markup("<li>")
            html.text(Self.meaning(of: scope))
            html.markup("</li>\n")
        }
        html.markup("</ul>\n")
    }

    private func addForm(to html: inout HTML) {
        html.markup("<form method=\"post\" action=\"")
        html.text(action)
        html.markup("\">\n")
        for (name, value) in parameters where name != Self.userField && name != Self.decisionField {
            html.hiddenField(name, value)
        }
        html.markup("<label>Your name or email address\n<input name=\"")
        html.text(Self.userField)
        html.markup("\" maxlength=\"64\" autocomplete=\"off\" required value=\"")
        html.text(suggestedUser)
        html.markup("\"></label>\n<p><small>You will be sent to ")
        html.text(redirectURI)
        html.markup("</small></p>\n<div class=\"actions\">\n")
        // First in the order of the document: the Enter key approves.
        addButton("class=\"primary\"", Self.approval, "Sign in", to: &html)
        addButton("formnovalidate", "deny", "Cancel", to: &html)
        html.markup("</div>\n</form>\n")
    }

    private func addButton(
        _ attribute: StaticString, _ decision: String, _ label: StaticString, to html: inout HTML
    ) {
        html.markup("<button ")
        html.markup(attribute)
        html.markup(" name=\"")
        html.text(Self.decisionField)
        html.markup("\" value=\"")
        html.text(decision)
        html.markup("\">")
        html.markup(label)
        html.markup("</button>\n")
    }

    private static func meaning(of scope: String) -> String {
        switch scope {
        case "openid": "Know that it is you"
        case "profile": "See your name"
        case "email": "See your email address"
        case "offline_access": "Keep you signed in"
        default: scope
        }
    }
}
