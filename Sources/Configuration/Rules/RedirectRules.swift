internal import SwitchyardOAuth
internal import SwitchyardRouting

extension Rules {
    /// A redirect URI belongs to exactly one app. The route table finds the conflicts; here they get their places.
    func checkOwnership() -> RouteTable? {
        do {
            return try RouteTable(apps.map(\.registration))
        } catch {
            let byID = Dictionary(grouping: apps) { $0.registration.id }
            var told: Set<RouteConflict> = []
            for conflict in error.conflicts where told.insert(conflict).inserted { report(conflict, byID) }
            return nil
        }
    }

    private func report(_ conflict: RouteConflict, _ byID: [AppID: [DecodedApp]]) {
        switch conflict {
        case .duplicateApp(let id):
            guard let first = byID[id]?.first else { return }
            for other in byID[id]?.dropFirst() ?? [] {
                log.error(
                    at: other.place, conflict.description,
                    "give each its own id; the first is at \(first.place.description)", against: first.file)
            }
        case .sharedRedirectURI(let first, let firstApp, let second, let secondApp):
            report(
                conflict, first: places(of: first, byID[firstApp]).first,
                second: places(of: second, byID[secondApp]).last, "give each app its own; the other is at")
        case .repeatedRedirectURI(let first, let second, let app):
            report(
                conflict, first: places(of: first, byID[app]).first, second: places(of: second, byID[app]).last,
                "keep one; the other is at")
        }
    }

    private func report(_ conflict: RouteConflict, first: Place?, second: Place?, _ remedy: String) {
        guard let first, let second else { return }
        log.error(at: second, conflict.description, "\(remedy) \(first.description)", against: first.file)
    }

    private func places(of uri: RedirectURI, _ apps: [DecodedApp]?) -> [Place] {
        (apps ?? []).flatMap { app in
            zip(app.registration.redirectURIs, app.redirectMarks).filter { $0.0 == uri }.map { app.place($0.1) }
        }
    }

    /// A target that is an https redirect URI itself would send the browser in a circle.
    func checkRedirectLoops(_ redirecting: [DecodedApp], _ routes: RouteTable) {
        for app in redirecting {
            guard let target = app.registration.handlers.target, case .https(let host, let port, let path) = target.form
            else { continue }
            if let publicURL, host == publicURL.host, port == publicURL.port,
                RedirectURI.reservedPaths.contains(where: path.hasPrefix)
            {
                log.error(
                    at: app.place(app.handlerMark), "the target \"\(target)\" has a path of this gateway itself",
                    "send the browser to an address outside this gateway")
            }
            guard let owner = routes.route(target.form) else { continue }
            report(
                "the target \"\(target)\" of \"\(app.registration.id)\" is a redirect URI of \"\(owner.app.id)\" itself",
                at: app.place(app.handlerMark), "send the browser to an address outside this gateway", owner)
        }
    }

    /// Reports an address of one app that is a redirect URI of another, in the file that comes later.
    private func report(_ conflict: String, at place: Place, _ remedy: String, _ owner: Route) {
        guard let other = apps.first(where: { $0.registration.id == owner.app.id }), other.file.rank > place.file.rank
        else { return log.error(at: place, conflict, remedy) }
        log.error(
            at: places(of: owner.redirectURI, [other]).first ?? other.place, conflict,
            "register another redirect URI; the address is at \(place.description)", against: place.file)
    }

    /// A ticket that goes where callbacks go would be taken for one.
    func checkReturnURIs(_ returning: [DecodedApp], _ routes: RouteTable) {
        for app in returning {
            guard let uri = app.registration.returnURI, let owner = routes.route(uri.form) else { continue }
            report(
                "the return_uri \"\(uri)\" of \"\(app.registration.id)\" is a redirect URI of \"\(owner.app.id)\"",
                at: app.place(app.returnMark),
                "give it a path of its own; a port does not tell loopback addresses apart", owner)
        }
    }

    /// Several hosts and ports may be served, but more often this is a slip.
    func warnAboutForeignHost(_ host: String, _ port: Int, of uri: RedirectURI, at place: @autoclosure () -> Place) {
        guard let publicURL else { return }
        if host != publicURL.host {
            log.warning(
                at: place(), "the redirect URI \"\(uri)\" is not below public_url (\(publicURL))",
                "make sure that browsers reach this gateway at that host and port too")
        } else if port != publicURL.port {
            log.warning(
                at: place(),
                "the redirect URI \"\(uri)\" has port \(port), although public_url has \(publicURL.port)",
                "write the same port, or make sure that browsers reach this gateway at both")
        }
    }

    /// An app that listens on loopback by itself has all paths there; at the gateway's own address some are the gateway's, as they
    /// are for https.
    func checkReservedPath(_ host: String, _ path: String, of uri: RedirectURI, at place: @autoclosure () -> Place) {
        guard let publicURL, host == publicURL.host, !publicURL.isHTTPS,
            Int(uri.loopbackPort ?? 80) == publicURL.port, RedirectURI.reservedPaths.contains(where: path.hasPrefix)
        else { return }
        let flaw = RedirectURIError(.reservedPath, text: uri.text)
        log.error(at: place(), "the \(flaw)", flaw.remedy)
    }

    /// A loopback address that the gateway itself seems to be meant by.
    func warnAboutForeignPort(_ host: String, of uri: RedirectURI, at place: @autoclosure () -> Place) {
        guard let publicURL, host == publicURL.host, !publicURL.isHTTPS, let port = uri.loopbackPort,
            Int(port) != publicURL.port
        else { return }
        log.warning(
            at: place(), "the redirect URI \"\(uri)\" has port \(port), although public_url has \(publicURL.port)",
            "write the same port if this gateway shall answer there; otherwise the app has to listen there and "
                + "relay what comes")
    }

    /// Warns about a redirect URI in MSAL's form with another app's bundle ID. Brokers would refuse it, and another app
    /// of the suite may be meant. Other custom schemes are free.
    func warnAboutMSALForm(of uri: RedirectURI, of app: DecodedApp, at place: @autoclosure () -> Place) {
        let id = app.registration.id.text
        let form = MSALForm(of: uri.text, bundleID: id)
        switch form {
        case .bundleIDMismatched, .trailingText, .authHostMissing:
            log.warning(
                at: place(), "the redirect URI \"\(uri)\" \(form.message ?? "")",
                "for this app MSAL's form is \(RedirectURI.defaultURI(bundleID: id))")
        case .matched, .empty, .httpNotSupported, .schemeMissing, .outOfBandNotSupported, .hostMissing, .unknown: break
        }
    }
}
