internal import SwitchyardHTTP
package import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPages
internal import SwitchyardReactor
internal import SwitchyardText

/// An authorization response on its way through the browser, in the mode that the client asked for.
package struct AuthorizationAnswer {
    package let returnAddress: ReturnAddress
    /// nil for an error.
    package let code: String?
    /// The response's own, in their order.
    package var parameters: [(String, String)]

    /// Seconds for which a signed response is good; JARM section 2.1 recommends ten minutes at most.
    private static let lifetime: Int64 = 600

    init(code: String, to returnAddress: ReturnAddress, issuer: String?) {
        self.init([("code", code)], code: code, to: returnAddress, issuer: issuer)
    }

    package init(_ refusal: AuthorizationRefusal, to returnAddress: ReturnAddress, issuer: String?) {
        var parameters = [("error", refusal.error), ("error_description", refusal.description)]
        if let subcode = refusal.subcode { parameters.append(("error_subcode", subcode)) }
        self.init(parameters, code: nil, to: returnAddress, issuer: issuer)
    }

    private init(_ parameters: [(String, String)], code: String?, to returnAddress: ReturnAddress, issuer: String?) {
        self.returnAddress = returnAddress
        self.code = code
        self.parameters = parameters
        if let state = returnAddress.state { self.parameters.append(("state", state)) }
        if let issuer { self.parameters.append(("iss", issuer)) }
    }

    /// Whether the client wants one JWT (JWT Secured Authorization Response Mode) instead of parameters.
    package var isSigned: Bool { returnAddress.responseMode.isSigned }

    /// The claims of that JWT (JARM section 2.1).
    package var claims: JSONObject {
        var claims = JSONObject()
        for (name, value) in parameters { claims[name] = .string(value) }
        claims["aud"] = .string(returnAddress.clientID)
        claims["exp"] = .integer(WallTime.now().seconds + Self.lifetime)
        return claims
    }

    /// The parameters for the client, or `response` alone.
    /// - Throws: ``DemoIssuerError/noSignature``.
    func content(_ keys: SigningKeys) throws(DemoIssuerError) -> [(String, String)] {
        isSigned ? [("response", try keys.sign(claims))] : parameters
    }

    func response(_ content: [(String, String)], redirectingWith status: Status) -> Response {
        let target = returnAddress.redirectURI.text
        switch returnAddress.responseMode.carrier {
        case .query: return Self.redirect(status, "\(target)\(target.contains("?") ? "&" : "?")", content)
        case .fragment: return Self.redirect(status, "\(target)#", content)
        case .form: return FormPostPage.response(target: target, parameters: content)
        }
    }

    private static func redirect(_ status: Status, _ start: String, _ parameters: [(String, String)]) -> Response {
        var response = Response(status)
        response.add("Location", Array(start.utf8) + FormEncoding.encode(parameters))
        response.fields.add(["Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
        return response
    }
}

/// Carries an authorization response to the client as a form (OAuth 2.0 Form Post Response Mode section 2).
private enum FormPostPage {
    private static let submit: StaticString = "document.forms[0].submit()"

    static func response(target: String, parameters: [(String, String)]) -> Response {
        IssuerPage.response(.ok, title: "Going back to the app", script: submit) { html in
            html.markup("<h1>Going back to the app</h1>\n<form method=\"post\" action=\"")
            html.text(target)
            html.markup("\">\n")
            for (name, value) in parameters { html.hiddenField(name, value) }
            html.markup("<p>If nothing happens, continue by hand.</p>\n")
            html.markup("<button class=\"primary\">Continue</button>\n</form>\n")
        }
    }
}
