internal import Glibc

/// The owner, the group and the permission bits of a file or folder, as its open descriptor has them. This type holds
/// every rule about the users that may read or change a file of the configuration.
struct FilePermissions: Hashable, Sendable {
    let owner: UInt32
    let group: UInt32
    /// The permission bits, with the sticky bit.
    let mode: UInt32

    init(owner: UInt32, group: UInt32, mode: UInt32) {
        self.owner = owner
        self.group = group
        self.mode = mode
    }

    init(_ status: stat) {
        self.init(owner: status.st_uid, group: status.st_gid, mode: UInt32(status.st_mode & 0o7777))
    }

    /// Whether every user of this machine may read the file, as far as its own bits say.
    var isWorldReadable: Bool { mode & 0o004 != 0 }

    /// Whether every user of this machine may change the file, or put files into the folder.
    var isWorldWritable: Bool { mode & 0o002 != 0 }

    /// Whether only the owner may change the file, or put files into the folder.
    var isOwnersToChange: Bool { mode & 0o022 == 0 }

    /// Whether a file in this folder keeps its name until the file's or the folder's owner, or root, changes it.
    var keepsNames: Bool { isOwnersToChange || mode & 0o1000 != 0 }

    /// The users beside the owner that can change the file, and the command that stops them; nil if only the owner can.
    /// - Parameter change: their power over the file, such as "change it".
    func otherWriters(_ path: String, _ change: String) -> FileSystem.Failure? {
        guard !isOwnersToChange else { return nil }
        let bits = (mode & 0o020 == 0 ? "" : "g") + (mode & 0o002 == 0 ? "" : "o")
        return FileSystem.Failure(
            reason: "\(isWorldWritable ? "everybody on this machine" : "its group") can \(change)",
            remedy: "take that away: chmod \(bits)-w \(ShellWord.quoted(path))")
    }

    /// The kernel's rule: the owner's bits count for the owner, the group's for its members, the others' for the rest.
    /// - Parameter bit: 4 to read, 1 to search a folder.
    func allow(_ user: MachineUser, _ bit: UInt32) -> Bool {
        if user.isRoot { return true }
        let shift: UInt32 = user.number == owner ? 6 : user.groups.contains(group) ? 3 : 0
        return mode >> shift & bit != 0
    }
}

/// A user of this machine, with the groups that the user database gives it.
struct MachineUser: Sendable {
    let number: UInt32
    /// Empty for a user that the database does not know.
    let groups: Set<UInt32>

    var isRoot: Bool { number == 0 }

    init(number: UInt32, groups: Set<UInt32>) {
        self.number = number
        self.groups = groups
    }

    /// Asks the user database.
    init(number: UInt32) {
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

/// A word of a command that a remedy shows.
public enum ShellWord {
    public static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-+,@%=:".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
