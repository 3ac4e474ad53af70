internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardFiles
internal import SwitchyardSQLiteStore

/// Checks the permissions of secret files, and the folder of the database. Blocks on the disk.
struct FileCheck {
    /// nil if the configuration cannot be used. Only the secret files are checked then.
    let configuration: Configuration?
    let secretFiles: Set<String>
    /// The user that runs the gateway, where this process is root and that user is known.
    let user: ServiceUser?

    /// A file that more users may read than should.
    private struct Open {
        let path: String
        let mode: mode_t
        /// The widest mode that it should have.
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
                why: "it is a secret, or holds some", do: remedy(file))
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
                .ok(.files, "", "\(count.counted("secret file")), none of them open to others"))
        }
        return findings
    }

    /// A file that the gateway's user owns is its own to read; it reads any other one by the file's group.
    private func remedy(_ file: Open) -> String {
        let path = ShellWord.quoted(file.path)
        let change = "chmod \(octal(file.mode & file.allowed)) \(path)"
        guard let reader = reader(of: file) else { return change }
        return "chgrp \(reader.name) \(path) && chmod 0640 \(path)"
    }

    /// The group by which the gateway's user reads a file that root owns; nil where that takes no change.
    private func reader(of file: Open) -> (name: String, group: gid_t)? {
        guard !file.isDatabase, let permissions = try? FileStatus(at: file.path).permissions,
            let service = user.map({ ($0.number, $0.group) }) ?? packageUser.map({ ($0.user, $0.group) }),
            permissions.owner != service.0, permissions.group != service.1, let entry = unsafe getgrgid(service.1)
        else { return nil }
        return unsafe (String(cString: entry.pointee.gr_name), service.1)
    }

    /// Removes unneeded permissions from the gateway's own files. As root, it skips files that another user may have
    /// put there.
    /// - Returns: the repairs, and the failures.
    func repair() -> [String] {
        var done = openFiles.map { file in
            let reader = reader(of: file)
            let mode = reader == nil ? file.mode & file.allowed : 0o640
            do throws(OpenedFile.Failure) {
                let (opened, folder) = try OpenedFile.open(file.path)
                let owners =
                    file.isDatabase
                    ? [folder.status.owner] : Set([0, geteuid()] + (packageUser.map { [$0.user] } ?? []))
                try opened.setMode(mode, group: reader?.group, ifOwnedBy: owners)
                return "\(file.path): mode \(octal(mode)) instead of \(octal(file.mode))"
                    + (reader.map { ", and the group \($0.name)" } ?? "")
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
            guard let status = try? FileStatus(at: path), status.kind == .regular else { return nil }
            let mode = status.permissions.mode
            guard mode & ~allowed & 0o777 != 0, isDatabase || !ReadAdvice.isShutOff(path) else { return nil }
            return Open(path: path, mode: mode, allowed: allowed, isDatabase: isDatabase)
        }
    }

    /// The database with its side files, and the key that a gateway makes beside it.
    private var databaseFiles: [String] {
        guard case .sqlite(let path) = configuration?.store else { return [] }
        let all =
            ["", "-wal", "-shm", ".lock", ".history"].map { path + $0 } + [FilePath.folder(of: path) + "requests.key"]
        return all.filter(FilePath.exists)
    }

    /// The gateway refuses these at its start.
    private var foreignFiles: [Finding] {
        guard case .sqlite(let path) = configuration?.store else { return [] }
        return SQLiteStore.foreignFiles(path: path, hasOwnKey: configuration?.encryptionKeys.isEmpty != false).map {
            file in
            .error(
                .files, file.path, "it belongs to user \(file.owner), and the gateway's user is \(file.expected)",
                why: "its owner can read and replace it, so the gateway refuses it and answers 503",
                do: "chown \(file.expected) \(file.path), or move it away")
        }
    }

    private var missingFolder: String? {
        guard case .sqlite(let path) = configuration?.store else { return nil }
        let folder = FilePath.folder(of: path)
        return FilePath.isMissing(folder) ? folder : nil
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
