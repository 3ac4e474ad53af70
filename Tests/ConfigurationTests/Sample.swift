import SwitchyardConfiguration
import Testing

/// A small configuration with parts that a test replaces.
struct Sample {
    var publicURL = "https://login.contoso.com"
    var listen = "[{ address: '127.0.0.1:443', serve: [callbacks, api] }]"
    var issuers =
        "[{ name: contoso, issuer: 'https://id.contoso.com' }, { name: other, issuer: 'https://id.other.com' }]"
    var apps = "[{ \(Sample.app) }]"
    /// Whole lines.
    var more = ""

    static let app =
        "id: app1, issuer: contoso, client_id: one, release: none, redirect_uris: ['https://login.contoso.com/a']"

    /// The minimal app with the `redirect_uris` and what else is given.
    static func app(_ id: String, uris: String, _ more: String = "") -> String {
        "{ id: \(id), issuer: contoso, client_id: \(id), redirect_uris: [\(uris)]"
            + (more.isEmpty ? ", release: none }" : ", \(more) }")
    }

    var text: String {
        """
        public_url: '\(publicURL)'
        listen: \(listen)
        issuers: \(issuers)
        apps: \(apps)
        \(more)
        """
    }

    func load(in directory: TemporaryDirectory? = nil, environment: [String: String] = [:]) -> LoadOutcome {
        Configuration.load(
            text: text, file: "test.yaml", directory: directory?.path ?? "/nonexistent", environment: environment,
            looksAtMachine: false)
    }

    /// Expects a configuration, and gives it.
    func configuration(
        in directory: TemporaryDirectory? = nil, environment: [String: String] = [:]
    ) throws -> Configuration {
        let outcome = load(in: directory, environment: environment)
        return try #require(outcome.configuration, "\(outcome.errors)")
    }
}

extension LoadOutcome {
    /// The errors' messages, each with its place.
    var errors: [String] { diagnostics.filter { $0.severity == .error }.map(\.description) }

    var warnings: [String] { diagnostics.filter { $0.severity == .warning }.map(\.description) }

    /// Exactly one error, and it says this.
    func hasOnlyError(containing words: String) -> Bool {
        configuration == nil && errors.count == 1 && errors.allSatisfy { $0.contains(words) }
    }
}
