public import SwitchyardOAuth

/// Every redirect URI of every app, and the one app that each belongs to. Never changes; safe from any thread.
public struct RouteTable: Sendable {
    /// In the order they were given.
    public let apps: [AppRegistration]
    private let routes: [Position]
    private let forms: FormIndex
    private let appsByID: [AppID: Int]
    /// The positions of resources among the apps.
    private let resources: [Int]
    /// At an agent, the registration of every https resource that no entry names; nil where these are not allowed.
    public private(set) var others: AppRegistration?

    /// The position of an app in ``apps``, and of one of its redirect URIs among them.
    fileprivate struct Position {
        let app: UInt32
        let redirectURI: UInt32
    }

    /// Builds the table, or tells everything that two apps, or one app twice, would claim.
    public init(_ apps: [AppRegistration]) throws(RouteConflictsError) {
        var routes: [Position] = []
        var forms = FormIndex(capacity: apps.reduce(0) { $0 + $1.redirectURIs.count })
        var appsByID: [AppID: Int] = Dictionary(minimumCapacity: apps.count)
        var conflicts: [RouteConflict] = []
        for (index, app) in apps.enumerated() {
            if appsByID.updateValue(index, forKey: app.id) != nil { conflicts.append(.duplicateApp(app.id)) }
            for number in app.redirectURIs.indices {
                let position = Position(app: UInt32(index), redirectURI: UInt32(number))
                if let other = forms.insert(app.redirectURIs[number], route: routes.count) {
                    conflicts.append(Self.conflict(Route(apps, routes[other]), Route(apps, position)))
                } else {
                    routes.append(position)
                }
            }
        }
        conflicts += Self.coverings(routes, apps, forms)
        guard conflicts.isEmpty else { throw RouteConflictsError(conflicts: conflicts) }
        self.apps = apps
        resources = apps.indices.filter { apps[$0].resource != nil }
        self.routes = routes
        self.forms = forms
        self.appsByID = appsByID
    }

    /// Exact redirect URIs that another app's pattern covers, as a request of that app could name them; and those that resources
    /// of an entry may have.
    private static func coverings(
        _ routes: [Position], _ apps: [AppRegistration], _ forms: FormIndex
    ) -> [RouteConflict] {
        let hasPatterns = apps.contains { $0.redirectURIs.contains(where: \.isPattern) }
        guard hasPatterns || apps.contains(where: { $0.resource != nil }) else { return [] }
        return routes.compactMap { position in
            let route = Route(apps, position)
            guard !route.redirectURI.isPattern else { return nil }
            let form = route.redirectURI.form
            let other =
                forms.pattern(covering: form).map { Route(apps, routes[$0]) } ?? entry(of: form, routes, apps, forms)
            return other.flatMap { $0.app.id == route.app.id ? nil : conflict($0, route) }
        }
    }

    /// The route of the entry that has a redirect URI for a resource below it.
    private static func entry(
        of form: RedirectURI.Form, _ routes: [Position], _ apps: [AppRegistration], _ forms: FormIndex
    ) -> Route? {
        let path: String
        let found: Int?
        switch form {
        case .https(let host, let port, let text):
            path = text
            guard let end = ResourceSegment.endOfEntry(path.utf8.span) else { return nil }
            found = forms.route(https: host.utf8.span, port: port, path: path.utf8.span.extracting(0..<end))
        case .loopback(let host, let text):
            path = text
            guard let end = ResourceSegment.endOfEntry(path.utf8.span) else { return nil }
            found = forms.route(loopback: host.utf8.span, path: path.utf8.span.extracting(0..<end))
        case .customScheme: return nil
        }
        return found.flatMap { Route(apps, routes[$0]).ofResource(path.utf8.span) }
    }

    /// The route of a request, by its host in any case and its path as it came, without the query. Does not allocate.
    public func route(https host: Span<UInt8>, port: Int, path: Span<UInt8>) -> Route? {
        if let found = forms.route(https: host, port: port, path: path) { return Route(apps, routes[found]).at(path) }
        guard !resources.isEmpty, let end = ResourceSegment.endOfEntry(path),
            let found = forms.route(https: host, port: port, path: path.extracting(0..<end))
        else { return nil }
        return Route(apps, routes[found]).ofResource(path)
    }

