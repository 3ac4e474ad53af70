/// What came of reading a configuration.
public struct LoadOutcome: Sendable {
    /// nil exactly when ``diagnostics`` has an error.
    public let configuration: Configuration?
    /// Errors and warnings, in the order of the files and of the places in them.
    public let diagnostics: [Diagnostic]
}
