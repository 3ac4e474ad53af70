internal import Glibc

/// What is said to the person at the terminal; results go to standard output by `print`.
enum Terminal {
    /// A line on standard error.
    static func note(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// What is wrong, and what to do about it.
    static func error(_ text: String, hint: String?) {
        note("switchyard: \(text)")
        if let hint { note("switchyard: hint: \(hint)") }
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
            let parts = unsafe String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { all[String(parts[0])] = String(parts[1]) }
            unsafe entry += 1
        }
        return all
    }
}
