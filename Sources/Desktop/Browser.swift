internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardReactor

/// The person's browser.
public enum Browser {
    /// Opens an address with `xdg-open`. The address is one argument; no shell sees it. Blocks for up to three seconds.
    /// - Returns: whether a browser was asked to; false where there is no desktop, such as over SSH, and for
    ///   anything but http and https.
    public static func open(_ url: String) -> Bool {
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") else {
            return false
        }
        let process = try? ChildProcess.start(
            "xdg-open", ["xdg-open", url], ChildProcess.ownEnvironment, input: STDIN_FILENO, output: STDOUT_FILENO,
            error: STDERR_FILENO, bond: .none)
        return process.map { hasOpened($0) } ?? false
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
    private static func hasOpened(_ process: Int32) -> Bool {
        switch ChildProcess.wait(for: process, until: .now() + .seconds(3)) {
        case .ended(let end): return end == .exited(0)
        case .unknown: return true
        case .running:
            // Leaves no zombie behind.
            try? DetachedThread.start { while waitpid(process, nil, 0) < 0, errno == EINTR {} }
            return true
        }
    }

    /// An empty variable names no display.
    private static func isSet(_ name: String) -> Bool {
        unsafe getenv(name).map { unsafe $0.pointee != 0 } ?? false
    }
}
