internal import Glibc

/// Questions about paths.
public enum FilePath {
    /// The path of the folder that a file is in, as the file's path says it; the working folder for a bare name.
    public static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    /// The last part of a path.
    public static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The target of a link; nil for any other file, and if the kernel hides it.
    public static func target(ofLink path: String) -> String? { target(ofLink: path, in: AT_FDCWD) }

    /// The target of an open link.
    public static func target(ofLink descriptor: Int32) -> String? { target(ofLink: "", in: descriptor) }

    private static func target(ofLink path: String, in folder: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
                unsafe buffer.baseAddress.map { unsafe readlinkat(folder, path, $0, buffer.count) } ?? -1
            }
        }
        guard (1..<bytes.count).contains(count) else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// The path without links; nil for a file that is not there.
    public static func real(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Whether a file is there, or a link that leads to one.
    public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Whether there is no such file, as the kernel tells this user. False where a folder shuts this user out.
    public static func isMissing(_ path: String) -> Bool { unsafe access(path, F_OK) != 0 && errno == ENOENT }

    /// Whether a folder above the file shuts this user out.
    public static func isShutOff(_ path: String) -> Bool { unsafe access(path, F_OK) != 0 && errno == EACCES }

    public static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    public static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

    /// Whether this user may run a program, or enter a folder.
    public static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    /// Refuses a folder in which this user can make no files.
    public static func checkWritable(folder path: String) throws(FileError) {
        guard unsafe access(path, W_OK | X_OK) == 0 else { throw .last }
    }

    /// Removes a name, if there is one.
    public static func remove(_ path: String) { unsafe unlink(path) }
}
