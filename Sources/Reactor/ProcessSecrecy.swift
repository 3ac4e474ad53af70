internal import SwitchyardCLinux

/// Keeps tokens and keys in the memory of this process out of core files. For our own programs: an app that links the
/// library decides for itself.
public enum ProcessSecrecy {
    /// Lets the kernel write no core file of this process. Programs that it begins inherit that, and may raise their limit.
    public static func forbidCoreFiles() {
        _ = sy_forbid_core_files()
    }

    /// Hides the memory and the open files of this process from other processes of its user, and keeps them out of core
    /// files and crash backtraces. For a process that serves: an agent cannot tell which program a hidden caller is.
    public static func hideProcess() {
        _ = sy_hide_process()
    }
}
