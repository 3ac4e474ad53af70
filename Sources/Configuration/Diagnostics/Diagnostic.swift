/// One thing that is wrong with a configuration, or dangerous in it, and what would be right.
public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    public enum Severity: Hashable, Sendable {
        /// The configuration cannot be used.
        case error
        /// It can be used, but probably should not be.
        case warning
    }

    public let severity: Severity
    /// The file as it was named on the command line, or its path inside `apps_directory`.
    public let file: String
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in characters.
    public let column: Int
    /// What was found. Holds no secret.
    public let message: String
    /// What would be right.
    public let remedy: String

    public init(
        severity: Severity, file: String, line: Int, column: Int, message: String, remedy: String
    ) {
        self.severity = severity
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.remedy = remedy
    }

    /// `file:line:column: what was found; what would be right`, with `warning: ` in front of a warning's words.
    public var description: String {
        "\(file):\(line):\(column): \(severity == .warning ? "warning: " : "")\(message); \(remedy)"
    }
}
