internal import SwitchyardRouting

extension AppRules {
    private struct Client: Hashable {
        let issuer: String
        let clientID: String
    }

    /// Apps that share issuer and client ID share their weakest policy: a code of one can be redeemed by all.
    func checkSharedClients() {
        // By identifier: two entries of one issuer are one issuer.
        let identifiers = Dictionary(issuers.map { ($0.name, $0.issuer) }) { first, _ in first }
        var first: [Client: DecodedApp] = [:]
        for app in apps where app.registration.handler == .pending {
            let name = app.registration.issuer
            let client = Client(issuer: identifiers[name] ?? name, clientID: app.registration.clientID)
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

    /// One warning for all of them: there may be thousands, and the reason is the same.
    func warnAboutRelease() {
        let open = apps.filter { $0.registration.handler == .pending && $0.registration.release == .none }
        guard let first = open.first else { return }
        log.warning(
            at: first.place(first.releaseMark), "\"release: none\" protects nobody: \(Self.names(of: open))",
            "keep it to tests: whoever sends somebody a sign-in link gets that person's tokens")
    }

    /// A few of the apps by name, and how many more there are.
    static func names(of apps: [DecodedApp]) -> String {
        let shown = 3
        let names = apps.prefix(shown).map { $0.registration.id.text }.joined(separator: ", ")
        return apps.count > shown ? "\(names) and \(apps.count - shown) more" : names
    }
}
