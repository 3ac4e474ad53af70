internal import SwitchyardFiles
internal import SwitchyardText

/// The mounts of a process, with their kinds of file system, as `/proc/PID/mountinfo` lists them.
///
/// A program answers for a file system of the FUSE family. If it never answers, every caller blocks for ever, past
/// SIGKILL. So the agent looks here before it asks one.
struct MountTable {
    private let types: [UInt64: String]

    /// - Parameter text: by bytes, which are several times faster to take apart than characters.
    init(_ text: [UInt8]) {
        var types: [UInt64: String] = [:]
        for line in text.split(separator: UInt8(ascii: "\n")) {
            // ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [FIELD …] - TYPE SOURCE OPTIONS; blanks in names are written as \040.
            let fields = line.split(separator: UInt8(ascii: " "))
            guard let first = fields.first, let id = UInt64(String(decoding: first, as: UTF8.self)),
                let dash = fields.firstIndex(where: { $0.elementsEqual("-".utf8) }), dash + 1 < fields.count
            else { continue }
            types[id] = String(decoding: fields[dash + 1], as: UTF8.self)
        }
        self.types = types
    }

    /// The mounts of this process; empty if the kernel hides them.
    static var own: MountTable {
        MountTable(SmallFile.bytes("/proc/self/mountinfo", maximum: 1 << 20, followsLink: false) ?? [])
    }

    /// The most bytes that another process's list may have. A program can make mounts without end in a name space of
    /// its own, and the agent reads the list on its one loop.
    static let maximumForeign = 64 << 10

    /// The mounts of another process by its folder in `/proc`; empty if the kernel hides them, and nil if the list is too
    /// long.
    static func foreign(_ process: String) -> MountTable? {
        let text = SmallFile.bytes("\(process)/mountinfo", maximum: maximumForeign + 1, followsLink: false) ?? []
        return text.count > maximumForeign ? nil : MountTable(text)
    }

    /// Whether the kernel itself answers for a mount of this process, or somebody that its administrator has chosen (NFS).
    func mayAsk(_ mount: UInt64) -> Bool {
        guard let type = types[mount] else { return false }
        return type != "fuse" && !type.hasPrefix("fuse.") && type != "fuseblk"
    }

    /// Whether a mount in a foreign name space is of a kind that no program can answer for. An overlay may lie on FUSE there.
    func mayAskForeign(_ mount: UInt64) -> Bool {
        types[mount].map(Self.kernelTypes.contains) ?? false
    }

    private static let kernelTypes: Set<String> = ["tmpfs", "ramfs", "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs"]
}