    /// As with spans.
    public func route(https host: [UInt8], port: Int, path: [UInt8]) -> Route? {
        route(https: host.span, port: port, path: path.span)
    }

    /// The route of a request to a plain-http redirect URI on loopback, with the port in it (80 without one).
    ///
    /// Relays ignore the port, because an app listens on a port of its choice (RFC 8252 section 7.3). Here the gateway
    /// itself listens, at the registered address only.
    public func route(loopback host: Span<UInt8>, port: Int, path: Span<UInt8>) -> Route? {
        guard let route = self.route(loopback: host, path: path),
            Int(route.redirectURI.loopbackPort ?? 80) == port
        else { return nil }
        return route
    }

    private func route(loopback host: Span<UInt8>, path: Span<UInt8>) -> Route? {
        if let found = forms.route(loopback: host, path: path) { return Route(apps, routes[found]).at(path) }
        guard !resources.isEmpty, let end = ResourceSegment.endOfEntry(path),
            let found = forms.route(loopback: host, path: path.extracting(0..<end))
        else { return nil }
        return Route(apps, routes[found]).ofResource(path)
    }

    /// As with spans.
    public func route(loopback host: [UInt8], port: Int, path: [UInt8]) -> Route? {
        route(loopback: host.span, port: port, path: path.span)
    }

    /// The route of a relayed callback.
    public func route(_ form: RedirectURI.Form) -> Route? {
        guard let route = forms.route(form).map({ Route(apps, routes[$0]) }) else {
            let entry = resources.isEmpty ? nil : Self.entry(of: form, routes, apps, forms)
            return entry ?? others.flatMap { Route(others: $0, at: form, appNumber: apps.count) }
        }
        guard route.redirectURI.isPattern else { return route }
        return switch form {
        case .https(_, _, let path), .loopback(_, let path): route.at(path.utf8.span)
        case .customScheme: nil
        }
    }

    /// The same table with a registration for the resources that no entry names.
    public func allowing(others: AppRegistration?) -> RouteTable {
        var table = self
        table.others = others
        return table
    }

    /// nil for an id that no app has.
    public func app(_ id: AppID) -> AppRegistration? {
        number(ofApp: id).map { apps[$0] } ?? (others?.id == id ? others : nil)
    }

    /// The entry that allows a resource: of several, the most specific one.
    public func app(of resource: ResourceURL) -> AppRegistration? {
        var best: AppRegistration?
        var longest = -1
        for number in resources {
            guard let url = apps[number].resource?.url, url.covers(resource) else { continue }
            if url.path.utf8.count > longest {
                best = apps[number]
                longest = url.path.utf8.count
            }
        }
        return best ?? (resource.url.isSecure ? others : nil)
    }

    /// The `use_from` lists of all entries that tokens for `resource` may serve.
    public func lists(of resource: ResourceURL) -> [UseFrom] {
        resources.compactMap { apps[$0].resource?.isRelated(to: resource) == true ? apps[$0].useFrom : nil }
    }

    /// nil for a text that is no id, or no app's.
    public func app(named text: String) -> AppRegistration? { AppID(text).flatMap { app($0) } }

    /// Its position in ``apps``; nil for an id that no app has.
    public func number(ofApp id: AppID) -> Int? { appsByID[id] }

    private static func conflict(_ first: Route, _ second: Route) -> RouteConflict {
        first.app.id == second.app.id
            ? .repeatedRedirectURI(first: first.redirectURI, second: second.redirectURI, app: first.app.id)
            : .sharedRedirectURI(
                first: first.redirectURI, firstApp: first.app.id, second: second.redirectURI,
                secondApp: second.app.id)
    }
}

/// The app that a callback belongs to, and the redirect URI that was called. Never changes; safe from any thread.
///
/// Handing it out counts one reference, that of the app.
public struct Route: Sendable {
    public let app: AppRegistration
    /// The app's position in ``RouteTable/apps``.
    public let appNumber: Int
    private let uriNumber: Int
    /// The redirect URI that was called, where that is not the registered text: below a pattern, and at a loopback port that
    /// this process has opened.
    private var called: RedirectURI?
    /// The loopback port of this process at which the callback came; nil for any other callback.
    public private(set) var calledPort: UInt16?

