internal import Glibc
internal import SwitchyardFiles

/// The person's browser.
public enum Browser {
    /// Opens an address with `xdg-open`. The address is one argument; no shell sees it. Blocks for up to three seconds.
    /// - Returns: whether a browser was asked to; false where there is no desktop, such as over SSH, and for
    ///   anything but http and https.
    public static func open(_ url: String) -> Bool {
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") else {
            return false
        }
        var pid = pid_t()
        let words = ["xdg-open", url]
        let arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer {
            for index in words.indices { unsafe free(arguments[index]) }
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // The threads of an event loop block all signals; a browser must not.
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        guard unsafe posix_spawnp(&pid, "xdg-open", nil, &attributes, arguments, environ) == 0 else { return false }
        return hasOpened(pid)
    }

    /// Shows an address on standard error, unbuffered, so a program that reads a pipe gets it at once.
    /// - Returns: whether a person may have seen it.
    public static func tell(_ url: String) -> Bool {
        // The address comes from a gateway or an issuer. Other bytes are invalid in an address, and a terminal may obey
        // them.
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        let text = Array("Open this address in a browser:\n\n  \(url)\n\n".utf8)
        return (try? Descriptor.write(text, to: STDERR_FILENO)) != nil
    }

    /// On some desktops the program becomes the browser, and ends when that is closed: one that still runs after a
    /// while has done its work.
    private static func hasOpened(_ pid: pid_t) -> Bool {
        for _ in 0..<60 {
            var status: Int32 = 0
            switch unsafe waitpid(pid, &status, WNOHANG) {
            case 0: usleep(50_000)
            case pid: return status == 0
            // A process that ignores SIGCHLD cannot learn the status.
            default: return errno == ECHILD
            }
        }
        reap(pid)
        return true
    }

    /// Leaves no zombie behind.
    private static func reap(_ pid: pid_t) {
        var thread = pthread_t()
        let argument = unsafe UnsafeMutableRawPointer(bitPattern: Int(pid))
        guard unsafe pthread_create(&thread, nil, waitForEnd, argument) == 0 else { return }
        pthread_detach(thread)
    }

    /// An empty variable names no display.
    private static func isSet(_ name: String) -> Bool {
        unsafe getenv(name).map { unsafe $0.pointee != 0 } ?? false
    }
}

/// The body of the thread that takes a process's end.
private func waitForEnd(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    var status: Int32 = 0
    _ = unsafe waitpid(pid_t(Int(bitPattern: argument)), &status, 0)
    return nil
}
