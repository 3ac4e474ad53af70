internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardSQLiteStore

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
        /// Whether the gateway makes it, in the folder of its database.
        let isDatabase: Bool
    }

    var findings: [Finding] {
        var findings = openFiles.map { file in
            Finding.warning(
                .files, file.path,
                "its mode is \(octal(file.mode)): "
                    + (file.mode & 0o007 != 0 ? "everybody on this machine" : "its whole group")
                    + (file.mode & 0o022 != 0 ? " can change it" : " can read it"),
                why: "it is a secret, or holds some", do: "chmod \(octal(file.mode & file.allowed)) \(file.path)")
        }
        if let folder = missingFolder {
            findings.append(
                .error(
                    .files, folder, "the folder of the database is not there",
                    why: "the gateway cannot keep requests, and answers 503",
                    do: "make it for the user that runs the gateway, with mode 0700; `switchyard doctor --fix` does"))
        }
        findings += foreignFiles
        if findings.isEmpty {
            let count = secretFiles.count + databaseFiles.count
            findings.append(
                .ok(.files, "", "\(count) secret file\(count == 1 ? "" : "s"), none of them open to others"))
        }
        return findings
    }

    /// Takes away what nobody else needs, of what is the gateway's: as root, nothing that another user can have put there.
    /// - Returns: what was done, and what could not be.
    func repair() -> [String] {
        var done = openFiles.map { file in
            let mode = file.mode & file.allowed
            do throws(OpenedFile.Failure) {
                let (opened, folder) = try OpenedFile.open(file.path)
                let owners =
                    file.isDatabase
                    ? [folder.status.st_uid] : Set([0, geteuid()] + (packageUser.map { [$0.user] } ?? []))
                try opened.setMode(mode, ifOwnedBy: owners)
                return "\(file.path): mode \(octal(mode)) instead of \(octal(file.mode))"
            } catch {
                return "\(file.path): not repaired: \(error.text)"
            }
        }
        if let folder = missingFolder { done.append(make(folder)) }
        return done
    }

    private var openFiles: [Open] {
        // A group may be how the gateway's user reads what root owns; everybody is not.
        let secrets = secretFiles.sorted().map { ($0, mode_t(0o7770), false) }
        let own = databaseFiles.map { ($0, mode_t(0o7700), true) }
        return (secrets + own).compactMap { path, allowed, isDatabase in
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            let mode = status.st_mode & 0o7777
            guard mode & ~allowed & 0o777 != 0 else { return nil }
            return Open(path: path, mode: mode, allowed: allowed, isDatabase: isDatabase)
        }
    }

    /// The database with its side files, and the key that a gateway makes beside it.
    private var databaseFiles: [String] {
        guard case .sqlite(let path) = configuration.store else { return [] }
        let all = ["", "-wal", "-shm", ".lock", ".history"].map { path + $0 } + [folder(of: path) + "requests.key"]
        return all.filter { unsafe access($0, F_OK) == 0 }
    }

    /// The gateway refuses these at its start.
    private var foreignFiles: [Finding] {
        guard case .sqlite(let path) = configuration.store else { return [] }
        return SQLiteStore.foreignFiles(path: path, hasOwnKey: configuration.encryptionKeys.isEmpty).map { file in
            .error(
                .files, file.path, "it belongs to user \(file.owner), and the gateway's user is \(file.expected)",
                why: "its owner can read and replace it, so the gateway refuses it and answers 503",
                do: "chown \(file.expected) \(file.path), or move it away")
        }
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
        let path = folder.split(separator: "/")
        guard let name = path.last else { return "\(folder): not made" }
        let owner = geteuid() == 0 ? packageUser : nil
        do throws(OpenedFile.Failure) {
            let parent = (folder.hasPrefix("/") ? "/" : "./") + path.dropLast().joined(separator: "/")
            try OpenedFile.open(parent).file.makeFolder(String(name), for: owner)
            return "made \(folder), mode 0700" + (owner == nil ? "" : ", for the user switchyard")
        } catch {
            return "\(folder): not made: \(error.text)"
        }
    }

    private var packageUser: (user: uid_t, group: gid_t)? {
        unsafe getpwnam("switchyard").map { unsafe ($0.pointee.pw_uid, $0.pointee.pw_gid) }
    }

    private func octal(_ mode: mode_t) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
