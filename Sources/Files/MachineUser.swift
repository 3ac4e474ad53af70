internal import Glibc

/// A user of this machine, with the groups that the user database gives it.
public struct MachineUser: Sendable {
    public let number: UInt32
    /// Empty for a user that the database does not know.
    public let groups: Set<UInt32>

    public var isRoot: Bool { number == 0 }

    public init(number: UInt32, groups: Set<UInt32>) {
        self.number = number
        self.groups = groups
    }

    /// Asks the user database.
    public init(number: UInt32) {
        var groups = [gid_t](repeating: 0, count: 256)
        var count = Int32(groups.count)
        guard let entry = unsafe getpwuid(number),
            unsafe getgrouplist(entry.pointee.pw_name, entry.pointee.pw_gid, &groups, &count) >= 0
        else {
            self.init(number: number, groups: [])
            return
        }
        self.init(number: number, groups: Set(groups.prefix(Int(count))))
    }
}
