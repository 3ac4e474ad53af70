internal import SwitchyardRouting

extension AppRules {
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

    /// Proxies that cannot be told from other programs of this machine, that no listener meets, or whose user is taken for
    /// a caller of its own.
    func warnAboutProxies() {
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
        for app in apps {
            guard let uid = app.registration.beginFrom?.uids.first(where: trustedProxies.contains(uid:)) else {
                continue
            }
            log.warning(
                at: app.place(app.beginFromMark),
                "begin_from lists user \(uid), who is a proxy of trusted_proxies and vouches for nobody",
                "list the users who call by themselves")
        }
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
