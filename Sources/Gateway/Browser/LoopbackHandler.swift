internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// Sends the browser on to its own machine, where the app that began listens and redeems.
///
/// The address is 127.0.0.1 for every browser. A beginner elsewhere gets no code: the browser's machine is the other
/// person's (rules: who began is who finishes). Every program that listens there reads the callback.
enum LoopbackHandler {
    /// - Parameters:
    ///   - port: the request's.
    ///   - route: the redirect URI. Its path is used byte for byte as registered. Only the query comes from the
    ///     callback (rules: no open redirect).
    ///   - query: as it came. It was parsed as parameters, so it needs no escaping.
    ///   - content: the page for a browser that does not follow.
    static func answer(
        _ exchange: Exchange, to port: UInt16, at route: Route, _ query: [UInt8], _ content: PageContent
    ) -> Response {
        let address = location(port: port, route.redirectURI.form, query)
        return exchange.sendOn(to: address, by: route.app.responseMode, content)
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
