internal import Glibc
internal import SwitchyardFiles

/// Names a process for other processes of this machine: its number alone may be another's by now.
enum ProcessIdentity {
    /// The mark of this process; nil where `/proc` cannot be read.
    static let own: String? = of(getpid())

    static func of(_ process: pid_t) -> String? {
        guard let scope, case .there(let start) = life(of: process) else { return nil }
        return "\(scope):\(process):\(start)"
    }

    /// Whether the process of a mark is known to be gone; false for a process of another machine, container or boot,
    /// which cannot be seen.
    static func isGone(_ mark: some StringProtocol) -> Bool {
        let parts = mark.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, let scope, "\(parts[0]):\(parts[1])" == scope, let process = pid_t(parts[2]),
            process > 0
        else { return false }
        return switch life(of: process) {
        case .there(let start): start != String(parts[3])
        case .gone: true
        case .unknown: false
        }
    }

    /// Whether a mark is of this run of this machine, and of a process that could be seen from here.
    static func isOfThisRun(_ mark: some StringProtocol) -> Bool {
        guard let scope else { return false }
        return mark.hasPrefix("\(scope):")
    }

    private enum Life {
        /// With the time of its start, in ticks since that of the machine.
        case there(start: String)
        /// There is no such process, or only a zombie of it.
        case gone
        case unknown
    }

    private static func life(of process: pid_t) -> Life {
        guard let line = SmallFile.text("/proc/\(process)/stat"), let name = line.lastIndex(of: ")") else {
            return kill(process, 0) != 0 && errno == ESRCH ? .gone : .unknown
        }
        // proc(5): after the name comes field 3, the state; field 20 counts the threads, field 22 is the start.
        let fields = line[line.index(after: name)...].split(separator: " ")
        guard fields.count > 19 else { return .unknown }
        // The first thread may be over while others go on.
        if fields[0] == "Z" || fields[0] == "X" { return fields[17] == "1" || fields[17] == "0" ? .gone : .unknown }
        return .there(start: String(fields[19]))
    }

    /// This run of the machine, and the process numbers that are seen from here.
    private static let scope: String? = {
        guard let boot = SmallFile.text("/proc/sys/kernel/random/boot_id") else { return nil }
        guard let space = try? FileStatus(at: "/proc/self/ns/pid") else { return nil }
        return "\(boot.prefix { !$0.isWhitespace }):\(space.identity.inode)"
    }()
}
