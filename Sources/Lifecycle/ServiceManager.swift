internal import Glibc
internal import SwitchyardCSystemd
public import SwitchyardReactor

/// The service manager that runs this program (systemd). Without one, these functions have no effect.
public enum ServiceManager {
    /// Something to tell it (sd_notify(3)).
    public enum News: Sendable, Equatable {
        case ready
        case reloading
        case stopping
        /// One line for people.
        case status(String)
        /// All is well: to be told again within ``watchdogInterval``.
        case alive
        /// Another process is the service from now on.
        case mainProcess(Int32)

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Instant.now().nanoseconds / 1000)"
            case .stopping: "STOPPING=1"
            case .status(let line): "STATUS=\(String(line.map { $0.isNewline ? " " : $0 }))"
            case .alive: "WATCHDOG=1"
            case .mainProcess(let process): "MAINPID=\(process)"
            }
        }
    }

    /// Tells it, all at once. A service manager that does not listen is ignored.
    public static func tell(_ news: News...) {
        _ = unsafe sd_notify(0, news.map(\.text).joined(separator: "\n"))
    }

    /// After how long it takes the program for hung; nil where it does not look.
    public static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard unsafe sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }

    /// The sockets that it has opened for this program. Ask once, before other code opens descriptors.
    /// - Throws: ``SystemError`` that names the descriptor that is no listening socket.
    public static func inheritedSockets() throws(SystemError) -> [InheritedSocket] {
        let count = sd_listen_fds(1)
        var sockets: [InheritedSocket] = []
        for number in 0..<max(0, count) {
            sockets.append(try InheritedSocket(SD_LISTEN_FDS_START + number, isOurs: false))
        }
        return sockets
    }
}