    /// The same route for one sign-in of its app.
    public func of(_ signIn: AppRegistration) -> Route {
        var route = Route(app: signIn, appNumber: appNumber, uriNumber: uriNumber, called: called)
        route.calledPort = calledPort
        return route
    }

    /// The same route, called at a loopback port that this process has opened.
    public func called(at uri: RedirectURI) -> Route {
        var route = self
        route.called = uri
        route.calledPort = uri.loopbackPort
        return route
    }

    private init(app: AppRegistration, appNumber: Int, uriNumber: Int, called: RedirectURI?) {
        self.app = app
        self.appNumber = appNumber
        self.uriNumber = uriNumber
        self.called = called
    }

    /// The route of the resources that no entry names: their base, or the redirect URI of one of them below it.
    fileprivate init?(others: AppRegistration, at form: RedirectURI.Form, appNumber: Int) {
        if others.redirectURIs.first?.form == form {
            self.init(app: others, appNumber: appNumber, uriNumber: 0, called: nil)
            return
        }
        guard case .loopback(_, let path) = form, let segment = ResourceSegment.last(of: path),
            let called = others.redirectURI(below: segment), called.form == form
        else { return nil }
        self.init(app: others, appNumber: appNumber, uriNumber: 0, called: called)
    }

    /// The redirect URI that was called: as it was registered, or below a pattern the exact one.
    public var redirectURI: RedirectURI { called ?? app.redirectURIs[uriNumber] }

    /// The same route, for the address with this path; nil where a pattern does not cover it.
    fileprivate func at(_ path: Span<UInt8>) -> Route? {
        guard redirectURI.isPattern else { return self }
        var segment: [UInt8] = []
        var start = path.count
        while start > 0, path[start - 1] != UInt8(ascii: "/") { start -= 1 }
        for index in start..<path.count { segment.append(path[index]) }
        guard let called = redirectURI.filled(with: segment) else { return nil }
        return Route(app: app, appNumber: appNumber, uriNumber: uriNumber, called: called)
    }

    /// The same route of an entry, for a resource below it with this path; nil where there is no such redirect URI.
    fileprivate func ofResource(_ path: Span<UInt8>) -> Route? {
        guard called == nil else { return nil }
        var segment: [UInt8] = []
        for index in (path.count - ResourceSegment.length)..<path.count { segment.append(path[index]) }
        guard let called = app.redirectURI(below: String(decoding: segment, as: UTF8.self)) else { return nil }
        return Route(app: app, appNumber: appNumber, uriNumber: uriNumber, called: called)
    }

    fileprivate init(_ apps: [AppRegistration], _ position: RouteTable.Position) {
        appNumber = Int(position.app)
        uriNumber = Int(position.redirectURI)
        app = apps[appNumber]
        called = nil
    }
}

/// Two registrations that cannot stand beside each other.
public enum RouteConflict: Hashable, Sendable, CustomStringConvertible {
    case duplicateApp(AppID)
    /// One redirect URI of two apps, or two that are equal under matching.
    case sharedRedirectURI(first: RedirectURI, firstApp: AppID, second: RedirectURI, secondApp: AppID)
    /// An app lists one redirect URI twice, or two that differ only by what matching ignores.
    case repeatedRedirectURI(first: RedirectURI, second: RedirectURI, app: AppID)

    public var description: String {
        switch self {
        case .duplicateApp(let id): "there are two apps with the id \"\(id)\""
        case .sharedRedirectURI(let first, let firstApp, let second, let secondApp):
            "\"\(second)\" of \(secondApp) cannot be told apart from \"\(first)\" of \(firstApp)"
        case .repeatedRedirectURI(let first, let second, let app):
            "\"\(second)\" of \(app) cannot be told apart from its own \"\(first)\""
        }
    }
}

/// Everything that keeps apps from standing in one route table.
public struct RouteConflictsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Never empty; in the order of the apps.
    public let conflicts: [RouteConflict]

    public var description: String { conflicts.map(\.description).joined(separator: "\n") }
}
