import Glibc
import Testing

/// A directory that a test fills with files, gone when the test ends.
final class TemporaryDirectory {
    let path: String
    private var files: [String] = []
    private var directories: [String] = []

    init() throws {
        let made = unsafe "/tmp/switchyard-configuration-XXXXXX".withCString { template -> String? in
            guard let copy = unsafe strdup(template) else { return nil }
            defer { unsafe free(copy) }
            return unsafe mkdtemp(copy).map { unsafe String(cString: $0) }
        }
        path = try #require(made)
    }

    deinit {
        for file in files { unsafe unlink(file) }
        for directory in directories.reversed() + [path] { unsafe rmdir(directory) }
    }

    /// Writes a file; its name may have one directory in front, which is made.
    func write(_ name: String, _ text: String = "x", mode: mode_t = 0o600) throws {
        let file = "\(path)/\(name)"
        if let slash = name.lastIndex(of: "/") { make("\(path)/\(name[..<slash])") }
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC, mode)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        try #require(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        // Also set the bits that the umask removes.
        try #require(fchmod(descriptor, mode) == 0)
        files.append(file)
    }

    func link(_ name: String, to target: String) throws {
        try #require(unsafe symlink(target, "\(path)/\(name)") == 0)
        files.append("\(path)/\(name)")
    }

    /// A second name for a file.
    func hardLink(_ name: String, to target: String) throws {
        try #require(unsafe Glibc.link("\(path)/\(target)", "\(path)/\(name)") == 0)
        files.append("\(path)/\(name)")
    }

    func allow(_ name: String, mode: mode_t) throws {
        try #require(unsafe chmod("\(path)/\(name)", mode) == 0)
    }

    /// Lets every user of the machine into the directory itself.
    func letAllIn() throws { try #require(unsafe chmod(path, 0o755) == 0) }

    /// Renames a directory with all that is in it.
    func rename(_ name: String, to other: String) throws {
        try #require(unsafe Glibc.rename("\(path)/\(name)", "\(path)/\(other)") == 0)
        files += files.filter { $0.hasPrefix("\(path)/\(name)/") }
            .map { "\(path)/\(other)" + $0.dropFirst("\(path)/\(name)".utf8.count) }
        directories.append("\(path)/\(other)")
    }

    func makeFolder(_ name: String) throws {
        for (index, letter) in name.enumerated() where letter == "/" { make("\(path)/\(name.prefix(index))") }
        make("\(path)/\(name)")
    }

    private func make(_ directory: String) {
        if unsafe mkdir(directory, 0o700) == 0 { directories.append(directory) }
    }
}
