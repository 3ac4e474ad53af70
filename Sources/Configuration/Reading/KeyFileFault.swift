internal import Glibc

/// The reason why a file is not trusted to hold the operator's own encryption key.
struct KeyFileFault {
    let reason: String
    let remedy: String

    /// nil for a trustworthy file. Root, this user and the owner of the configuration may own it. Only its owner and
    /// the gateway's own group may write it, and only its owner and its group may read it. A file of this user's that
    /// everybody can read is no fault: the gateway repairs its mode (``DecodingContext/closeKeyFile(_:at:)``).
    init?(_ path: String, configuration: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        let (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
        var trusted: Set<uid_t> = [0, geteuid()]
        if unsafe stat(configuration, &status) == 0 { trusted.insert(status.st_uid) }
        if !trusted.contains(owner) {
            reason = "it belongs to user \(owner), who knows the key and can replace it"
            remedy = "make a new one as root or as the gateway's user: switchyard keys new --file FILE"
        } else if mode & 0o002 != 0 || (mode & 0o020 != 0 && group != getegid() && geteuid() != 0) {
            reason = "other users can change it (mode 0\(String(mode & 0o777, radix: 8)))"
            remedy = "make a new one, and let only its owner write it: chmod go-w \(path)"
        } else if mode & 0o004 != 0, owner != geteuid(), !ReadAdvice.isShutOff(path), !Self.isInVolume(path) {
            reason = "everybody on this machine can read it (mode 0\(String(mode & 0o777, radix: 8)))"
            remedy =
                "make a new one (switchyard keys new --file FILE), or if no other user has read it: "
                + ReadAdvice.command(for: path, owner: owner)
        } else {
            return nil
        }
    }

    /// Whether the file is in a volume of Kubernetes. Its files have the mode 0644, and only the container sees them.
    private static func isInVolume(_ path: String) -> Bool {
        guard let real = unsafe realpath(path, nil) else { return false }
        defer { unsafe free(real) }
        return unsafe String(cString: real).contains("/..")
    }
}

extension DecodingContext {
    /// Takes the access of other users to a key file away, before the gateway reads it. Only a gateway that starts or
    /// reloads does so, and only to a file of its own user. A file that stays open to others is refused later.
    func closeKeyFile(_ node: YAMLNode) {
        guard machine?.repairsKeyFiles == true, let written = text(node) else { return }
        let path = file.resolve(written)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o004 != 0, !ReadAdvice.isShutOff(path),
            fchmod(descriptor, status.st_mode & 0o7770) == 0
        else { return }
        warning(
            at: node.mark,
            "everybody on this machine could read the key file \(path); only its owner and group can now",
            "if another user may have read it, make a new key: switchyard keys new --file FILE")
    }
}
