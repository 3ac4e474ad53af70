internal import HTTP
internal import OAuth

/// An authorization response on its way through the browser, in the mode that the client asked for.
struct AuthorizationAnswer {
    private let returnAddress: ReturnAddress
    private var parameters: [(String, String)]

    /// - Parameter issuer: nil to leave `iss` out, against RFC 9207.
    init(code: String, to returnAddress: ReturnAddress, issuer: String?) {
        self.init([("code", code)], to: returnAddress, issuer: issuer)
    }

    init(_ refusal: AuthorizationRefusal, to returnAddress: ReturnAddress, issuer: String?) {
        self.init(
            [("error", refusal.error), ("error_description", refusal.description)], to: returnAddress, issuer: issuer)
    }

    private init(_ parameters: [(String, String)], to returnAddress: ReturnAddress, issuer: String?) {
        self.returnAddress = returnAddress
        self.parameters = parameters
        if let state = returnAddress.state { self.parameters.append(("state", state)) }
        if let issuer { self.parameters.append(("iss", issuer)) }
    }

    /// - Parameter status: of a redirect; after a POST it must be 303 (RFC 9700 section 4.12).
    func response(redirectingWith status: Status) -> Response {
        let target = returnAddress.redirectURI.text
        switch returnAddress.responseMode {
        case .query: return redirect(status, to: target, joinedBy: target.contains("?") ? "&" : "?")
        case .fragment: return redirect(status, to: target, joinedBy: "#")
        case .formPost: return FormPostPage.response(target: target, parameters: parameters)
        }
    }

    private func redirect(_ status: Status, to target: String, joinedBy separator: String) -> Response {
        var response = Response(status)
        var location = Array(target.utf8)
        location += separator.utf8
        location += FormEncoding.encode(parameters)
        response.add("Location", location)
        response.add(lines: "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n")
        return response
    }
}
