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
    /// Whether the file is left out because of it, and the configuration is that of the others.
    public let leavesFileOut: Bool

    public init(
        severity: Severity, file: String, line: Int, column: Int, message: String, remedy: String,
        leavesFileOut: Bool = false
    ) {
        self.leavesFileOut = leavesFileOut
        self.severity = severity
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.remedy = remedy
    }

    /// The words that a message about a file that is left out begins with.
    public static let leftOutWords = "the file is left out: "

    /// The same for a file that is left out because of it.
    var leavingOut: Diagnostic {
        Diagnostic(
            severity: .warning, file: file, line: line, column: column, message: "\(Self.leftOutWords)\(message)",
            remedy: remedy, leavesFileOut: true)
    }

    /// `file:line:column: what was found; what would be right`, with `warning: ` in front of a warning's words.
    public var description: String {
        "\(file):\(line):\(column): \(severity == .warning ? "warning: " : "")\(message); \(remedy)"
    }
}

extension [Diagnostic] {
    public var errors: [Diagnostic] { filter { $0.severity == .error } }
    public var warnings: [Diagnostic] { filter { $0.severity == .warning } }
}

/// Collects what is wrong while a configuration is read, so that all of it is reported and not the first only.
///
/// One loading owns one log; it never leaves the thread that loads.
final class DiagnosticLog {
    private var entries: [(rank: Int, diagnostic: Diagnostic)] = []
    private(set) var hasErrors = false

    /// In the order of the files as they were read, and of the places in them.
    var sorted: [Diagnostic] {
        entries.sorted { left, right in
            (left.rank, left.diagnostic.line, left.diagnostic.column)
                < (right.rank, right.diagnostic.line, right.diagnostic.column)
        }.map(\.diagnostic)
    }

    func error(at place: Place, _ message: String, _ remedy: String) {
        hasErrors = true
        append(.error, place, message, remedy)
    }

    func warning(at place: Place, _ message: String, _ remedy: String) {
        append(.warning, place, message, remedy)
    }

    private func append(_ severity: Diagnostic.Severity, _ place: Place, _ message: String, _ remedy: String) {
        let diagnostic = Diagnostic(
            severity: severity, file: place.file.name, line: Int(place.mark.line), column: Int(place.mark.column),
            message: message, remedy: remedy)
        entries.append((place.file.rank, diagnostic))
    }
}

/// A mark in a file that was read.
struct Place {
    let file: SourceFile
    let mark: Mark

    /// For the words of a message: where the other one is.
    var description: String { "\(file.name):\(mark.line):\(mark.column)" }
}
