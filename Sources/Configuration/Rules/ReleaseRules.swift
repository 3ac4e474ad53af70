internal import SwitchyardRouting

extension Rules {
    /// One warning for all of them: there may be thousands, and the reason is the same.
    func warnAboutRelease(_ open: [DecodedApp]) {
        guard let first = open.first else { return }
        log.warning(
            at: first.place(first.releaseMark), "\"release: none\" protects nobody: \(Self.names(of: open))",
            "keep it to tests: whoever sends somebody a sign-in link gets that person's tokens")
    }

    /// The apps of each file, because each faulty file is reported by itself.
    static func byFile(_ apps: [DecodedApp]) -> [[DecodedApp]] {
        Array(Dictionary(grouping: apps) { $0.file.rank }.values)
    }

    /// A few of the apps by name, and how many more there are.
    static func names(of apps: [DecodedApp]) -> String {
        let shown = 3
        let names = apps.prefix(shown).map { $0.registration.id.text }.joined(separator: ", ")
        return apps.count > shown ? "\(names) and \(apps.count - shown) more" : names
    }
}

extension Rules {
    /// `same_network` compares addresses, so it is worth something only where they tell people apart.
    func checkSameNetwork(_ users: [DecodedApp]) {
        guard let publicURL, !publicURL.isLoopback, let first = users.first else { return }
        let place = first.place(first.releaseMark)
        if let listener = listeners.first(where: { $0.hidesPeers(from: trustedProxies) }) {
            for users in Self.byFile(users) {
                log.error(
                    at: users[0].place(users[0].releaseMark),
                    "release same_network (\(Self.names(of: users))), although everybody who comes through "
                        + "\(listener.configuration.address) (\(listener.place.description)) has the same address",
                    "name the proxy in front of it in trusted_proxies\(listener.isUnix ? ", as uid:USER" : ""), or choose "
                        + "release code")
            }
            return
        }
        if trustedProxies.uids.isEmpty, let listener = listeners.first(where: \.mayMeetProxies) {
            log.warning(
                at: place,
                "release same_network (\(Self.names(of: users))), although trusted_proxies names no user, and "
                    + "\(listener.configuration.address) (\(listener.place.description)) knows peers only by theirs",
                "if a proxy comes by that socket, name it as uid:USER")
        }
        if networks.isEmpty {
            log.warning(
                at: place,
                "release same_network (\(Self.names(of: users))) passes on loopback only, where nobody is who comes "
                    + "through \(publicURL)",
                "list the networks of those people in networks; until then everybody is asked for a code")
        }
    }
}

extension DecodedListener {
    fileprivate var mayMeetProxies: Bool {
        isUnix && !configuration.serve.isDisjoint(with: [.callbacks, .api])
    }

    /// Whether peers of this listener are a proxy or a tunnel that hides the client's address. Under a public address,
    /// a local listener has such peers. A trusted proxy tells the client's address. A Unix socket may also be without a
    /// proxy, if the other clients come by TCP.
    fileprivate func hidesPeers(from trustedProxies: TrustedProxies) -> Bool {
        guard configuration.address.isLocal, !configuration.serve.isDisjoint(with: [.callbacks, .api]) else {
            return false
        }
        guard case .tcp(let address, _) = configuration.address else { return trustedProxies.isEmpty }
        return !trustedProxies.contains(address)
    }
}
