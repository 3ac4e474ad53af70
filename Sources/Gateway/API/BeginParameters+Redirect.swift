internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRouting
internal import SwitchyardText

/// The addresses at which the browser comes back.
extension BeginParameters {
    /// The redirect URI of the request, if a request can wait for the callbacks that come there.
    static func redirectURI(
        _ content: JSONContent, of app: AppRegistration, _ servesBrowsers: Bool
    ) throws(APIError) -> RedirectURI {
        guard app.handlers.holdsRequests || app.gateway != nil else {
            throw .invalidRequest("\"app\": \"\(app.id.text)\" has a handler that holds no requests")
        }
        let redirectURI = try named(content, app, servesBrowsers)
        guard app.handlers.holdsRequests || app.gateway(at: redirectURI) != nil else {
            throw .invalidRedirectURI(
                "needs no request: what comes there is handed over; begin for the https ones, which the app's gateway carries"
            )
        }
        try checkBrowserReaches(redirectURI, app)
        return redirectURI
    }

    /// The redirect URI that the call names: one of the app's. A loopback URI may name the port that the app listens on (RFC
    /// 8252 section 7.3). A custom scheme has two spellings, with and without `/` behind the host. The registered one
    /// is used, because the issuer compares it.
    private static func named(
        _ content: JSONContent, _ app: AppRegistration, _ servesBrowsers: Bool
    ) throws(APIError) -> RedirectURI {
        guard let text = try content.text("redirect_uri") else {
            let exact = app.redirectURIs.filter { !$0.isPattern }
            let best = exact.first { uri in
                switch uri.form {
                case .https: servesBrowsers || app.gateway != nil
                case .customScheme: !servesBrowsers && app.gateway == nil
                case .loopback: false
                }
            }
            guard let chosen = best ?? exact.first else {
                throw .invalidRedirectURI("is missing, and the app has none that is exact: name one in place of its *")
            }
            return chosen
        }
        if let registered = app.redirectURIs.first(where: { !$0.isPattern && $0.text.isExactly(text) }) {
            return registered
        }
        if let named = app.redirectURIs.lazy.compactMap({ $0.filled(by: text) }).first { return named }
        if let asked = try? RedirectURI(text), let registered = app.redirectURIs.first(where: { $0.form == asked.form })
        {
            switch asked.form {
            case .loopback: return asked
            case .customScheme: return registered
            case .https: break
            }
        }
        throw .invalidRedirectURI("is none of those that the app has in the gateway's configuration")
    }

    /// Requires an https redirect URI for features that need the gateway's own listener. A relayed callback carries no
    /// cookie, POST or fragment.
    private static func checkBrowserReaches(_ redirectURI: RedirectURI, _ app: AppRegistration) throws(APIError) {
        if case .https = redirectURI.form { return }
        if app.handlers.sendsToLoopback {
            throw .invalidRedirectURI(
                "has to be one of the app's https ones: with the handler loopback a browser has to bring the callback here"
            )
        }
        let needs = app.requiresStart ? "require_start" : "response_mode \(app.responseMode.rawValue)"
        guard app.requiresStart || app.responseMode.carrier != .query else { return }
        throw .invalidRedirectURI("has to be one of the app's https ones: it has \(needs)")
    }

    /// The ports for the handler `loopback`. Services of the system listen below them, and no sign-in is for these.
    private static let ownPorts: ClosedRange<UInt16> = 1024...65535

    /// The handler `loopback`, and a loopback `return_uri` without a port, need the one of the app that is running. Elsewhere a
    /// port does no harm: an app that listens need not know its release policy.
    static func returnPort(_ content: JSONContent, _ app: AppRegistration) throws(APIError) -> UInt16? {
        let isForLoopback = app.handlers.sendsToLoopback
        let needsPort = isForLoopback || app.returnURI.map { $0.text(port: 1) != $0.text } ?? false
        guard let value = content.value("return_port") else {
            guard !needsPort else {
                let reason =
                    isForLoopback
                    ? "the app has the handler loopback, which sends the browser to its port"
                    : "the app's return_uri is on loopback, at its port"
                throw .invalidRequest("\"return_port\" is missing: \(reason)")
            }
            return nil
        }
        let ports = isForLoopback ? ownPorts : 1...65535
        guard case .integer(let number) = value, let port = UInt16(exactly: number), ports.contains(port) else {
            throw .invalidRequest(
                "\"return_port\" has to be a number from \(ports.lowerBound) to \(ports.upperBound)")
        }
        return needsPort ? port : nil
    }
}
