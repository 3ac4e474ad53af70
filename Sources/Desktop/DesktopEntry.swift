/// A `.desktop` file (Desktop Entry Specification), as far as schemes are concerned.
struct DesktopEntry: Hashable, Sendable {
    /// The keys of the group `[Desktop Entry]`, unescaped only where ``text(_:)`` is asked.
    private let keys: [String: String]

    /// Reads a file of any program; nil when it has no such group.
    init?(parsing text: String) {
        var keys: [String: String] = [:]
        var group: Substring?
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                if group == "[Desktop Entry]" { break }
                group = line.prefix { $0 != "]" } + "]"
            } else if group == "[Desktop Entry]", !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") {
                let key = line[..<sign].trimmed
                if keys[key] == nil { keys[key] = line[line.index(after: sign)...].trimmed }
            }
        }
        guard group != nil, !keys.isEmpty else { return nil }
        self.keys = keys
    }

    func raw(_ key: String) -> String? { keys[key] }

    func list(_ key: String) -> [String] {
        (keys[key] ?? "").split(separator: ";").map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    var isHidden: Bool { keys["Hidden"] == "true" }

    /// The app's ID, in an entry that this program has made.
    var app: String? { keys[Self.appKey] }

    /// Whether another program has made it. An entry that starts no program belongs to no program: it is usually a
    /// broken entry of ours.
    func isOfAnother(than id: String) -> Bool { app != id && raw("Exec") != nil }

    /// The files and folders that were made for it beside the file itself.
    var made: [String] { list(Self.madeKey) }

    private static let appKey = "X-Switchyard-App"
    private static let madeKey = "X-Switchyard-Made"

    /// The file for an app.
    /// - Parameters:
    ///   - program: the full path of this program, free of characters that need quotes.
    ///   - made: see ``made``.
    static func text(of app: DesktopApp, program: String, made: [String]) -> String {
        let written = escaped(app.name)
        let name = written.isEmpty ? "\(app.id)" : written
        var lines = [
            "[Desktop Entry]", "Type=Application", "Version=1.0", "Name=\(name)",
            "Comment=Takes the sign-ins of this app", "Exec=\(program) open %u", "NoDisplay=true", "Terminal=false",
            "StartupNotify=false", "MimeType=\(app.schemes.map { $0.mimeType + ";" }.joined())", "\(appKey)=\(app.id)",
        ]
        if !made.isEmpty { lines.append("\(madeKey)=\(made.map { $0 + ";" }.joined())") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// An entry of ours, with another note of the files made for it.
    static func text(_ old: String, made: [String]) -> String {
        let lines = old.split(separator: "\n").filter { !$0.hasPrefix("\(madeKey)=") }.map(String.init)
        let last = made.isEmpty ? [] : ["\(madeKey)=\(made.map { $0 + ";" }.joined())"]
        return (lines + last).map { $0 + "\n" }.joined()
    }

    private static func escaped(_ text: String) -> String {
        let plain = text.unicodeScalars.map { scalar -> String in
            scalar.properties.generalCategory == .control || scalar.properties.isWhitespace ? " " : String(scalar)
        }.joined()
        return String(plain.prefix(100)).trimmed.replacing("\\", with: "\\\\")
    }

    /// Whether a path can stand in `Exec` as it is: anything else would need quotes, which not every
    /// desktop reads alike.
    static func isPlain(program: String) -> Bool {
        program.hasPrefix("/")
            && program.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "/._-+,:@".utf8.contains(byte)
                }
            }
    }
}

extension StringProtocol {
    /// Without spaces and tabs around it.
    var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return String(start[...end])
    }
}
