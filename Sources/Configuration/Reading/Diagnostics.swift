/// A fault or a danger in a configuration, with its remedy.
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
    /// The finding. Holds no secret.
    public let message: String
    /// The correct value, or the next step.
    public let remedy: String
    /// The consequence for the file, where the other files are in use without it; nil for every other finding.
    public let fate: FileFate?

    /// The stand-in for a file of apps that has errors.
    public enum FileFate: Hashable, Sendable {
        /// Its apps are not served.
        case leftOut
        /// The apps of its last good version are served.
        case earlierVersion
    }

    /// Whether the file is not in use as it is, and the configuration is that of the others.
    public var leavesFileOut: Bool { fate != nil }

    public init(
        severity: Severity, file: String, line: Int, column: Int, message: String, remedy: String,
        fate: FileFate? = nil
    ) {
        self.fate = fate
        self.severity = severity
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.remedy = remedy
    }

    /// The words that a message about a file that is left out begins with.
    public static let leftOutWords = "the file is left out: "

    /// The same for a file that is not in use because of it, while the others are.
    func leaving(_ fate: FileFate) -> Diagnostic {
        let words =
            switch fate {
            case .leftOut: Self.leftOutWords
            case .earlierVersion: "the file's last good version stays in use: "
            }
        return Diagnostic(
            severity: .warning, file: file, line: line, column: column, message: "\(words)\(message)",
            remedy: remedy, fate: fate)
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

/// Collects the errors of a configuration while it is read, so all of them are reported and not just the first.
///
/// One loading owns one log; it never leaves the thread that loads.
final class DiagnosticLog {
    private struct Entry {
        let rank: Int
        let diagnostic: Diagnostic
        /// The file that the entry's file conflicts with, and that comes before it; nil for every other finding.
        let rival: String?
    }

    private var entries: [Entry] = []
    private(set) var errorCount = 0
    var hasErrors: Bool { errorCount > 0 }

    private var inOrder: [Entry] {
        entries.sorted { left, right in
            (left.rank, left.diagnostic.line, left.diagnostic.column)
                < (right.rank, right.diagnostic.line, right.diagnostic.column)
        }
    }

    /// In the order of the files as they were read, and of the places in them.
    var sorted: [Diagnostic] { inOrder.map(\.diagnostic) }

    /// - Parameter rival: the file that this error is a conflict with, for an error that is gone without that file.
    func error(at place: Place, _ message: String, _ remedy: String, against rival: SourceFile? = nil) {
        errorCount += 1
        append(.error, place, message, remedy, rival.map(\.name))
    }

    func warning(at place: Place, _ message: String, _ remedy: String) {
        append(.warning, place, message, remedy, nil)
    }

    private func append(
        _ severity: Diagnostic.Severity, _ place: Place, _ message: String, _ remedy: String, _ rival: String?
    ) {
        let diagnostic = Diagnostic(
            severity: severity, file: place.file.name, line: Int(place.mark.line), column: Int(place.mark.column),
            message: message, remedy: remedy)
        entries.append(
            Entry(rank: place.file.rank, diagnostic: diagnostic, rival: rival == place.file.name ? nil : rival))
    }

    /// The files beside the main one that cannot be used.
    ///
    /// Files with errors of their own come first, because their conflicts with others end with them. A file that only
    /// conflicts gives way to an earlier one that stays.
    /// - Parameter takesAll: names every file that has an error.
    func faultyFiles(beside main: SourceFile, takesAll: Bool) -> Set<String> {
        let errors = inOrder.filter { $0.diagnostic.severity == .error && $0.diagnostic.file != main.name }
        let own = errors.filter { takesAll || $0.rival == nil }
        guard own.isEmpty else { return Set(own.map(\.diagnostic.file)) }
        return errors.reduce(into: []) { faulty, entry in
            if let rival = entry.rival, !faulty.contains(rival) { faulty.insert(entry.diagnostic.file) }
        }
    }
}

/// A mark in a file that was read.
struct Place {
    let file: SourceFile
    let mark: Mark

    /// For the words of a message: where the other one is.
    var description: String { "\(file.name):\(mark.line):\(mark.column)" }
}
