internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardRouting

extension Rules {
    /// An app belongs to exactly one issuer, and lists its tenants exactly when that issuer stands for many.
    func check(_ issuer: IssuerConfiguration, of app: DecodedApp) {
        checkTenants(of: app, issuer)
        checkSignatures(of: app, issuer)
        checkDeviations(of: issuer, for: app)
        checkUserInfo(of: app, issuer)
    }

    /// The userinfo endpoint is the issuer's, and its claims belong to the person in an ID token.
    private func checkUserInfo(of app: DecodedApp, _ issuer: IssuerConfiguration) {
        guard app.registration.tokenHandling.fetchesUserInfo else { return }
        let place = app.place(app.userInfoMark)
        if issuer.profile.deviations.hasNoIDTokens {
            log.error(
                at: place, "userinfo, although the issuer \"\(issuer.name)\" has id_token: none",
                "leave userinfo out: without an ID token nothing says whose the claims are")
        }
        if case .configured(let metadata) = issuer.source, metadata.userInfoEndpoint == nil {
            log.error(
                at: place, "userinfo, although the issuer \"\(issuer.name)\" has no userinfo_endpoint",
                "give the issuer its userinfo_endpoint")
        }
    }

    /// Whether the protection that is left makes sense for the app.
    private func checkDeviations(of issuer: IssuerConfiguration, for app: DecodedApp) {
        let deviations = issuer.profile.deviations
        guard app.registration.handlers.completesRequests else { return }
        let authentication = app.registration.clientAuthentication
        if deviations.omitsPKCE, authentication == .none {
            log.error(
                at: app.place,
                "no client authentication, although the issuer \"\(issuer.name)\" has pkce: off: whoever sees a code could "
                    + "redeem it",
                "give the app its client_secret, or take pkce: off out of the issuer's deviations")
        }
        if deviations.allowsSecretSignedIDTokens {
            checkSigningSecret(authentication.secret, of: app, issuer)
        }
        if deviations.hasNoIDTokens, isForAgent, issuer.profile.account == nil {
            log.warning(
                at: app.place,
                "the agent keeps no tokens of the app, because nothing says who signed in: the issuer \"\(issuer.name)\" has "
                    + "id_token: none and no account",
                "write account: with the url, id and name of the provider's own API")
        }
    }

    private func checkSigningSecret(_ secret: Secret?, of app: DecodedApp, _ issuer: IssuerConfiguration) {
        let minimum = IDTokenAlgorithm.minimumSecretLength
        let deviation = "although the issuer \"\(issuer.name)\" signs its ID tokens with it (HS256)"
        let remedy = "have the provider make a secret of \(minimum) bytes or more, or sign with RS256 or ES256"
        switch secret?.exposedBytes.count {
        case nil: log.error(at: app.place, "no client secret, \(deviation)", "write client_secret_file, or \(remedy)")
        case let count? where count < minimum:
            log.error(at: app.place, "a client secret of \(count) bytes, \(deviation)", remedy)
        default: break
        }
    }

    /// `openid` asks for ID tokens, so an issuer without them has at least one app that does not ask.
    func checkScopes(at issuer: IssuerConfiguration, of apps: [DecodedApp]) {
        guard issuer.profile.deviations.hasNoIDTokens else { return }
        let asking = apps.filter { $0.registration.defaultScope.contains("openid") }
        let message = "default_scope has openid, although the issuer \"\(issuer.name)\" has id_token: none"
        for app in asking {
            let place = app.place(app.defaultScopeMark)
            if asking.count == apps.count {
                log.error(at: place, message, "leave openid out, or take id_token: none out of the issuer's deviations")
            } else {
                log.warning(at: place, message, "leave openid out")
            }
        }
    }

    /// An issuer's signatures are believed by its keys and, for configured endpoints, by the address of the keys.
    private func checkSignatures(of app: DecodedApp, _ issuer: IssuerConfiguration) {
        guard case .configured(let metadata) = issuer.source, metadata.jwksURI == nil else { return }
        let deviations = issuer.profile.deviations
        let hasKeySignedTokens = deviations.allowsKeySignedIDTokens && !deviations.hasNoIDTokens
        let remedy = "give the issuer \"\(issuer.name)\" its jwks_uri"
        let mode = app.registration.responseMode
        if mode.isSigned {
            log.error(
                at: app.place(app.responseModeMark),
                "response_mode \(mode.rawValue), although the issuer has no keys to verify it with", remedy)
        } else if hasKeySignedTokens, app.registration.defaultScope.contains("openid") {
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
