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
}

extension DecodedListener {
    fileprivate func mayHave(port: Int) -> Bool {
        guard case .tcp(_, let own) = configuration.address else { return true }
        return own == 0 || Int(own) == port
    }
}
