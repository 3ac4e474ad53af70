/// The names of the units that desktops start apps in (systemd's "Desktop Environment Integration").
enum DesktopUnit {
    /// The desktop ID of a process by the text of its `/proc/PID/cgroup`; nil for one that no desktop of this user started.
    static func desktopID(ofControlGroup text: String, uid: UInt32) -> String? {
        // Version 2 has one line: "0::/user.slice/…".
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let parts = line.dropFirst("0::".count).split(separator: "/").drop { $0 != "user@\(uid).service" }
        // The outermost one is the desktop's. A program may make control groups below its own, and name them as it likes.
        return parts.lazy.compactMap { desktopID(ofUnit: String($0)) }.first
    }

    /// `app[-LAUNCHER]-ID-RANDOM.scope`, or `app[-LAUNCHER]-ID[@RANDOM].service`.
    static func desktopID(ofUnit unit: String) -> String? {
        guard unit.hasPrefix("app-") else { return nil }
        var name = unit.dropFirst("app-".count)
        let isScope = name.hasSuffix(".scope")
        guard isScope || name.hasSuffix(".service") else { return nil }
        name = name.dropLast(isScope ? ".scope".count : ".service".count)
        if !isScope { name = name.prefix { $0 != "@" } }
        // A hyphen in one of the parts is written in another way.
        var parts = name.split(separator: "-", omittingEmptySubsequences: false)
        if isScope { _ = parts.popLast() }
        guard (1...2).contains(parts.count), let last = parts.last, !last.isEmpty else { return nil }
        return unescaped(last)
    }

    /// systemd writes bytes that have a meaning in names as `\x2d`.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3,
                let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
