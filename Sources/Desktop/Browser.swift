internal import Glibc

/// The person's browser.
public enum Browser {
    /// Opens an address with `xdg-open`, and waits for that program. The address is one argument; no shell sees it.
    /// - Returns: whether a browser was asked to; false where there is no desktop, such as over SSH, and for anything but
    ///   http and https.
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
        guard unsafe posix_spawnp(&pid, "xdg-open", nil, nil, arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        return unsafe waitpid(pid, &status, 0) == pid && status == 0
    }

    private static func isSet(_ name: String) -> Bool {
        unsafe getenv(name) != nil
    }
}
