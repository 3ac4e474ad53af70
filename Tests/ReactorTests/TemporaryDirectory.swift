import Glibc
import Testing

/// A directory for a test, gone with the files that it names when the test ends.
final class TemporaryDirectory {
    let path: String

    init() throws {
        let made = unsafe "/tmp/switchyard-reactor-XXXXXX".withCString { template -> String? in
            guard let copy = unsafe strdup(template) else { return nil }
            defer { unsafe free(copy) }
            return unsafe mkdtemp(copy).map { unsafe String(cString: $0) }
        }
        path = try #require(made)
    }

    deinit {
        unsafe unlink(socketPath)
        unsafe rmdir(path)
    }

    var socketPath: String { "\(path)/s" }

    /// Type and permission bits of the socket's file; nil without a file.
    var socketMode: mode_t? {
        var info = stat()
        return unsafe lstat(socketPath, &info) == 0 ? info.st_mode : nil
    }
}
