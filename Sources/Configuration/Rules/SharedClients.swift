internal import SwitchyardOAuth
internal import SwitchyardRouting

/// Apps that share issuer and client ID share their weakest policy: a code of one can be redeemed by all.
struct SharedClients {
    private struct Client: Hashable {
        let issuer: Place
        let clientID: String
    }

    /// An issuer, or several issuers that share one set of people.
    private enum Place: Hashable {
        case issuer(String)
        /// Its tenants, `common` and `organizations` are issuers of one set of people, with one cache of tokens.
        case entra(EntraHosts)

        init(_ issuer: String) { self = EntraHosts.cloud(of: issuer).map(Place.entra) ?? .issuer(issuer) }
    }

    /// At an agent one file must not keep another file's app from signing in. All its apps are begun by its one user.
    private let isForAgent: Bool
    /// By identifier: two entries of one issuer are one issuer.
    private let identifiers: [String: String]
    /// The first app of each client.
    private var first: [Client: DecodedApp] = [:]

    init(_ issuers: [IssuerConfiguration], isForAgent: Bool = false) {
        self.isForAgent = isForAgent
        identifiers = Dictionary(issuers.map { ($0.name, $0.issuer) }) { first, _ in first }
    }

    /// Reports where an app differs from the first of its client.
    mutating func check(_ app: DecodedApp, _ log: DiagnosticLog) {
        guard app.registration.handlers.completesRequests, app.registration.resource == nil,
            !app.registration.takesAnyIssuer
        else { return }
        let issuer = identifier(of: app)
        let client = Client(issuer: Place(issuer), clientID: app.registration.clientID)
        guard let other = first[client] else {
            first[client] = app
            return
        }
        let common = identifier(of: other) == issuer ? "issuer and client ID" : "client ID in the same cloud of Entra"
        if other.registration.release != app.registration.release {
            let message =
                "release \(app.registration.release.rawValue) beside \(other.registration.release.rawValue) of "
                + "\"\(other.registration.id)\" (\(other.place(other.releaseMark).description)), "
                + "which has the same \(common)"
            let remedy = "give both the stronger one; the weaker would hold for both"
            if isForAgent {
                log.warning(at: app.place(app.releaseMark), message, remedy)
            } else {
                log.error(at: app.place(app.releaseMark), message, remedy, against: other.file)
            }
        }
        if other.registration.useFrom != app.registration.useFrom {
            // No error: the file with the other list must not be left out. The agent applies both lists at use.
            log.warning(
                at: app.place(app.useFromMark),
                "use_from unlike that of \"\(other.registration.id)\" (\(other.place(other.useFromMark).description)), "
                    + "which has the same \(common), and so the same tokens",
                "give both the same list; until then a program must be in each list of the two apps")
        }
    }
}

extension SharedClients {
    private func identifier(of app: DecodedApp) -> String {
        identifiers[app.registration.issuer] ?? app.registration.issuer
    }
}
