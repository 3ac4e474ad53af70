internal import Glibc
internal import SwitchyardConfiguration

/// Who may read what is secret, and whether the folder of the database is there. Blocks on the disk.
struct FileCheck {
    let configuration: Configuration
    let secretFiles: Set<String>

    /// A file that more users may read than should.
    private struct Open {
        let path: String
        let mode: mode_t
        /// What it should have at the most.
        let allowed: mode_t
    }

    var findings: [Finding] {
        var findings = openFiles.map { file in
            Finding.warning(
                .files, file.path,
                "its mode is \(octal(file.mode)): "
                    + (file.mode & 0o007 != 0 ? "everybody on this machine" : "its whole group") + " can read it",
                why: "it is a secret, or holds some", do: "chmod \(octal(file.mode & file.allowed)) \(file.path)")
        }
        if let folder = missingFolder {
            findings.append(
                .error(
                    .files, folder, "the folder of the database is not there",
                    why: "the gateway cannot keep requests, and answers 503",
                    do: "make it for the user that runs the gateway, with mode 0700; `switchyard doctor --fix` does"))
        }
        if findings.isEmpty {
            let count = secretFiles.count + databaseFiles.count
            findings.append(
                .ok(.files, "", "\(count) secret file\(count == 1 ? "" : "s"), none of them open to others"))
        }
        return findings
    }

    /// Takes away what nobody else needs; only of files that this user owns, or any as root.
    /// - Returns: what was done, and what could not be.
    func repair() -> [String] {
        var done = openFiles.map { file in
            let mode = file.mode & file.allowed
            return unsafe chmod(file.path, mode) == 0
                ? "\(file.path): mode \(octal(mode)) instead of \(octal(file.mode))"
                : "\(file.path): not repaired: \(unsafe String(cString: strerror(errno)))"
        }
        if let folder = missingFolder { done.append(make(folder)) }
        return done
    }

    private var openFiles: [Open] {
        // A group may be how the gateway's user reads what root owns; everybody is not.
        let secrets = secretFiles.sorted().map { ($0, mode_t(0o7770)) }
        let own = databaseFiles.map { ($0, mode_t(0o7700)) }
        return (secrets + own).compactMap { path, allowed in
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            let mode = status.st_mode & 0o7777
            return mode & ~allowed & 0o777 == 0 ? nil : Open(path: path, mode: mode, allowed: allowed)
        }
    }

    /// The database with its side files, and the key that a gateway makes beside it.
    private var databaseFiles: [String] {
        guard case .sqlite(let path) = configuration.store else { return [] }
        let all = ["", "-wal", "-shm", ".lock"].map { path + $0 } + [folder(of: path) + "requests.key"]
        return all.filter { unsafe access($0, F_OK) == 0 }
    }

    private var missingFolder: String? {
        guard case .sqlite(let path) = configuration.store else { return nil }
        let folder = folder(of: path)
        return unsafe access(folder, F_OK) != 0 && errno == ENOENT ? folder : nil
    }

    private func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    /// Root makes it for the user of the package, where there is one.
    private func make(_ folder: String) -> String {
        guard unsafe mkdir(folder, 0o700) == 0 else {
            return "\(folder): not made: \(unsafe String(cString: strerror(errno)))"
        }
        guard geteuid() == 0, let user = unsafe getpwnam("switchyard") else { return "made \(folder), mode 0700" }
        _ = unsafe chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
        return "made \(folder), mode 0700, for the user switchyard"
    }

    private func octal(_ mode: mode_t) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
