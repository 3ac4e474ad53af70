internal import SwitchyardOAuth
internal import SwitchyardRouting

extension Rules {
    /// An app belongs to exactly one issuer, and lists its tenants exactly when that issuer stands for many.
    func check(_ issuer: IssuerConfiguration, of app: DecodedApp) {
        checkTenants(of: app, issuer)
        checkSignatures(of: app, issuer)
    }

    /// An issuer's signatures are believed by its keys and, for configured endpoints, by the address of the keys.
    private func checkSignatures(of app: DecodedApp, _ issuer: IssuerConfiguration) {
        guard case .configured(let metadata) = issuer.source, metadata.jwksURI == nil else { return }
        let remedy = "give the issuer \"\(issuer.name)\" its jwks_uri"
        let mode = app.registration.responseMode
        if mode.isSigned {
            log.error(
                at: app.place(app.responseModeMark),
                "response_mode \(mode.rawValue), although the issuer has no keys to verify it with", remedy)
        } else if app.registration.defaultScope.contains("openid") {
            log.warning(
                at: app.place, "default_scope has openid, although the issuer has no keys to verify ID tokens with",
                remedy)
        }
    }

    private func checkTenants(of app: DecodedApp, _ issuer: IssuerConfiguration) {
        let tenants = app.registration.tenants
        if issuer.isTemplate, tenants.isEmpty {
            log.error(
                at: app.place(app.tenantsMark), "no tenants, although the issuer \"\(issuer.name)\" stands for many",
                "write tenants: with the ids (GUIDs) whose people may sign in")
        } else if !issuer.isTemplate, !tenants.isEmpty {
            log.error(
                at: app.place(app.tenantsMark), "tenants, although the issuer \"\(issuer.name)\" stands for one only",
                "leave them out, or use an issuer that is a template")
        }
    }
}
