internal import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The attacks that an app's policy stops, and those that it does not stop, in plain sentences.
struct AppProtection {
    private let app: AppRegistration
    private let configuration: Configuration

    init(_ app: AppRegistration, _ configuration: Configuration) {
        self.app = app
        self.configuration = configuration
    }

    /// One for each part of the policy.
    var lines: [String] {
        let handlers = app.handlers
        let first = handlers.deliveries.flatMap { lines(of: $0) }
        guard !first.isEmpty else { return handlers.last.map { lines(of: $0) } ?? [] }
        return first + delivery(handlers) + (handlers.last.map { linesBehindOthers(of: $0) } ?? [])
    }

    /// The protection of callbacks that no handler before the last one took.
    private func linesBehindOthers(of last: Handler) -> [String] {
        let lines = lines(of: last)
        if case .redirect = last { return lines.map { "if none takes it, \($0)" } }
        let name = last == .pending ? "pending" : "loopback"
        return ["if none takes it, what holds for \(name):"] + lines.map { "  \($0)" }
    }

    private static let redirect =
        "redirect: browsers are sent to the one registered target only; "
        + "state, PKCE and the ID token are the app's to check"

    /// The protection of an app with the `loopback` handler.
    private var loopback: [String] {
        [
            "state and iss: a callback counts once, for the request that began it; PKCE, nonce and the ID token are the app's "
                + "to check",
            "loopback: the browser is sent on to http://127.0.0.1 on its own machine, at the request's return_port, and what "
                + "it takes there is kept nowhere; release does not apply: who sends somebody a sign-in link gets nothing. It does not "
                + "tell apart the programs and users of that machine: who listens at that port gets the callback, and its code, if "
                + "who began is there too",
            "response_mode \(app.responseMode.rawValue): \(response)",
            "start: \(start)",
            "begin: \(begin)",
        ]
    }

    private var pending: [String] {
        var lines = [
            app.takesAnyIssuer
                ? "state: a callback counts once, for the request that named its exact redirect URI; iss, PKCE and the ID token "
                    + "are the tool's to check, since it takes any issuer"
                : configuration.issuer(of: app)?.profile.deviations.omitsPKCE == true
                    ? "state, iss and the client's secret, without PKCE: a code that was stolen is worth nothing without the secret; "
                        + "see the issuer's lines for one that was injected"
                    : "state, PKCE and iss: a code that was stolen, injected or mixed up is worth nothing",
            "release \(app.release.rawValue): \(release)",
            "response_mode \(app.responseMode.rawValue): \(response)",
            "start: \(start)",
        ]
        if let certificate = app.clientAuthentication.certificate {
            let subject = certificate.subject.isEmpty ? "no subject" : certificate.subject
            lines.append(
                "client: \(app.clientAuthentication.name) with the certificate of \(subject); where the issuer binds tokens to it "
                    + "(RFC 8705 section 3), only holders of its key can use them")
        }
        if let relay { lines.append("relay: \(relay)") }
        if let entry = app.resource {
            lines.append("client: \(client(of: entry))")
            if configuration.route.proxy != nil {
                lines.append(
                    "outgoing: hosts that are written as an address of special use are refused here; names that others gave are the "
                        + "proxy's to judge, so it must refuse those of your own network")
            }
        }
        if let gateway = app.gateway {
            lines.append(
                "gateway: \(gateway.url) brings callbacks to https addresses, and its own release policy holds for them; it "
                    + "never has the code verifier, so whoever takes it over can neither redeem a code nor read tokens. Codes are "
                    + "redeemed here: \(redeemer)")
        }
        lines.append("begin: \(begin)")
        if app.signsRequests {
            lines.append(
                "request_object signed: nobody on the way can alter or make an authorization request of the app")
        }
        lines.append(FAPIProtection(app, configuration).line)
        return lines
    }

    /// The client of sign-ins to the resources of an entry.
    private func client(of entry: ResourceEntry) -> String {
        if let client = entry.client {
            return
                "\(client.id), registered by hand with \(client.issuer); all resources of the entry share its redirect URI"
        }
        if let document = entry.document {
            return "\(document) where the issuer reads such documents, else a registration"
        }
        guard entry.hasDocuments, configuration.publicURL.isHTTPS, configuration.servesBrowsers else {
            return "a registration with each issuer, one for each resource"
        }
        let address = "\(configuration.publicURL)/clients/\(app.id)"
        return "\(address), and \(address)-… for each resource below, where the issuer reads client documents; else a "
            + "registration with each issuer, one for each resource"
    }

    private var redeemer: String {
        app.clientAuthentication == .none
            ? "as a public client; where the client's secret is that gateway's alone, the app signs in there, by --gateway"
            : "with the client's \(app.clientAuthentication.proof)"
    }

