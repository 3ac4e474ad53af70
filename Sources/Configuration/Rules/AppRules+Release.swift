internal import Routing

extension AppRules {
    private struct Client: Hashable {
        let issuer: String
        let clientID: String
    }

    /// Apps that share issuer and client ID share their weakest policy: a code of one can be redeemed by all.
    func checkSharedClients() {
        var first: [Client: DecodedApp] = [:]
        for app in apps where app.registration.handler == .pending {
            let client = Client(issuer: app.registration.issuer, clientID: app.registration.clientID)
            guard let other = first[client] else {
                first[client] = app
                continue
            }
            if other.registration.release != app.registration.release {
                log.error(
                    at: app.place(app.releaseMark),
                    "release \(app.registration.release.rawValue) beside \(other.registration.release.rawValue) of "
                        + "\"\(other.registration.id)\" (\(other.place(other.releaseMark).description)), "
                        + "which has the same issuer and client ID",
                    "give both the stronger one; the weaker would hold for both")
            }
        }
    }

    func warnAboutRelease() {
        for app in apps where app.registration.handler == .pending && app.registration.release == .none {
            log.warning(
                at: app.place(app.releaseMark), "\"release: none\" protects nobody",
                "keep it to tests: whoever sends somebody a sign-in link gets that person's tokens")
        }
    }
}
