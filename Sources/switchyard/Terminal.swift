internal import Glibc

/// What is said to the person at the terminal.
enum Terminal {
    /// A result: a line on standard output. Written at once, also into a pipe, so that long work shows its progress.
    static func say(_ text: String) {
        writeLine(text, to: STDOUT_FILENO)
    }

    /// A line on standard error.
    static func note(_ text: String) {
        writeLine(text, to: STDERR_FILENO)
    }

    /// A question on standard error, with the cursor behind it.
    static func ask(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    /// What is wrong, and what to do about it.
    static func error(_ text: String, hint: String?) {
        note("switchyard: \(text)")
        if let hint { note("switchyard: hint: \(hint)") }
    }

    private static func writeLine(_ text: String, to descriptor: Int32) {
        write(text + "\n", to: descriptor)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), bytes.count - offset)
            }
            // A reader that has gone takes nothing more; the work itself is not lost by that.
            guard count > 0 || errno == EINTR else { return }
            offset += max(0, count)
        }
    }
}

extension String {
    /// Text of foreign origin for a terminal: no control character of it may move the cursor or change the title.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}

/// The process's environment.
enum Environment {
    static subscript(name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Every variable.
    static var all: [String: String] {
        var all: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { all[String(parts[0])] = String(parts[1]) }
            unsafe entry += 1
        }
        return all
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
