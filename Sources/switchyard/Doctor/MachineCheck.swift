internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor
internal import SwitchyardText

/// Compares this machine's resources with `limits`, and checks its clock. If the gateway runs, it supplies its own
/// figures.
struct MachineCheck: Sendable {
    let configuration: Configuration
    let gateway: Result<AdminConnection, CommandError>

    func findings(with client: HTTPClient) async -> [Finding] {
        var status = JSONObject()
        if let admin = try? gateway.get(), let answer = try? await admin.get("/v1/status", with: client),
            answer.status == 200
        {
            status = answer.body
        }
        return [openFiles(status), memory(status), clock] + clockSteps(status)
    }

    /// Listening sockets, loops, the log, the database, connections to issuers.
    private static let ownFiles = 128
    /// A waiting app's connection with TLS.
    private static let bytesOfConnection = 16 << 10
    private static let bytesOfProcess = 64 << 20

    /// Compares with the hard limit, because a gateway raises its soft limit up to it. The limits of its unit may
    /// differ from those of the caller.
    private func openFiles(_ status: JSONObject) -> Finding {
        let running = status["open_files"]?.integer.map { Int(clamping: $0) }
        guard let maximum = running ?? Self.ownMaximum else {
            return .ok(.machine, "open files", "their limit cannot be read")
        }
        let place = running == nil ? "here" : "in the running gateway"
        let connections = configuration.limits.connections
        let needed = connections + Self.ownFiles
        guard maximum < needed else {
            return .ok(
                .machine, "open files",
                "\(maximum) may be open \(place), enough for limits: connections (\(connections))")
        }
        return .warning(
            .machine, "open files",
            "\(maximum) may be open \(place), although limits: connections is \(connections)",
            why:
                "each connection is an open file: in a crowd the gateway would turn people away before its own limit does",
            do: "LimitNOFILE=\(needed) in the unit (or ulimit -Hn \(needed)), or a lower limits: connections")
    }

    private static var ownMaximum: Int? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(clamping: limit.rlim_max)
    }

    /// The finding names the control group, because that of the gateway's unit may differ from that of the caller.
    private func memory(_ status: JSONObject) -> Finding {
        let running = status["memory"]?.object
        let group = running.map { $0["maximum_bytes"]?.integer.map { Int(clamping: $0) } } ?? ProcessMemory.own.maximum
        // The gateway's present memory counts as available to it.
        let resident = running?["resident_bytes"]?.integer.map { Int(clamping: $0) } ?? 0
        let machine = Self.availableOfMachine.map { $0 + resident }
        guard let available = [group, machine].compactMap({ $0 }).min() else {
            return .ok(.machine, "memory", "what is free cannot be read")
        }
        let place = running == nil ? "here" : "to the running gateway"
        let source = available == group ? "by \(running == nil ? "this" : "its") control group" : "MemAvailable"
        let limits = configuration.limits
        let needed = limits.keptBytes + limits.connections * Self.bytesOfConnection + Self.bytesOfProcess
        let words =
            "\(available >> 20) MiB are free \(place) (\(source)); limits lets it take up to \(needed >> 20) MiB"
        guard available < needed else { return .ok(.machine, "memory", words) }
        return .warning(
            .machine, "memory", words, why: "in a crowd the kernel would end the gateway before its limits do",
            do:
                "give it more (MemoryMax in the unit), or lower limits: kept_bytes (\(limits.keptBytes >> 20) MiB) or connections (\(limits.connections))"
        )
    }

    /// In bytes.
    private static var availableOfMachine: Int? {
        for line in (TextFile.text("/proc/meminfo") ?? "").split(separator: "\n") where line.hasPrefix("MemAvailable:")
        {
            return line.split(separator: " ").compactMap { Int($0) }.first.map { $0 << 10 }
        }
        return nil
    }

    private func clockSteps(_ status: JSONObject) -> [Finding] {
        guard let steps = status["clock_steps"]?.object, let count = steps["count"]?.integer, count > 0 else {
            return []
        }
        let seconds = steps["last_seconds"]?.integer ?? 0
        let way = seconds < 0 ? "back" : "forward"
        let times = count == 1 ? "once" : "\(count) times"
        return [
            .warning(
                .machine, "clock",
                "it was set \(times) since the gateway began, lately \(way) by \(abs(seconds)) seconds, at "
                    + (steps["last_at"]?.string ?? "").quotable,
                why:
                    "sign-ins under way keep their own time, but tokens and certificates are judged by the new one, and lines of the log lie beside each other",
                do:
                    "have one service keep it, which moves it slowly (chrony: makestep 1 3); a virtual machine that slept is set once as it wakes"
            )
        ]
    }

    private var clock: Finding {
        guard let isKept = WallTime.isKeptRight else {
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
