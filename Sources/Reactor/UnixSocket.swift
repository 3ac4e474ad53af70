internal import Glibc
internal import SwitchyardCLinux

/// Socket files of this machine, and the processes behind them. Connects without waiting: the kernel holds a connect for as
/// long as the listener's queue is full, and the queue of a stopped process stays full.
public enum UnixSocket {
    /// Whether a process listens there. One with a full queue does, too.
    public static func isListening(at path: String) -> Bool { [0, EAGAIN].contains(codeOfConnect(to: path)) }

    /// Whether a socket file is left over from a process that is gone.
    static func isAbandoned(at path: String) -> Bool { codeOfConnect(to: path) == ECONNREFUSED }

    /// The error number of a connect; 0 if there is a connection.
    private static func codeOfConnect(to path: String) -> Int32 {
        let descriptor = unsafe sy_connect_path(path)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        return 0
    }
}
