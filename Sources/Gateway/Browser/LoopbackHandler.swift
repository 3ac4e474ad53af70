internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// Sends the browser on to its own machine, where the app listens that began and that redeems.
///
/// It is 127.0.0.1 for every browser, so who began a sign-in for somebody else gets nothing: it is that person's machine
/// (rules: who began is who finishes). Whoever listens there reads what comes.
enum LoopbackHandler {
    /// - Parameters:
    ///   - port: the request's.
    ///   - route: whose redirect URI's path it is, byte for byte as registered. Nothing of a callback chooses the address, but for
    ///     its query (rules: no open redirect).
    ///   - query: as it came; it was read as parameters, so nothing in it needs an escape.
    ///   - content: of the page for a browser that does not follow.
    static func answer(
        _ exchange: Exchange, to port: UInt16, at route: Route, _ query: [UInt8], _ content: PageContent
    ) -> Response {
        let address = location(port: port, route.redirectURI.form, query)
        // A browser lets a form's answer redirect only to where our page's policy lets forms go, and the fragment comes by a form
        // of ours: there it is the page that sends the browser on.
        if route.app.responseMode.carrier == .fragment {
            var response = exchange.page(.ok, content)
            response.fields.add("Refresh", Array("0; url=".utf8) + address)
            return response
        }
        var response = exchange.page(.seeOther, content)
        response.fields.add("Location", address)
        return response
    }

    static func location(port: UInt16, _ redirectURI: RedirectURI.Form, _ query: [UInt8]) -> [UInt8] {
        let path =
            switch redirectURI {
            case .https(_, _, let path), .loopback(_, let path): path
            case .customScheme: "/"
            }
        return Array("http://127.0.0.1:\(port)\(path)?".utf8) + query
    }
}
