internal import Glibc
internal import SwitchyardCLinux
internal import SwitchyardFiles
internal import SwitchyardReactor

/// This process, and programs that outlive it.
public enum OwnProcess {
    /// The path of this program; nil where the kernel does not tell.
    public static var program: String? { FilePath.target(ofLink: "/proc/self/exe") }

    /// The name of the parent program; nil if the kernel hides it.
    public static var parentName: String? {
        SmallFile.text("/proc/\(getppid())/comm", maximum: 64).map { String($0.prefix { !$0.isNewline }) }
    }

    /// Hides arguments from other processes: one may be a callback with its code.
    /// - Parameter first: the number of the first hidden one; 0 is the program's name.
    public static func hideArguments(from first: Int) {
        // Read before the memory that they stand in is wiped.
        _ = CommandLine.arguments
        sy_hide_arguments(Int32(clamping: first))
    }

    /// Starts a program that outlives this process.
    /// - Parameters:
    ///   - arguments: without the program's own name.
    ///   - log: the file for its output, made anew.
    /// - Returns: its process; nil if it could not be started.
    public static func startDetached(_ program: String, _ arguments: [String], log: String) -> Int32? {
        // Variables for this process alone: another program's window, sockets, the watchdog.
        let dropped = [
            "DESKTOP_STARTUP_ID=", "XDG_ACTIVATION_TOKEN=", "GIO_LAUNCHED_DESKTOP_FILE", "LISTEN_FDS=", "LISTEN_PID=",
            "LISTEN_FDNAMES=", "NOTIFY_SOCKET=", "WATCHDOG_PID=", "JOURNAL_STREAM=",
        ]
        let environment = ChildProcess.ownEnvironment.filter { variable in
            !dropped.contains { variable.hasPrefix($0) }
        }
        let words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        let process = unsafe sy_spawn_detached(program, words, variables, log)
        return process > 0 ? process : nil
    }

    /// Whether a process that this one started has ended.
    public static func hasEnded(_ process: Int32) -> Bool {
        var status: Int32 = 0
        return unsafe waitpid(process, &status, WNOHANG) != 0
    }
}
