internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardReactor

/// What this machine gives to a gateway beside what `limits` lets everybody take, and its clock.
struct MachineCheck {
    let configuration: Configuration

    var findings: [Finding] { [openFiles, memory, clock] }

    /// Listening sockets, loops, the log, the database, connections to issuers.
    private static let ownFiles = 128
    /// A waiting app's connection with TLS.
    private static let bytesOfConnection = 16 << 10
    private static let bytesOfProcess = 64 << 20

    /// The gateway raises what it has to what it may have.
    private var openFiles: Finding {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .ok(.machine, "open files", "their limit cannot be read")
        }
        let connections = configuration.limits.connections
        let needed = connections + Self.ownFiles
        guard limit.rlim_max < UInt(needed) else {
            return .ok(
                .machine, "open files", "\(limit.rlim_max) may be open, enough for limits: connections (\(connections))"
            )
        }
        return .warning(
            .machine, "open files",
            "\(limit.rlim_max) may be open here, although limits: connections is \(connections)",
            why:
                "each connection is an open file: in a crowd the gateway would turn people away before its own limit does",
            do: "LimitNOFILE=\(needed) in the unit (or ulimit -Hn \(needed)), or a lower limits: connections")
    }

    private var memory: Finding {
        guard let (available, source) = Self.availableMemory() else {
            return .ok(.machine, "memory", "what is free cannot be read")
        }
        let limits = configuration.limits
        let needed = limits.keptBytes + limits.connections * Self.bytesOfConnection + Self.bytesOfProcess
        let words = "\(available >> 20) MiB are free (\(source)); limits lets it take up to \(needed >> 20) MiB"
        guard available < needed else { return .ok(.machine, "memory", words) }
        return .warning(
            .machine, "memory", words, why: "in a crowd the kernel would end the gateway before its limits do",
            do:
                "give it more, or lower limits: kept_bytes (\(limits.keptBytes >> 20) MiB) or connections (\(limits.connections))"
        )
    }

    /// In bytes: of the control group, if that is less than what the machine has.
    private static func availableMemory() -> (bytes: Int, source: String)? {
        var machine: Int?
        for line in (TextFile.text("/proc/meminfo") ?? "").split(separator: "\n") where line.hasPrefix("MemAvailable:")
        {
            machine = line.split(separator: " ").compactMap { Int($0) }.first.map { $0 << 10 }
        }
        let group = TextFile.firstLine("/proc/self/cgroup").flatMap { line in
            line.hasPrefix("0::") ? "/sys/fs/cgroup\(line.dropFirst(3))" : nil
        }
        if let group, let maximum = TextFile.firstLine("\(group)/memory.max").flatMap({ Int($0) }),
            maximum < machine ?? .max
        {
            return (maximum, "memory.max of this control group")
        }
        return machine.map { ($0, "MemAvailable") }
    }

    private var clock: Finding {
        guard let isKept = WallClock.isKeptRight else {
            return .ok(.machine, "clock", "whether it is kept right cannot be read")
        }
        guard !isKept else {
            return .ok(.machine, "clock", "it is kept right (NTP)")
        }
        return .warning(
            .machine, "clock", "nothing keeps it right",
            why: "tokens live by the clock: a minute beside the issuer's, and every sign-in fails",
            do:
                "run chrony or systemd-timesyncd; with a virtual machine that follows its host, look at the issuers' clocks above"
        )
    }
}