    /// The protection of callbacks that are handed over, by any handler.
    private func delivery(_ handlers: HandlerList) -> [String] {
        var lines = [
            "state, PKCE and the ID token are the app's to check: this gateway asks for no request, so anybody can have a "
                + "callback handed over, and release does not apply; who sends somebody a sign-in link is stopped by the app "
                + "alone",
            "exactly once: an identical callback is not handed over again while the first is remembered, by this gateway and "
                + "those that share its store",
        ]
        if let gateway = app.gateway, handlers.last == nil {
            lines.append(
                "gateway: \(gateway.url) brings callbacks to https addresses, for sign-ins that the app has begun here with "
                    + "completion response, and its own release policy holds for them; what no handler takes, the app collects"
            )
        }
        // The lines of a handler that holds requests say it.
        if !handlers.holdsRequests { lines.append("response_mode \(app.responseMode.rawValue): \(response)") }
        if app.redirectURIs.contains(where: { if case .https = $0.form { false } else { true } }) {
            lines.append(
                "relay: "
                    + (app.relayFrom.map { "only \(Self.words(users: $0.uids, $0.networks))" }
                        ?? "anyone who reaches the API"))
        }
        return lines
    }

    /// The protection of one handler.
    private func lines(of handler: Handler) -> [String] {
        switch handler {
        case .socket:
            [
                "socket: a program of this gateway's user or of root gets the callback, or one of the user who owns the socket's "
                    + "folder, where nobody else can write; another one that was there first does not"
            ]
        case .dbus:
            [
                "dbus: the program of this gateway's user that has the name on the session bus gets the callback; any of that "
                    + "user's programs may take a name that is free"
            ]
        case .exec:
            [
                "exec: the program gets a ticket that counts once, for this gateway's user only; no code stands in a list of "
                    + "processes or in an environment"
            ]
        case .webhook:
            [
                "webhook: signed, so the app knows who sends; who has taken the receiver over gets callbacks, whose codes are "
                    + "worth nothing without the app's verifier (PKCE)"
            ]
        case .pending: pending
        case .redirect: [Self.redirect]
        case .loopback: loopback
        }
    }

    private var release: String {
        switch app.release {
        case .code:
            "the sign-in goes on once the code that its browser shows is typed into the program that began it; who "
                + "sends somebody a sign-in link gets nothing. It does not help a person who tells a stranger the code"
        case .sameNetwork:
            "passes at once when begin, callback and collecting come from one address \(placesThatPass); from anywhere "
                + "else it is as with code. It does not tell apart people who share an address"
        case .sameDevice:
            "the browser takes a one-time ticket to \(app.returnURI?.text ?? "the app") on its own device; a sign-in "
                + "that was begun on another device never gets it. It does not tell apart the programs of one device"
        case .none: "protects nobody from a sign-in link that somebody else began; for tests"
        }
    }

    private var placesThatPass: String {
        let networks = configuration.networks.map(\.description).joined(separator: ", ")
        return networks.isEmpty ? "that is loopback" : "that is loopback or in \(networks)"
    }

    private var response: String {
        let carrier =
            switch app.responseMode.carrier {
            case .query: "the code comes in the address, where a log on the way may keep it; it works once"
            case .form: "the code comes in a POST, and stands in no address, history or Referer"
            case .fragment: "the code comes in the fragment, which a page of this gateway posts; it takes a script"
            }
        return app.responseMode.isSigned ? "\(carrier); the issuer signs it, so nobody can alter or mix it" : carrier
    }

    private var start: String {
        app.requiresStart
            ? "a callback counts only from the browser that opened start_url, so a callback that was copied out of "
                + "another browser is refused"
            : "any browser may bring the callback (require_start: false)"
    }

    /// nil for an app without relayed callbacks.
    private var relay: String? {
        guard app.redirectURIs.contains(where: { if case .https = $0.form { false } else { true } }) else { return nil }
        guard app.release == .none else {
            guard configuration.listeners.contains(where: \.isUnixAPI) else {
                return "nobody, since it takes a Unix socket that serves api, and there is none"
            }
            let users = app.relayFrom.map { Self.words(users: $0.uids, []) }
            return "only on a Unix socket, and only the user that began the sign-in"
                + (users.map { $0.isEmpty ? "; relay_from names no user, so nobody can" : ", being \($0)" } ?? "")
        }
        guard let relayFrom = app.relayFrom else { return "anyone who reaches the API" }
        return "only \(Self.words(users: relayFrom.uids, relayFrom.networks))"
    }

    private var begin: String {
        guard let beginFrom = app.beginFrom else { return "anyone who reaches the API" }
        var ways: [String] = []
        let peers = Self.words(users: beginFrom.uids, beginFrom.networks)
        if !peers.isEmpty { ways.append(peers) }
        if !beginFrom.clientCertificates.isEmpty {
            let files = beginFrom.clientCertificates.map(\.path).joined(separator: ", ")
            ways.append("who shows a TLS client certificate that \(files) vouches for")
        }
        switch beginFrom.apiKeyHashes.count {
        case 0: break
        case 1: ways.append("who has the API key")
        case let count: ways.append("who has one of \(count) API keys")
        }
        return "only \(ways.joined(separator: ", or "))"
    }

    private static func words(users: [UInt32], _ networks: [Network]) -> String {
        (users.map { "user \($0)" } + networks.map(\.description)).joined(separator: ", ")
    }
}

extension ListenerConfiguration {
    fileprivate var isUnixAPI: Bool {
        guard case .unix = address else { return false }
        return serve.contains(.api)
    }
}

extension ClientAuthentication {
    /// The thing that the client proves itself with, for people.
    fileprivate var proof: String { certificate != nil ? "certificate" : secret == nil ? "key" : "secret" }
}
