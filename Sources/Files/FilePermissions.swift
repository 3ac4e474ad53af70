internal import Glibc

/// The owner, the group and the permission bits of a file or folder. This type holds every rule about the users that may
/// read or change a file.
public struct FilePermissions: Hashable, Sendable {
    public let owner: UInt32
    public let group: UInt32
    /// The permission bits, with the sticky bit.
    public let mode: UInt32

    public init(owner: UInt32, group: UInt32, mode: UInt32) {
        self.owner = owner
        self.group = group
        self.mode = mode
    }

    /// Whether this process's user owns the file.
    public var isOwn: Bool { owner == geteuid() }

    /// Whether root or this process's user owns the file.
    public var isOwnOrRoots: Bool { isOwn || owner == 0 }

    /// Whether the mode gives nothing to the group and to other users.
    public var isForOwnerAlone: Bool { mode & 0o077 == 0 }

    /// Whether every user of this machine may read the file, as far as its own bits say.
    public var isWorldReadable: Bool { mode & 0o004 != 0 }

    /// Whether every user of this machine may reach the files of this folder, as far as its own bits say.
    public var isWorldSearchable: Bool { mode & 0o001 != 0 }

    /// Whether every user of this machine may change the file, or put files into the folder.
    public var isWorldWritable: Bool { mode & 0o002 != 0 }

    /// Whether the group may change the file, or put files into the folder.
    public var isGroupWritable: Bool { mode & 0o020 != 0 }

    /// Whether only the owner may change the file, or put files into the folder.
    public var isOwnersToChange: Bool { !isGroupWritable && !isWorldWritable }

    /// Whether a file in this folder keeps its name until the file's or the folder's owner, or root, changes it.
    public var keepsNames: Bool { isOwnersToChange || mode & 0o1000 != 0 }

    /// The users beside the owner that can change the file; nil if only the owner can.
    public var otherWriters: String? {
        if isWorldWritable { return "everybody on this machine" }
        return isGroupWritable ? "its group" : nil
    }

    /// The argument of chmod(1) that takes write permission from all users but the owner.
    public var revocation: String { (isGroupWritable ? "g" : "") + (isWorldWritable ? "o" : "") + "-w" }

    /// The kernel's rule: the owner's bits count for the owner, the group's for its members, the others' for the rest.
    /// - Parameter bit: 4 to read, 1 to search a folder.
    public func allow(_ user: MachineUser, _ bit: UInt32) -> Bool {
        if user.isRoot { return true }
        let shift: UInt32 = user.number == owner ? 6 : user.groups.contains(group) ? 3 : 0
        return mode >> shift & bit != 0
    }

    /// The permission bits as chmod(1) takes them, such as `0640`.
    public var octal: String {
        let digits = String(mode & 0o777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
