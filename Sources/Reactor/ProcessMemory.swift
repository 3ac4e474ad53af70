internal import Glibc
internal import SwitchyardFiles

/// How much memory this process has, and may have by its control group.
public struct ProcessMemory: Sendable {
    /// The resident memory of the process in bytes; nil where it cannot be read.
    public let resident: Int?
    /// The lowest limit of its control group and of the groups above, in bytes; nil without a limit, or where it cannot
    /// be read.
    public let maximum: Int?

    /// No tree of groups that anybody makes is as deep.
    private static let maximumDepth = 32

    /// The present memory of this process.
    public static var own: ProcessMemory { ProcessMemory(reading: { SmallFile.text($0) }) }

    /// - Parameter text: reads a file of the kernel; nil for a missing file.
    init(reading text: (_ path: String) -> String?) {
        let pages = text("/proc/self/statm")?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        resident = pages.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
        let measures = Self.measures(text("/proc/self/cgroup") ?? "")
        maximum = measures.compactMap { text($0).flatMap { Int($0.prefix { !$0.isNewline }) } }.filter {
            $0 < Self.unbounded
        }.min()
    }

    /// The older hierarchy says so with a number, the newer one with a word.
    private static let unbounded = 1 << 60

    /// The files with the measures of its group and of those above it, in either hierarchy. A process may be in both,
    /// and only one of them has such files.
    private static func measures(_ membership: String) -> [String] {
        membership.split(separator: "\n").flatMap { line -> [String] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let isOlder = parts[1].split(separator: ",").contains("memory")
            guard isOlder || parts[1].isEmpty else { return [] }
            let root = isOlder ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup"
            let names = parts[2].split(separator: "/").prefix(maximumDepth).map(String.init)
            return (0...names.count).map { depth in
                ([root] + names.prefix(depth) + [isOlder ? "memory.limit_in_bytes" : "memory.max"])
                    .joined(separator: "/")
            }
        }
    }
}
