internal import Glibc
internal import SwitchyardFiles

/// The commands for a secret that too many users can read, or that the gateway's user cannot.
public enum ReadAdvice {
    /// The group of the package's service.
    private static let serviceGroup = "switchyard"

    /// The command after which the user that runs the gateway can read a file, and only its group beside the owner.
    ///
    /// The user that this process acts as is taken for the gateway's. Root often is not: where the package's group exists, the file
    /// goes to that group.
    static func command(for path: String, owner: UInt32) -> String {
        let file = ShellWord.quoted(path)
        let user = geteuid()
        if user == 0 {
            return unsafe getgrnam(serviceGroup) == nil
                ? "chmod 0600 \(file)" : "chgrp \(serviceGroup) \(file) && chmod 0640 \(file)"
        }
        return owner == user ? "chmod 0600 \(file)" : "chgrp \(ownGroup) \(file) && chmod 0640 \(file)"
    }

    /// The command that lets this process's user read a file that the kernel denies it: for the first folder on the way that shuts
    /// the user out, else for the file. nil where the path cannot be followed.
    static func remedy(for path: String) -> String? {
        for folder in folders(above: path) where unsafe faccessat(AT_FDCWD, folder, X_OK, effective) != 0 {
            guard FilePath.exists(folder) else { return nil }
            let name = ShellWord.quoted(folder)
            return "let \(userName) into the folder: chgrp \(ownGroup) \(name) && chmod 0750 \(name)"
        }
        guard let status = try? FileStatus(at: path), status.kind == .regular else { return nil }
        return "let \(userName) read it: \(command(for: path, owner: status.owner))"
    }

    /// Whether a folder above the file admits only its owner and its group. The file's own bits do not count.
    public static func isShutOff(_ path: String) -> Bool {
        guard let real = FilePath.real(path) else { return false }
        return folders(above: real).contains { folder in
            (try? FileStatus(at: folder).permissions)?.isWorldSearchable == false
        }
    }

    /// AT_EACCESS of fcntl.h: the effective user counts, as it does when a file is opened.
    private static let effective: Int32 = 0x200

    /// From the root on.
    private static func folders(above path: String) -> [String] {
        guard let slash = path.lastIndex(of: "/") else { return [] }
        var folder = ""
        var folders = path.hasPrefix("/") ? ["/"] : []
        for name in path[..<slash].split(separator: "/") {
            folder += folder.isEmpty && !path.hasPrefix("/") ? name : "/\(name)"
            folders.append(folder)
        }
        return folders
    }

    private static var userName: String {
        unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) } ?? "the user \(geteuid())"
    }

    private static var ownGroup: String {
        unsafe getgrgid(getegid()).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(getegid())"
    }
}
