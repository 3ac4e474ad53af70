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
