internal import SwitchyardText

/// A scheme that an app may have on a desktop (RFC 3986 section 3.1), lower-cased as browsers ask for
/// it. Safe from any thread.
public struct URLScheme: Hashable, Sendable, CustomStringConvertible {
    /// The reason why a text is no usable scheme.
    public enum SchemeError: Error, Hashable, Sendable, CustomStringConvertible {
        case malformed
        /// Browsers, or everybody's other programs, live by it.
        case reserved

        public var description: String {
            switch self {
            case .malformed: "is no scheme: a letter, then letters, digits, \"+\", \"-\" and \".\", at most 64"
            case .reserved: "is no app's own: everybody's browser, mail or files would go through it"
            }
        }
    }

    public let text: String

    public init(_ text: String) throws(SchemeError) {
        let bytes = Array(text.utf8)
        guard (1...64).contains(bytes.count), let first = bytes.first, ASCII.isAlphanumeric(first),
            !ASCII.isDigit(first),
            bytes.allSatisfy({ ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) })
        else { throw .malformed }
        self.text = text.lowercased()
        guard !Self.reserved.contains(self.text) else { throw .reserved }
    }

    public var description: String { text }

    /// The desktop's name for it.
    public var mimeType: String { "x-scheme-handler/\(text)" }

    public var hasDigit: Bool { text.utf8.contains { ASCII.isDigit($0) } }

    private static let reserved: Set<String> = [
        // Schemes that browsers handle themselves, or run as their own.
        "http", "https", "ws", "wss", "ftp", "ftps", "file", "javascript", "vbscript", "data", "blob", "about",
        "view-source", "filesystem", "jar", "resource", "chrome", "chrome-extension", "chrome-search",
        "chrome-untrusted", "devtools", "moz-extension", "edge", "brave", "android-app", "intent", "content",
        "cid", "mid", "urn", "wyciwyg", "feed", "res", "mk", "its", "ms-its", "mhtml", "localhost",
        // Schemes for which people have other programs.
        "mailto", "tel", "sms", "smsto", "callto", "sip", "sips", "xmpp", "irc", "ircs", "news", "nntp", "snews",
        "webcal", "webcals", "geo", "magnet", "bitcoin", "ldap", "ldaps", "gopher", "gemini", "info", "man", "help",
        "ghelp", "apt", "apt+http", "snap", "appstream", "flatpak", "flatpak+https", "x-github-client",
        // Schemes that open machines and folders.
        "ssh", "sftp", "scp", "fish", "telnet", "rlogin", "rsync", "smb", "smb+ssh", "nfs", "afp", "dav", "davs", "mtp",
        "ptp", "gphoto2", "trash", "recent", "network", "computer", "burn", "cdda", "admin", "root", "vnc", "rdp",
        "spice", "git", "git+ssh", "svn", "svn+ssh", "shell", "exec", "terminal", "dbus", "desktop",
        "x-scheme-handler", "search-ms", "ms-msdt", "steam",
    ]
}
