internal import SwitchyardText

/// The mounts of a process, with their kinds of file system, as `/proc/PID/mountinfo` lists them.
///
/// A program answers for a file system of the FUSE family. If it never answers, every caller blocks for ever, past
/// SIGKILL. So the agent looks here before it asks one.
struct MountTable {
    private let types: [UInt64: Substring]

    init(_ text: String) {
        var types: [UInt64: Substring] = [:]
        for line in text.split(separator: "\n") {
            // ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [FIELD …] - TYPE SOURCE OPTIONS; blanks in names are written as \040.
            let fields = line.split(separator: " ")
            guard let first = fields.first, let id = UInt64(first), let dash = fields.firstIndex(of: "-"),
                dash + 1 < fields.count
            else { continue }
            types[id] = fields[dash + 1]
        }
        self.types = types
    }

    /// The mounts of a process by its folder in `/proc`; empty if the kernel hides them.
    static func of(_ process: String) -> MountTable {
        MountTable(SmallFile.text("\(process)/mountinfo", maximum: 1 << 20) ?? "")
    }

    /// Whether the kernel itself answers for a mount of this process, or somebody that its administrator has chosen (NFS).
    func mayAsk(_ mount: UInt64) -> Bool {
        guard let type = types[mount] else { return false }
        return type != "fuse" && !type.hasPrefix("fuse.") && type != "fuseblk"
    }

    /// Whether a mount in a foreign name space is of a kind that no program can answer for. An overlay may lie on FUSE there.
    func mayAskForeign(_ mount: UInt64) -> Bool {
        types[mount].map { Self.kernelTypes.contains(String($0)) } ?? false
    }

    private static let kernelTypes: Set<String> = ["tmpfs", "ramfs", "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs"]
}
