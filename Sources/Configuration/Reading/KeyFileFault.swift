internal import Glibc
internal import SwitchyardFiles

/// The reason why a file is not trusted to hold the operator's own encryption key.
struct KeyFileFault {
    let reason: String
    let remedy: String

    /// nil for a trustworthy file. Root, this user and the owner of the configuration may own it. Only its owner and
    /// the gateway's own group may write it, and only its owner and its group may read it. A file of this user's that
    /// everybody can read is no fault: the gateway repairs its mode (``DecodingContext/closeKeyFile(_:at:)``).
    init?(_ path: String, configuration: String) {
        guard let permissions = try? FileStatus(at: path).permissions else { return nil }
        let owner = permissions.owner
        let isTrusted =
            permissions.isOwnOrRoots || (try? FileStatus(at: configuration))?.owner == owner
        // The gateway's own group may write it.
        let isOpenToGroup = permissions.isGroupWritable && permissions.group != getegid() && geteuid() != 0
        if !isTrusted {
            reason = "it belongs to user \(owner), who knows the key and can replace it"
            remedy = "make a new one as root or as the gateway's user: switchyard keys new --file FILE"
        } else if permissions.isWorldWritable || isOpenToGroup {
            reason = "other users can change it (mode \(permissions.octal))"
            remedy = "make a new one, and let only its owner write it: chmod go-w \(path)"
        } else if permissions.isWorldReadable, !permissions.isOwn, !ReadAdvice.isShutOff(path), !Self.isInVolume(path) {
            reason = "everybody on this machine can read it (mode \(permissions.octal))"
            remedy =
                "make a new one (switchyard keys new --file FILE), or if no other user has read it: "
                + ReadAdvice.command(for: path, owner: owner)
        } else {
            return nil
        }
    }

    /// Whether the file is in a volume of Kubernetes. Its files have the mode 0644, and only the container sees them.
    private static func isInVolume(_ path: String) -> Bool {
        FilePath.real(path)?.contains("/..") ?? false
    }
}

extension DecodingContext {
    /// Takes the access of other users to a key file away, before the gateway reads it. Only a starting or reloading
    /// gateway repairs a file, and only one of its own user. A file that stays open to others is refused later.
    func closeKeyFile(_ node: YAMLNode) {
        guard machine?.repairsKeyFiles == true, let written = text(node) else { return }
        let path = file.resolve(written)
        do throws(FileError) {
            let key = try RegularFile(path)
            let permissions = key.status.permissions
            guard permissions.isOwn, permissions.isWorldReadable, !ReadAdvice.isShutOff(path) else { return }
            try key.file.setMode(permissions.mode & 0o7770)
        } catch {
            return
        }
        warning(
            at: node.mark,
            "everybody on this machine could read the key file \(path); only its owner and group can now",
            "if another user may have read it, make a new key: switchyard keys new --file FILE")
    }
}
