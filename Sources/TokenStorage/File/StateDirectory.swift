internal import Glibc

/// The directory of the files (XDG Base Directory Specification): `$XDG_STATE_HOME/switchyard/tokens`, by default
/// `~/.local/state/switchyard/tokens`.
enum StateDirectory {
    static func standard() throws(TokenStorageError) -> String {
        if let state = absolute("XDG_STATE_HOME") { return state + "/switchyard/tokens" }
        guard let home = absolute("HOME") ?? homeOfUser() else {
            throw TokenStorageError(
                .unavailable, "this user has no home directory, and XDG_STATE_HOME is not set",
                remedy: "set XDG_STATE_HOME to an absolute path, or name a directory")
        }
        return home + "/.local/state/switchyard/tokens"
    }

    /// `path`, or the standard one; without slashes at its end, which would follow a symbolic link.
    static func resolve(_ path: String?) throws(TokenStorageError) -> String {
        guard var path else { return try standard() }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw TokenStorageError(.unavailable, "\(path) is no absolute path", remedy: "name one that begins with /")
        }
        return path
    }

    /// The specification has relative paths ignored.
    private static func absolute(_ variable: String) -> String? {
        guard let value = unsafe getenv(variable) else { return nil }
        let path = unsafe String(cString: value)
        return path.hasPrefix("/") ? path : nil
    }

    private static func homeOfUser() -> String? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 4096)
        return unsafe text.withUnsafeMutableBufferPointer { text in
            guard let start = text.baseAddress,
                unsafe getpwuid_r(geteuid(), &entry, start, text.count, &found) == 0, unsafe found != nil,
                let home = unsafe entry.pw_dir
            else { return nil }
            let path = unsafe String(cString: home)
            return path.hasPrefix("/") ? path : nil
        }
    }
}
