internal import SwitchyardBridge
internal import SwitchyardFiles

/// The owner of a port of this machine, as far as /proc tells this user.
struct PortOwner {
    /// The owner's name, such as `node (process 812)`; for another session of ours, its machine.
    let name: String
    /// The way to free the port.
    let remedy: String

    /// - Returns: nil when it cannot be told.
    static func find(_ port: UInt16) -> PortOwner? {
        let rows = SocketTable().rows.filter { $0.port == port }
        let listeners = rows.filter(\.isListening)
        let sockets = Set((listeners.isEmpty ? rows : listeners).map { "socket:[\($0.inode)]" })
        guard !sockets.isEmpty else { return nil }
        for process in (try? Folder("/proc").names()) ?? [] where process.allSatisfy(\.isNumber) {
            for descriptor in (try? Folder("/proc/\(process)/fd").names()) ?? [] {
                guard let target = FilePath.target(ofLink: "/proc/\(process)/fd/\(descriptor)"),
                    sockets.contains(target)
                else { continue }
                return PortOwner(process: process, isListening: !listeners.isEmpty)
            }
        }
        return nil
    }

    private init(process: String, isListening: Bool) {
        let program = TextFile.firstLine("/proc/\(process)/comm") ?? "a program"
        let isOurs = program == TextFile.firstLine("/proc/self/comm")
        let host = isOurs ? Self.sessionHost(process) : nil
        let session = host.map { ", the session with \($0)" } ?? ""
        name = "\(program.quotable) (process \(process)\(session))"
        remedy =
            host != nil
            ? "Finish or refuse the sign-in that is under way there, and start this one again."
            : isListening ? Self.remedy : "It is a connection's: start the sign-in again, which may take another port."
    }

    /// The remedy for an unknown owner.
    static let remedy = "Free the port, and start the sign-in again."

    /// The host of a `switchyard ssh` process, by its arguments.
    private static func sessionHost(_ process: String) -> String? {
        let words = TextFile.text("/proc/\(process)/cmdline")?.split(separator: "\0", omittingEmptySubsequences: false)
        guard let words, words.count > 2, words[1] == "ssh",
            let arguments = try? SSHArguments(words.dropFirst(2).dropLast().map(String.init)), !arguments.host.isEmpty
        else { return nil }
        return UntrustedText.shown(arguments.host, limit: 100)
    }
}
