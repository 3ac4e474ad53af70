internal import Glibc
internal import SwitchyardCLinux

/// Reports changes in a set of directories: an entry that comes, goes or is renamed, a file that was written, the
/// directory itself. The listener finds out which entry changed. Belongs to its loop's thread.
///
/// Why `@unchecked Sendable`: it is made and used on the loop's thread only.
public final class DirectoryWatcher: Watcher, @unchecked Sendable {
    private let descriptor: Int32
    private let loop: EventLoop
    private let tell: () -> Void
    private var token: WatchToken?
    /// The kernel's numbers of the watches; each directory always has the same one.
    private var watches: Set<Int32> = []

    /// - Parameter tell: is called on the loop's thread, once for all that has come together.
    public init(on loop: EventLoop, _ tell: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.tell = tell
        descriptor = try check("inotify_init1") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
        do {
            token = try loop.watch(descriptor, self, for: .readable)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Watches these from now on, and no others. One that cannot be watched is left out, and one that another directory
    /// has taken the place of is found anew.
    public func watch(_ directories: Set<String>) {
        let mask =
            IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF
        var kept: Set<Int32> = []
        for directory in directories {
            let watch = unsafe inotify_add_watch(descriptor, directory, UInt32(mask) | UInt32(IN_ONLYDIR))
            if watch >= 0 { kept.insert(watch) }
        }
        for watch in watches.subtracting(kept) { inotify_rm_watch(descriptor, watch) }
        watches = kept
    }

    /// Ends all watches.
    public func stop() {
        if let token { loop.unwatch(token, descriptor) }
        token = nil
    }

    public func isReady(_ events: Readiness) {
        if sy_inotify_drain(descriptor) != 0 { tell() }
    }
}
