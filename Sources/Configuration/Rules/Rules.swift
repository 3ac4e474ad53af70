internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The rules that need more than one section: the relations between apps, issuers and the public URL.
///
/// The rules are in the other files of this folder, by their subjects.
struct Rules {
    let apps: [DecodedApp]
    let issuers: [IssuerConfiguration]
    /// nil when it is wrong, which has been reported.
    let publicURL: PublicURL?
    var listeners: [DecodedListener] = []
    /// The position of `trusted_proxies`.
    var proxiesPlace: Place?
    var trustedProxies = TrustedProxies()
    /// The networks in which `same_network` may pass, beside loopback.
    var networks: [Network] = []
    /// Whether it is the configuration of a desktop's agent.
    var isForAgent = false
    let log: DiagnosticLog

    /// Reports every breach, and gives the route table when no two apps claim the same.
    func check() -> RouteTable? {
        let groups = checkApps()
        checkSameNetwork(groups.sameNetwork)
        checkKeys(groups.signing)
        checkGateways(groups.carried)
        warnAboutDoors()
        warnAboutProxies(groups.guarded)
        // At an agent, the port for resources takes callbacks from its own user's programs only.
        warnAboutRelease(groups.unprotected.filter { !isForAgent || $0.registration.resource == nil })
        warnAboutCertificates(groups.guarded)
        checkRedirectURIs()
        guard let routes = checkOwnership() else { return nil }
        checkRedirectLoops(groups.redirecting, routes)
        checkReturnURIs(groups.returning, routes)
        return routes
    }

    /// Looks at each app, and finds those that other rules are for. All of that in one walk: there may be 100,000 apps,
    /// and to fetch each from memory takes longer than to look at it.
    private func checkApps() -> AppGroups {
        let known = Dictionary(issuers.map { ($0.name, $0) }) { first, _ in first }
        var clients = SharedClients(issuers, isForAgent: isForAgent)
        var groups = AppGroups()
        for app in apps {
            // An issuer that is not known was reported where the app was read.
            if let issuer = known[app.registration.issuer] { check(issuer, of: app) }
            clients.check(app, log)
            if isForAgent, app.registration.takesAnyIssuer {
                log.error(
                    at: app.place(app.issuerMark), "issuer any in an agent's file",
                    "register the tool at the gateway that stands at its redirect URI")
            }
            groups.add(app)
        }
        for issuer in issuers where issuer.profile.deviations.hasNoIDTokens {
            checkScopes(at: issuer, of: apps.filter { $0.registration.issuer == issuer.name })
        }
        return groups
    }

    /// Looks at each redirect URI of each app, in one walk for the same reason.
    private func checkRedirectURIs() {
        var names = CertificateNames(listeners, trustedProxies, log)
        if let publicURL { names.check(publicURL) }
        for app in apps {
            for (number, uri) in app.registration.redirectURIs.enumerated() {
                switch uri.form {
                case .https(let host, let port, _):
                    names.check(host, of: uri, at: app.place(app.redirectMarks[number]))
                    warnAboutForeignHost(host, port, of: uri, at: app.place(app.redirectMarks[number]))
                case .loopback(let host, let path):
                    checkReservedPath(host, path, of: uri, at: app.place(app.redirectMarks[number]))
                    warnAboutForeignPort(host, of: uri, at: app.place(app.redirectMarks[number]))
                case .customScheme: warnAboutMSALForm(of: uri, of: app, at: app.place(app.redirectMarks[number]))
                }
            }
        }
    }
}

/// The apps that have something which most have not, in their order.
private struct AppGroups {
    /// The apps with `release: same_network`.
    private(set) var sameNetwork: [DecodedApp] = []
    /// Every caller gets their tokens, without a release.
    private(set) var unprotected: [DecodedApp] = []
    /// Only some callers may begin for them.
    private(set) var guarded: [DecodedApp] = []
    /// Another gateway brings their callbacks.
    private(set) var carried: [DecodedApp] = []
    /// They send browsers on to an address of their own.
    private(set) var redirecting: [DecodedApp] = []
    /// They send browsers back to the device.
    private(set) var returning: [DecodedApp] = []
    /// They have keys that sign.
    private(set) var signing: [DecodedApp] = []

    mutating func add(_ app: DecodedApp) {
        let registration = app.registration
        if registration.handlers.completesRequests {
            switch registration.release {
            case .none: unprotected.append(app)
            case .sameNetwork: sameNetwork.append(app)
            case .code, .sameDevice: break
            }
        }
        if registration.beginFrom != nil { guarded.append(app) }
        if registration.gateway != nil { carried.append(app) }
        if registration.handlers.target != nil { redirecting.append(app) }
        if registration.returnURI != nil { returning.append(app) }
        if !registration.keys.signing.isEmpty { signing.append(app) }
    }
}
