internal import Glibc
internal import SwitchyardFiles
import SwitchyardJSON
import SwitchyardReactor
internal import Synchronization

/// Output for the person at the terminal.
///
/// Every function here prevents foreign text from moving the cursor, changing the title or turning the direction of
/// writing, so callers need no care. Only ``say(styled:)`` and ``say(exactly:)`` print their text unchanged.
enum Terminal {
    /// A result: a line on standard output. Written at once, also into a pipe, so that long work shows its progress.
    static func say(_ text: String) {
        writeLine(text.printableLines, to: STDOUT_FILENO)
    }

    /// Prints a result with escape sequences of this program (``TerminalStyle``). Foreign text in it must be
    /// ``Swift/String/printable``.
    static func say(styled text: String) {
        writeLine(text, to: STDOUT_FILENO)
    }

    /// A result for a program that reads it by the rules of its own protocol, such as git.
    static func say(exactly text: String) {
        writeLine(text, to: STDOUT_FILENO)
    }

    /// Prints a result for programs. Escapes characters that move a terminal's cursor or turn the direction of writing,
    /// also where JSON itself does not require that.
    static func say(_ json: JSONValue) {
        writeLine(json.printable, to: STDOUT_FILENO)
    }

    /// Prints a result that cannot be had again.
    /// - Parameter remedy: where the result is now, and the next step, if it cannot be written.
    /// - Throws: ``CommandError`` then, but not if the reader has gone.
    static func say(_ json: JSONValue, orElse remedy: String) throws {
        say(json)
        if let problem = outputProblem { throw unwritten(problem, remedy) }
    }

    static func unwritten(_ problem: String, _ remedy: String? = nil) -> CommandError {
        CommandError("the result could not be written: \(problem)", hint: remedy)
    }

    /// A line on standard error.
    static func note(_ text: String) {
        writeLine(text.printableLines, to: STDERR_FILENO)
    }

    /// Prints lines with escape sequences of this program on standard error. Foreign text in it must be
    /// ``Swift/String/printable``.
    static func note(styled text: String) {
        writeLine(text, to: STDERR_FILENO)
    }

    /// A question on standard error, with the cursor behind it.
    static func ask(_ text: String) {
        write(text.printableLines, to: STDERR_FILENO)
    }

    /// Prints an error and its remedy.
    static func error(_ text: String, hint: String?) {
        note("switchyard: \(text)")
        if let hint { note("switchyard: hint: \(hint)") }
    }

    private static let failure = Atomic<Int32>(0)
    private static let hasLostReader = Atomic(false)

    /// Whether standard output has failed or lost its reader. Endless output stops then.
    static var isOutputOver: Bool { hasLostReader.load(ordering: .relaxed) || outputProblem != nil }

    /// The reason why something on standard output is missing; nil when all was written, or when its reader has gone.
    static var outputProblem: String? {
        let number = failure.load(ordering: .relaxed)
        guard number != 0 else { return nil }
        return FileError.system(number).reason
    }

    private static func writeLine(_ text: String, to descriptor: Int32) {
        write(text + "\n", to: descriptor)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        do throws(FileError) {
            try Descriptor.write(Array(text.utf8), to: descriptor)
        } catch {
            // A reader that has gone is no failure: the work itself is done. A result that a file should hold is one.
            guard descriptor == STDOUT_FILENO, let code = error.code else { return }
            if code == EPIPE {
                hasLostReader.store(true, ordering: .relaxed)
            } else {
                failure.store(code, ordering: .relaxed)
            }
        }
    }
}

extension String {
    /// Foreign text made safe for a terminal: it cannot move the cursor, change the title or turn the direction of
    /// writing.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isUnprintable ? "?" : $0 }))
    }

    /// The same for text of several lines and columns.
    var printableLines: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.isUnprintable && $0 != "\n" && $0 != "\t" ? "?" : $0 }))
    }

    /// Printable text of a far host that is part of a sentence: no more of it than makes sense there.
    var quotable: String {
        let text = String(prefix(200)).printable
        // A character may carry marks without end.
        let short = String(text.unicodeScalars.prefix(400))
        return short == self.printable ? short : "\(short)…"
    }
}

extension [String] {
    /// A list of a far host as part of a sentence: the first of it.
    var quotable: String {
        prefix(8).map(\.quotable).joined(separator: ", ") + (count > 8 ? " and \(count - 8) more" : "")
    }
}

extension JSONValue {
    /// The JSON text with every character escaped that a terminal may obey.
    fileprivate var printable: String {
        // Only strings can hold such characters.
        String(decoding: serialized, as: UTF8.self).unicodeScalars.map { scalar -> String in
            guard scalar.isUnprintable else { return String(scalar) }
            return (UTF16.encode(scalar) ?? .init()).map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }.joined()
    }
}

extension Unicode.Scalar {
    fileprivate var isUnprintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}

/// The process's environment.
enum Environment {
    static subscript(name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// The value of a variable; nil if it is empty.
    static func setting(_ name: String) -> String? {
        Self[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Every variable.
    static var all: [String: String] { ChildProcess.ownVariables }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
