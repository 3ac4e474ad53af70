internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The report of `switchyard check` on a usable configuration: its routes, the protection of each app's policy, the
/// redirect URIs to register with each issuer, and the warnings. Free of secrets.
public struct CheckReport: Sendable, CustomStringConvertible {
    private let configuration: Configuration
    private let warnings: [Diagnostic]

    /// - Parameter warnings: what was said when the configuration was read; the report repeats them.
    public init(_ configuration: Configuration, warnings: [Diagnostic]) {
        self.configuration = configuration
        self.warnings = warnings
    }

    /// Plain text of several lines, with a line break at the end.
    public var description: String {
        let parts = [
            ("Routes", routes), ("Protection", protection), ("To register", registrations),
            ("Warnings", warnings.map(\.description)),
        ]
        let sections = parts.filter { !$0.1.isEmpty }.map { title, lines in
            "\(title)\n" + lines.map { "  \($0)\n" }.joined()
        }
        return (configuration.apps.isEmpty ? [Self.withoutApps] + sections : sections).joined(separator: "\n")
    }

    private static let withoutApps =
        "There is no app yet, so nobody can sign in. List apps below apps:, or in a file of apps_directory.\n"

    private var routes: [String] {
        Table.lines(
            configuration.apps.flatMap { app in
                app.redirectURIs.map { ["\($0)", "\(app.id)", words(for: app, at: $0)] } + below(app)
            })
    }

    /// The redirect URIs of the resources below an entry.
    private func below(_ app: AppRegistration) -> [[String]] {
        guard let entry = app.resource, let url = entry.url, !entry.sharesRedirectURI, let own = app.redirectURIs.first
        else { return [] }
        return [["\(own)-…", "\(app.id)", "\(words(for: app, at: own)), one for each resource below \(url)"]]
    }

    private var protection: [String] {
        let apps = configuration.apps.flatMap { app in
            ["\(app.id) (\(app.name))"] + AppProtection(app, configuration).lines.map { "  " + $0 }
        }
        let issuers = configuration.issuers.flatMap { issuer -> [String] in
            let lines = IssuerProtection(issuer).lines
            return lines.isEmpty ? [] : ["issuer \(issuer.name), which deviates:"] + lines.map { "  " + $0 }
        }
        return apps + issuers
    }

    private var registrations: [String] {
        var lines: [String] = []
        for app in configuration.apps {
            guard let client = app.resource?.client else { continue }
            lines += ["with \(client.issuer), for \(app.name):", "  client ID \(client.id):"]
            lines += app.redirectURIs.map { "    \($0)" }
            lines += keys(of: app)
        }
        for app in configuration.apps where app.takesAnyIssuer {
            lines.append("in \(app.name), as its redirect URI (any issuer):")
            lines += app.redirectURIs.map { "    \($0)" }
        }
        let byIssuer = Dictionary(grouping: configuration.apps, by: \.issuer)
        for issuer in configuration.issuers {
            guard let apps = byIssuer[issuer.name] else { continue }
            lines.append("with \(issuer.name), \(issuer.issuer):")
            let clients = Dictionary(grouping: apps, by: \.clientID)
            for (clientID, apps) in clients.sorted(by: { $0.key < $1.key }) {
                lines.append("  client ID \(clientID):")
                for app in apps {
                    lines += app.redirectURIs.map { "    \($0)" }
                    lines += keys(of: app)
                }
            }
        }
        return lines
    }

    /// How the issuer learns the app's public keys.
    private func keys(of app: AppRegistration) -> [String] {
        guard let keys = app.keys.published else { return [] }
        return configuration.servesBrowsers
            ? ["    public keys (jwks_uri): \(configuration.publicURL)/clients/\(app.id)\(ClientKeys.suffix)"]
            : ["    public keys (jwks), which no address serves here: \(String(decoding: keys, as: UTF8.self))"]
    }

    private func words(for app: AppRegistration, at uri: RedirectURI) -> String {
        var words = app.handlers.deliveries.map { self.words($0, of: app, at: uri) }
        if let last = app.handlers.last {
            // A program that relays has no browser that could be sent on.
            let isForBrowsers = last != .pending && !words.isEmpty
            words.append(isForBrowsers && !answers(at: uri) ? "nothing more" : self.words(last, of: app, at: uri))
        } else if app.gateway(at: uri) != nil {
            // A callback that a gateway brings always belongs to a request, so the list of handlers does not matter.
            words.append(pendingWords(of: app, at: uri))
        }
        return words.joined(separator: ", then ")
    }

    private func words(_ handler: Handler, of app: AppRegistration, at uri: RedirectURI) -> String {
        switch handler {
        case .socket(let path): "socket \(path)"
        case .dbus(let name): "dbus \(name)"
        case .exec(let arguments): "exec \(arguments[0])"
        case .webhook(let webhook): "webhook \(webhook.url)"
        case .pending: pendingWords(of: app, at: uri)
        case .redirect(let target): "redirect to \(target)"
        case .loopback: loopbackWords(at: uri)
        }
    }

    private func pendingWords(of app: AppRegistration, at uri: RedirectURI) -> String {
        if let gateway = app.gateway(at: uri) { return "pending, carried by \(gateway.url)" }
        if answers(at: uri) { return "pending" }
        return if case .https = uri.form { "not here: nobody listens for browsers" } else { "pending, by relay" }
    }

    private func loopbackWords(at uri: RedirectURI) -> String {
        guard case .https(_, _, let path) = uri.form else { return "not here: loopback takes https callbacks only" }
        return answers(at: uri)
            ? "loopback: http://127.0.0.1:RETURN_PORT\(path)" : "not here: nobody listens for browsers"
    }

    private func answers(at uri: RedirectURI) -> Bool { configuration.answers(at: uri) }
}

extension Configuration {
    /// Whether the gateway itself serves a redirect URI; a program relays the callbacks of others.
    fileprivate func answers(at uri: RedirectURI) -> Bool {
        switch uri.form {
        case .https: servesBrowsers
        case .customScheme: false
        case .loopback:
            publicURL.isLoopback
                && listeners.contains { listener in
                    guard case .tcp(_, let port) = listener.address, listener.serve.contains(.callbacks) else {
                        return false
                    }
                    return listener.tls.isEmpty && port == uri.loopbackPort ?? 80
                }
        }
    }
}

/// Rows of text as lines with aligned columns.
enum Table {
    static func lines(_ rows: [[String]]) -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.utf8.count)
            }
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                // The last column needs no padding.
                let padding = column == row.count - 1 ? 0 : widths[column] - cell.utf8.count
                return cell + String(repeating: " ", count: padding)
            }
            return cells.joined(separator: "  ")
        }
    }
}
