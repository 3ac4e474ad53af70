internal import SwitchyardJOSE
internal import SwitchyardOAuth
internal import SwitchyardRouting

extension Rules {
    /// Looks at keys whose assertions name an issuer's token endpoint (`assertion_audience`).
    ///
    /// Such an assertion does not say which issuer it is for. Another issuer that claims the same token endpoint would be sent one,
    /// and could use it at the first. So the key may sign for no other issuer.
    /// - Parameter signing: the apps with signing keys.
    func checkKeys(_ signing: [DecodedApp]) {
        let known = Dictionary(issuers.map { ($0.name, $0) }) { first, _ in first }
        func isForEndpoint(_ app: DecodedApp) -> Bool {
            guard case .privateKeyJWT = app.registration.clientAuthentication else { return false }
            return known[app.registration.issuer]?.profile.deviations.addressesTokenEndpoint ?? false
        }
        for app in signing where isForEndpoint(app) {
            for key in app.registration.keys.signing {
                if !key.hasCertificate {
                    log.warning(
                        at: app.place(app.signingKeysMark),
                        "the key \"\(key.id)\" has no certificate_file, by which an issuer with assertion_audience: "
                            + "token_endpoint finds it; it is named by its id",
                        "name the certificate that is registered there, if the issuer is Entra")
                }
                for other in signing where other.registration.issuer != app.registration.issuer {
                    guard other.registration.keys.signing.contains(where: { $0.isSameKey(as: key) }) else { continue }
                    log.error(
                        at: other.place(other.signingKeysMark),
                        "the key \"\(key.id)\" of \"\(app.registration.id)\" (\(app.place(app.signingKeysMark).description)) at an "
                            + "app of another issuer, although the issuer \"\(app.registration.issuer)\" has assertion_audience: "
                            + "token_endpoint, so assertions of one issuer would count at the other",
                        "make a key for this app: switchyard keys new --kind signing --file FILE", against: app.file)
                }
            }
        }
    }
}
