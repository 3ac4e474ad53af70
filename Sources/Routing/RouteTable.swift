public import SwitchyardOAuth

/// Every redirect URI of every app, and the one app that each belongs to. Never changes; safe from any thread.
public struct RouteTable: Sendable {
    /// In the order they were given.
    public let apps: [AppRegistration]
    private let routes: [Route]
    private let forms: FormIndex
    private let appsByID: [String: Int]

    /// Builds the table, or tells everything that two apps, or one app twice, would claim.
    public init(_ apps: [AppRegistration]) throws(RouteConflicts) {
        var routes: [Route] = []
        var forms = FormIndex(capacity: apps.reduce(0) { $0 + $1.redirectURIs.count })
        var appsByID: [String: Int] = Dictionary(minimumCapacity: apps.count)
        var conflicts: [RouteConflict] = []
        for (index, app) in apps.enumerated() {
            if appsByID.updateValue(index, forKey: app.id.text) != nil { conflicts.append(.duplicateApp(app.id)) }
            for uri in app.redirectURIs {
                if let other = forms.insert(uri, route: routes.count) {
                    conflicts.append(Self.conflict(routes[other], Route(app: app, redirectURI: uri)))
                } else {
                    routes.append(Route(app: app, redirectURI: uri))
                }
            }
        }
        guard conflicts.isEmpty else { throw RouteConflicts(conflicts: conflicts) }
        self.apps = apps
        self.routes = routes
        self.forms = forms
        self.appsByID = appsByID
    }

    /// The route of a request, by its host in any case and its path as it came, without the query. Allocates nothing.
    public func route(https host: Span<UInt8>, port: Int, path: Span<UInt8>) -> Route? {
        forms.route(https: host, port: port, path: path).map { routes[$0] }
    }

    public func route(https host: [UInt8], port: Int, path: [UInt8]) -> Route? {
        route(https: host.span, port: port, path: path.span)
    }

    /// The route of a relayed callback.
    public func route(_ form: RedirectURI.Form) -> Route? {
        forms.route(form).map { routes[$0] }
    }

    public func app(_ id: String) -> AppRegistration? {
        appsByID[id].map { apps[$0] }
    }

    private static func conflict(_ first: Route, _ second: Route) -> RouteConflict {
        first.app.id == second.app.id
            ? .repeatedRedirectURI(first: first.redirectURI, second: second.redirectURI, app: first.app.id)
            : .sharedRedirectURI(
                first: first.redirectURI, firstApp: first.app.id, second: second.redirectURI,
                secondApp: second.app.id)
    }
}
