internal import SwitchyardRouting

extension AppRules {
    /// Client certificates are asked for where the API is, and only TLS can ask.
    func warnAboutCertificates() {
        let users = apps.filter { $0.registration.beginFrom?.clientCertificates.isEmpty == false }
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
