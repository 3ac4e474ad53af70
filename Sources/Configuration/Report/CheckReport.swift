internal import SwitchyardOAuth
internal import SwitchyardRouting

/// What `switchyard check` tells about a configuration that can be used: its routes, what each app's policy protects
/// against, what to register with each issuer, and the warnings. Holds no secret.
public struct CheckReport: Sendable, CustomStringConvertible {
    private let configuration: Configuration
    private let warnings: [Diagnostic]

    /// - Parameter diagnostics: What loading the configuration gave; the report repeats its warnings.
    public init(_ configuration: Configuration, diagnostics: [Diagnostic]) {
        self.configuration = configuration
        warnings = diagnostics.filter { $0.severity == .warning }
    }

    /// Plain text of several lines, with a line break at the end.
    public var description: String {
        var sections = [
            section("Routes", routes), section("Protection", protection), section("To register", registrations),
        ]
        if !warnings.isEmpty { sections.append(section("Warnings", warnings.map(\.description))) }
        return sections.joined(separator: "\n")
    }

    private func section(_ title: String, _ lines: [String]) -> String {
        "\(title)\n" + (lines.isEmpty ? ["nothing"] : lines).map { "  \($0)\n" }.joined()
    }

    private var routes: [String] {
        Table.lines(
            configuration.apps.flatMap { app in
                app.redirectURIs.map { ["\($0)", "\(app.id)", Self.words(for: app.handler)] }
            })
    }

    private var protection: [String] {
        configuration.apps.flatMap { app in
            ["\(app.id) (\(app.name))"] + AppProtection(app, configuration).lines.map { "  " + $0 }
        }
    }

    private var registrations: [String] {
        let byIssuer = Dictionary(grouping: configuration.apps, by: \.issuer)
        return configuration.issuers.flatMap { issuer -> [String] in
            guard let apps = byIssuer[issuer.name] else { return [] }
            let clients = Dictionary(grouping: apps, by: \.clientID)
            return ["with \(issuer.name), \(issuer.issuer):"]
                + clients.sorted { $0.key < $1.key }.flatMap { clientID, apps in
                    ["  client ID \(clientID):"] + apps.flatMap { $0.redirectURIs.map { "    \($0)" } }
                }
        }
    }

    private static func words(for handler: HandlerKind) -> String {
        switch handler {
        case .pending: "pending"
        case .redirect(let target): "redirect to \(target)"
        }
    }
}
