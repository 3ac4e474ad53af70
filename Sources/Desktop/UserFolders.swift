internal import Glibc
internal import SwitchyardFiles

/// The folders of the person that this process runs for (XDG Base Directory Specification). A variable that is no
/// absolute path counts as if it were not set, as the specification has it.
public enum UserFolders {
    /// nil where neither the environment nor the user database knows it.
    public static var home: String? {
        if let home = variable("HOME") { return home }
        guard let entry = unsafe getpwuid(geteuid()), let text = unsafe entry.pointee.pw_dir else { return nil }
        let home = unsafe String(cString: text)
        return home.hasPrefix("/") ? home : nil
    }

    /// `$XDG_CONFIG_HOME`, else `~/.config`.
    public static var configuration: String? { variable("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" } }

    /// `$XDG_DATA_HOME`, else `~/.local/share`.
    public static var data: String? { variable("XDG_DATA_HOME") ?? home.map { "\($0)/.local/share" } }

    /// `$XDG_DATA_DIRS`, the most important first.
    public static var systemData: [String] {
        let written = unsafe getenv("XDG_DATA_DIRS").map { unsafe String(cString: $0) } ?? ""
        return list(written.isEmpty ? "/usr/local/share:/usr/share" : written)
    }

    /// `$XDG_CONFIG_DIRS`, the most important first.
    public static var systemConfiguration: [String] {
        let written = unsafe getenv("XDG_CONFIG_DIRS").map { unsafe String(cString: $0) } ?? ""
        return list(written.isEmpty ? "/etc/xdg" : written)
    }

    /// The folder that a login makes for this user's sockets: `$XDG_RUNTIME_DIR`, else `/run/user/UID`. One that belongs to
    /// another user, as after `su`, or that others can write, is passed over.
    public static var ofLogin: String? {
        for path in [variable("XDG_RUNTIME_DIR"), "/run/user/\(geteuid())"] {
            guard let path, let status = try? FileStatus(at: path), status.kind == .folder else { continue }
            if status.permissions.isOwn, status.permissions.isOwnersToChange { return path }
        }
        return nil
    }

    /// The folder for sockets of this session: `$XDG_RUNTIME_DIR`, else the one that a login would have made, else a
    /// folder in the home. A folder of another user, as after `su`, is skipped.
    static var runtime: String? {
        if let ofLogin { return ofLogin }
        guard let home else { return nil }
        return "\(variable("XDG_CACHE_HOME") ?? "\(home)/.cache")"
    }

    /// An absolute path without the slashes at its end.
    private static func variable(_ name: String) -> String? {
        guard let text = unsafe getenv(name).map({ unsafe String(cString: $0) }), text.hasPrefix("/") else {
            return nil
        }
        return withoutSlashes(text)
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }.map(withoutSlashes)
    }

    private static func withoutSlashes(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}
