public import SwitchyardOAuth
public import SwitchyardRouting

/// What a file with `apps` says of them to a desktop: who they are, and where their callbacks come. It may be a
/// gateway's configuration or a file of its own; what else stands in it is not looked at.
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
    public init(_ bytes: [UInt8], name: String, environment: [String: String]) {
        let log = DiagnosticLog()
        let directory = name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
        let context = DecodingContext(
            file: SourceFile(name: name, directory: directory, role: .main(environment: environment)), log: log)
        let reader = context.tree(of: bytes).flatMap { MappingReader<MainFile.Key>($0, in: context) }
        let list = reader?.required(.apps, "list the apps to register below apps:")
        let apps = list.flatMap { context.list($0) { AppDecoder.summary($0, in: context) } }
        self.apps = log.hasErrors ? nil : apps
        diagnostics = log.sorted
    }
}
