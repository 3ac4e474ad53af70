internal import Glibc

/// The reason why a file is not trusted to hold the operator's own encryption key.
struct KeyFileFault {
    let reason: String
    let remedy: String

    /// nil for a trustworthy file. Root, this user and the owner of the configuration may own it; only its owner and
    /// the gateway's own group may write it. ``DecodingContext/warnIfPublic(_:_:at:)`` checks its readers.
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
        } else {
            return nil
        }
    }
}
