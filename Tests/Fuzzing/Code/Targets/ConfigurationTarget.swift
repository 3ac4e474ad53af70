import SwitchyardConfiguration
import SwitchyardOAuth
import SwitchyardRouting

/// The configuration file.
enum ConfigurationTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        let outcome = Configuration.load(
            text: text, file: "fuzz.yaml", directory: "/nonexistent", environment: ["NAME": "value"],
            looksAtMachine: false)
        let errors = outcome.diagnostics.count { $0.severity == .error }
        try require((outcome.configuration == nil) == (errors > 0), "a configuration, or an error that says why not")
        for diagnostic in outcome.diagnostics {
            try require(diagnostic.line >= 1 && diagnostic.column >= 1, "a mistake has a place")
            try require(!diagnostic.message.isEmpty, "a mistake has words")
        }
        guard let configuration = outcome.configuration else { return }
        for app in configuration.apps {
            try require(!app.redirectURIs.isEmpty, "an app has a redirect URI")
            for uri in app.redirectURIs {
                try require((try? RedirectURI(uri.text)) == uri, "a configured redirect URI is a valid one")
            }
        }
    }
}
