internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardFiles

/// The user that runs the gateway, for checks by root: root can read files that this user cannot.
struct ServiceUser {
    let name: String
    let number: uid_t
    let group: gid_t

    /// The owner of the gateway's admin socket, else the user of its unit; nil for a process that is not root's, and where root runs
    /// the gateway or no trace of it is found.
    init?(of configuration: Configuration?, _ unit: ServiceUnit?) {
        guard geteuid() == 0 else { return nil }
        let found: ServiceUser?
        if let owner = configuration.flatMap({ Self.ownerOfAdminSocket($0) }) {
            found = unsafe Self.user(getpwuid(owner))
        } else {
            found = unit?.user.flatMap { unsafe Self.user(getpwnam($0)) }
        }
        guard let found, found.number != 0 else { return nil }
        self = found
    }

    private init(name: String, number: uid_t, group: gid_t) {
        self.name = name
        self.number = number
        self.group = group
    }

    private static func user(_ entry: UnsafeMutablePointer<passwd>?) -> ServiceUser? {
        guard let entry = unsafe entry, let name = unsafe entry.pointee.pw_name else { return nil }
        return unsafe ServiceUser(
            name: String(cString: name), number: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
    }

    private static func ownerOfAdminSocket(_ configuration: Configuration) -> uid_t? {
        for listener in configuration.listeners where listener.serve.contains(.admin) {
            guard case .unix(let path, _, _) = listener.address else { continue }
            if let status = try? FileStatus(ofLinkAt: path), status.kind == .socket { return status.owner }
        }
        return nil
    }

    /// Does the work with this user's rights, so the kernel decides what can be read. For a process without other work under way: the
    /// rights are the whole process's.
    func look<Value>(_ work: () -> Value) -> Value {
        var own = [gid_t](repeating: 0, count: 1024)
        let count = unsafe getgroups(Int32(own.count), &own)
        var groups = [gid_t](repeating: 0, count: 1024)
        var found = Int32(groups.count)
        guard count >= 0, unsafe getgrouplist(name, group, &groups, &found) >= 0,
            unsafe setgroups(Int(found), groups) == 0
        else { return work() }
        defer {
            // Root may always take its rights back.
            let isBack = seteuid(0) == 0 && setegid(getgid()) == 0
            guard isBack, unsafe setgroups(Int(count), own) == 0 else { abort() }
        }
        guard setegid(group) == 0, seteuid(number) == 0 else { return work() }
        return work()
    }
}
