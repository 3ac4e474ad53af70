public import SwitchyardOAuth
public import SwitchyardRouting

/// The apps of a file for a desktop: their identity, and the addresses of their callbacks. The file may be a gateway's
/// configuration or a file of its own; its other parts are ignored.
public struct AppFile: Sendable {
    public struct App: Sendable {
        public let id: AppID
        /// One line.
        public let name: String
        public let redirectURIs: [RedirectURI]
    }

    /// nil exactly when ``diagnostics`` has an error.
    public let apps: [App]?
    public let diagnostics: [Diagnostic]

    /// - Parameter name: what messages call the file.
    public init(_ bytes: [UInt8], name: String) {
        let log = DiagnosticLog()
        let directory = name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
        let context = DecodingContext(
            file: SourceFile(name: name, directory: directory, role: .registration), log: log)
        let reader = context.tree(of: bytes).flatMap { MappingReader<MainFile.Key>($0, in: context) }
        let list = reader?.required(.apps, "list the apps to register below apps:")
        let apps = list.flatMap { context.list($0) { AppDecoder.summary($0, in: context) } }
        self.apps = log.hasErrors ? nil : apps
        diagnostics = log.sorted
    }
}
