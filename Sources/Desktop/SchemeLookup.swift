internal import Glibc
internal import SwitchyardFiles

/// Finds the program to which a desktop gives the addresses of a scheme, as the specification of associations says. The
/// desktop's own programs decide in the end: ``DesktopOpinion`` asks those.
public struct SchemeLookup: Sendable {
    /// A program that has a scheme.
    public struct Owner: Hashable, Sendable {
        /// The name of its `.desktop` file.
        public let entry: String
        public let path: String
        /// The program's name for people.
        public let name: String
        /// The app's ID, where the entry is one of ours.
        public let app: String?
        /// The program that it runs: the first word of `Exec`.
        public let program: String?
    }

    /// The folders of entries, the most important first.
    let entries: [String]
    /// The folders of association lists, likewise.
    let lists: [String]
    private let desktops: [String]

    /// The look-up of this person's desktop.
    public static var ofPerson: SchemeLookup {
        let data = ([UserFolders.data].compactMap(\.self) + UserFolders.systemData).map { "\($0)/applications" }
        let lists = [UserFolders.configuration].compactMap(\.self) + UserFolders.systemConfiguration + data
        let desktops = unsafe getenv("XDG_CURRENT_DESKTOP").map { unsafe String(cString: $0) } ?? ""
        return SchemeLookup(
            entries: data, lists: lists,
            desktops: desktops.split(separator: ":").map { $0.lowercased() }.filter { !$0.contains("/") })
    }

    /// The look-up for a person that has chosen no programs.
    public static var ofMachine: SchemeLookup {
        let data = ["/usr/local/share/applications", "/usr/share/applications"]
        return SchemeLookup(entries: data, lists: ["/etc/xdg"] + data, desktops: [])
    }

    /// The names that a list has in each folder, the most important first.
    var listNames: [String] { desktops.map { "\($0)-mimeapps.list" } + ["mimeapps.list"] }

    /// The owner of a scheme; nil without one.
    public func owner(of scheme: URLScheme) -> Owner? {
        var removed: Set<String> = []
        var added: [String] = []
        for folder in lists {
            for name in listNames {
                guard let text = SmallFile.wholeText("\(folder)/\(name)") else { continue }
                let list = AssociationList(text)
                let programs = list.programs(for: scheme.mimeType, in: AssociationList.defaults)
                for program in programs {
                    if let owner = owner(named: program) { return owner }
                }
                added += list.programs(for: scheme.mimeType, in: AssociationList.added).filter { !removed.contains($0) }
                removed.formUnion(list.programs(for: scheme.mimeType, in: AssociationList.removed))
            }
        }
        if let owner = added.lazy.compactMap({ self.owner(named: $0) }).first { return owner }
        return claimants(of: scheme).first { !removed.contains($0.entry) }
    }

    /// Every program that says of itself that it takes a scheme.
    public func claimants(of scheme: URLScheme) -> [Owner] {
        entries.flatMap { folder in
            names(in: folder).compactMap { name -> Owner? in
                guard let text = SmallFile.wholeText("\(folder)/\(name)"), text.contains(scheme.mimeType),
                    let entry = DesktopEntry(parsing: text), !entry.isHidden,
                    entry.list("MimeType").contains(scheme.mimeType)
                else { return nil }
                return owner(name.replacing("/", with: "-"), "\(folder)/\(name)", entry)
            }
        }
    }

    /// Finds the program of an entry. The entry may be in a folder that its name begins with.
    func owner(named name: String) -> Owner? {
        guard !name.contains("/"), name.hasSuffix(".desktop") else { return nil }
        let nested = name.firstIndex(of: "-").map { name[..<$0] + "/" + name[name.index(after: $0)...] }
        for folder in entries {
            for path in [name, nested.map { String($0) }].compactMap(\.self) {
                guard let text = SmallFile.wholeText("\(folder)/\(path)"), let entry = DesktopEntry(parsing: text)
                else {
                    continue
                }
                return entry.isHidden ? nil : owner(name, "\(folder)/\(path)", entry)
            }
        }
        return nil
    }

    private func owner(_ name: String, _ path: String, _ entry: DesktopEntry) -> Owner {
        Owner(
            entry: name, path: path, name: entry.raw("Name") ?? name, app: entry.app,
            program: entry.raw("Exec")?.split(separator: " ").first.map(String.init))
    }

    private func names(in folder: String) -> [String] {
        Folder.visibleNames(in: folder).flatMap { name in
            name.hasSuffix(".desktop")
                ? [name]
                : name.contains(".")
                    ? []
                    : Folder.visibleNames(in: "\(folder)/\(name)").filter { $0.hasSuffix(".desktop") }.map {
                        "\(name)/\($0)"
                    }
        }
    }
}

/// The opinion of the desktop's own programs on a scheme: GIO, as Firefox and GNOME ask it, and `xdg-mime`, as Chromium
/// does.
public struct DesktopOpinion: Sendable {
    public enum Verdict: Hashable, Sendable, CustomStringConvertible {
        /// The program that is to be asked is not installed.
        case notAsked
        case nobody
        /// The name of a `.desktop` file.
        case program(String)

        public var description: String {
            switch self {
            case .notAsked: "not asked"
            case .nobody: "nobody"
            case .program(let name): name
            }
        }
    }

    public let gio: Verdict
    public let xdgMIME: Verdict

    public var verdicts: [Verdict] { [gio, xdgMIME] }

    /// - Parameter environment: as ``DesktopTool/run(_:_:environment:)`` has it.
    public init(of scheme: URLScheme, environment: [String: String?] = [:]) {
        gio =
            DesktopTool.run("gio", ["mime", scheme.mimeType], environment: environment).map { answer in
                // `Default application for “x-scheme-handler/x”: name.desktop`, in the person's language.
                let line = answer.text.split(separator: "\n").first ?? ""
                return Self.program(line.split(separator: " ").last)
            } ?? .notAsked
        xdgMIME =
            DesktopTool.run("xdg-mime", ["query", "default", scheme.mimeType], environment: environment).map {
                Self.program($0.text.split(separator: "\n").first)
            } ?? .notAsked
    }

    private static func program(_ word: Substring?) -> Verdict {
        guard let word = word?.trimmed, word.hasSuffix(".desktop") else { return .nobody }
        return .program(word)
    }

    /// Whether this machine's `xdg-open` takes an address with this scheme for a file's name. Debian 12's does so if
    /// the scheme has a digit, except on desktops that open addresses themselves.
    public static func xdgOpenMistakes(_ scheme: URLScheme) -> Bool {
        guard scheme.hasDigit, let path = DesktopTool.path(of: "xdg-open"), let script = SmallFile.wholeText(path)
        else {
            return false
        }
        return script.contains("^[[:alpha:]+\\.\\-]+:")
    }
}
