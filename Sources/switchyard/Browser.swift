internal import Glibc

/// The person's browser.
enum Browser {
    /// Opens an address with `xdg-open`. The address is one argument; no shell sees it.
    /// - Returns: whether a browser was asked to; false where there is no desktop, such as over SSH.
    static func open(_ url: String) -> Bool {
        guard url.hasPrefix("https://") || url.hasPrefix("http://"),
            Environment["DISPLAY"] != nil || Environment["WAYLAND_DISPLAY"] != nil
        else { return false }
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
}
