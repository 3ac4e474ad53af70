internal import SwitchyardOAuth
internal import SwitchyardRouting
internal import SwitchyardTLS

extension Rules {
    /// Browsers come to the port of `public_url`: a listener has it, or something stands in front that forwards it.
    func warnAboutDoors() {
        guard let publicURL, trustedProxies.isEmpty else { return }
        let doors = listeners.filter { $0.configuration.serve.contains(.callbacks) }
        guard let first = doors.first, !doors.contains(where: { $0.mayHave(port: publicURL.port) }) else { return }
        log.warning(
            at: first.place,
            "no listener for callbacks has port \(publicURL.port), to which \(publicURL) brings browsers",
            "listen there, or have it forwarded here; a proxy that does so belongs into trusted_proxies")
    }

    /// Warns about proxies that look like other programs of this machine, that reach no listener, or with a user that
    /// is also a caller.
    func warnAboutProxies(_ guarded: [DecodedApp]) {
        warnAboutUnnamedProxies()
        warnAboutOperatorsDoor()
        guard let place = proxiesPlace else { return }
        let doors = listeners.filter { !$0.configuration.serve.isDisjoint(with: [.callbacks, .api]) }
        if publicURL?.isLoopback == false,
            let door = doors.first(where: { door in
                guard case .tcp(let address, _) = door.configuration.address else { return false }
                return address.isLoopback && trustedProxies.contains(address)
            })
        {
            log.warning(
                at: place,
                "any user of this machine can pose as the proxy at \(door.configuration.address) "
                    + "(\(door.place.description))",
                "let the proxy come by a Unix socket, and name its user here, such as uid:www-data")
        }
        if !trustedProxies.uids.isEmpty, !doors.contains(where: \.isUnix) {
            log.warning(
                at: place, "a user as a proxy, although no listener for callbacks or the API is a Unix socket",
                "let the proxy come by one: address: unix:/run/switchyard/proxy.sock")
        }
        for app in guarded {
            guard let uid = app.registration.beginFrom?.uids.first(where: trustedProxies.contains(uid:)) else {
                continue
            }
            log.warning(
                at: app.place(app.beginFromMark),
                "begin_from lists user \(uid), which is a proxy in trusted_proxies and so lets nobody in",
                "list the users who call by themselves")
        }
    }

    /// A client that a proxy lets through to callbacks gets through to the operator's listener too.
    private func warnAboutOperatorsDoor() {
        let isOpen = { (door: DecodedListener) in
            door.configuration.serve.contains(.admin) && door.configuration.serve.contains(.callbacks)
        }
        guard publicURL?.isLoopback == false, let door = listeners.first(where: isOpen) else { return }
        log.warning(
            at: door.place,
            "\(door.configuration.address) serves admin where browsers come: a proxy that does not set Host by itself, and does "
                + "not say for whom it asks, shows it to everybody",
            "serve admin on a listener of its own")
    }

    /// A proxy on a Unix socket that is not trusted lends its user to everybody behind it.
    private func warnAboutUnnamedProxies() {
        // No browser comes to a socket file by itself.
        if publicURL?.isLoopback == false, trustedProxies.uids.isEmpty,
            let door = listeners.first(where: { $0.isUnix && $0.configuration.serve.contains(.callbacks) })
        {
            log.warning(
                at: door.place,
                "callbacks on \(door.configuration.address), which browsers reach through a proxy only, although "
                    + "trusted_proxies names no user: the proxy's own would count for everybody who comes through it",
                "name it in trusted_proxies, such as uid:www-data; where only programs of this machine come, serve api alone"
            )
        }
    }

    /// Client certificates are asked for where the API is, and only TLS can ask.
    func warnAboutCertificates(_ guarded: [DecodedApp]) {
        let users = guarded.filter { $0.registration.beginFrom?.clientCertificates.isEmpty == false }
        guard let first = users.first else { return }
        let doors = listeners.filter { $0.configuration.serve.contains(.api) && !$0.configuration.tls.isEmpty }
        if doors.isEmpty {
            log.warning(
                at: first.place(first.beginFromMark),
                "client_certificates (\(Self.names(of: users))) that nobody can show: no listener of the API has tls",
                "serve api on a listener with tls; a proxy that ends TLS hides the certificate")
        }
        for door in doors where door.configuration.serve.contains(.callbacks) {
            log.warning(
                at: door.place,
                "\(door.configuration.address) serves browsers and asks for client certificates "
                    + "(\(Self.names(of: users))): browsers may ask people to choose one",
                "serve api on a listener of its own")
        }
    }
}

/// The names of the listeners' certificates. A browser takes a certificate only for the name that it looked for.
/// Certificates of a proxy in front are unknown here.
struct CertificateNames {
    /// The chains of the listeners for callbacks; empty where they are unknown.
    private let chains: [CertificateChain]
    /// The position of the first of those listeners.
    private let door: Place?
    private let log: DiagnosticLog
    /// The hosts that were looked at.
    private var seen: Set<String> = []

    init(_ listeners: [DecodedListener], _ trustedProxies: TrustedProxies, _ log: DiagnosticLog) {
        let doors = listeners.filter { $0.configuration.serve.contains(.callbacks) && !$0.chains.isEmpty }
        chains = trustedProxies.isEmpty ? doors.flatMap(\.chains) : []
        door = doors.first?.place
        self.log = log
    }

    mutating func check(_ publicURL: PublicURL) {
        guard let door, publicURL.isHTTPS else { return }
        check(publicURL.host, "public_url", at: door, "get one with that name, or correct public_url")
    }

    mutating func check(_ host: String, of uri: RedirectURI, at place: @autoclosure () -> Place) {
        check(host, uri.text, at: place(), "get one with that name, or correct the redirect URI")
    }

    private mutating func check(
        _ host: String, _ what: String, at place: @autoclosure () -> Place, _ remedy: String
    ) {
        guard !chains.isEmpty, seen.insert(host).inserted, !chains.contains(where: { $0.isFor(host: host) }) else {
            return
        }
        let names = chains.map(\.names).filter { !$0.isEmpty }.joined(separator: "; ")
        log.warning(
            at: place(),
            "no certificate for callbacks is for \(host), the host of \(what): browsers refuse it; there "
                + (names.isEmpty ? "are no names in it" : "is \(names)"), remedy)
    }
}

extension DecodedListener {
    var isUnix: Bool {
        if case .unix = configuration.address { true } else { false }
    }

    fileprivate func mayHave(port: Int) -> Bool {
        guard case .tcp(_, let own) = configuration.address else { return true }
        return own == 0 || Int(own) == port
    }
}
