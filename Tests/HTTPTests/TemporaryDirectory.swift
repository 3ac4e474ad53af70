import Glibc
import Testing

/// A directory for a test, gone with its files when the test ends.
final class TemporaryDirectory {
    let path: String
    private var files: [String] = []

    init() throws {
        let made = unsafe "/tmp/switchyard-http-XXXXXX".withCString { template -> String? in
            guard let copy = unsafe strdup(template) else { return nil }
            defer { unsafe free(copy) }
            return unsafe mkdtemp(copy).map { unsafe String(cString: $0) }
        }
        path = try #require(made)
    }

    deinit {
        for file in files { unsafe unlink(file) }
        unsafe rmdir(path)
    }

    /// The path of a file in the directory, which is removed with it.
    func file(_ name: String) -> String {
        files.append("\(path)/\(name)")
        return "\(path)/\(name)"
    }
}
