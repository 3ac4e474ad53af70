internal import Glibc
public import SwitchyardRouting

/// Puts the schemes of apps into a desktop, and takes them out again. Blocks on the disk, and on the
/// desktop's own programs.
public struct Registration {
    /// Why a scheme was not registered, or not taken out.
    public enum Problem: Error, Sendable, CustomStringConvertible {
        /// Other programs have these; nothing was changed.
        case taken([(scheme: URLScheme, owner: SchemeLookup.Owner)])
        case folder(String)
        /// This program stands where no entry can name it.
        case program(String)
        /// It is registered, but the desktop says something else.
        case unverified(String)

        public var description: String {
            switch self {
            case .taken(let all):
                all.map { "\($0.scheme) belongs to \($0.owner.name) (\($0.owner.path))" }.joined(separator: "; ")
            case .folder(let text), .program(let text), .unverified(let text): text
            }
        }
    }

    /// What there is to know beside that it worked.
    public struct Outcome: Sendable {
        public internal(set) var hasChanged = false
        public internal(set) var notes: [String] = []
    }

    private let applications: String
    /// Where the choice of a default stands.
    private let lists: String
    private let lookup: SchemeLookup
    private let environment: [String: String?]

    /// For this person's desktop.
    public static func ofPerson() throws(Problem) -> Registration {
        guard let data = UserFolders.data, let configuration = UserFolders.configuration else {
            throw .folder("there is no folder for desktop entries: HOME is not set")
        }
        return Registration(
            applications: "\(data)/applications", lists: configuration, lookup: .ofPerson, environment: [:])
    }

    /// For everybody's on this machine.
    public static var ofMachine: Registration {
        let folder = "/usr/local/share/applications"
        // Asked as somebody would who has chosen nothing.
        let nowhere = "/nonexistent"
        return Registration(
            applications: folder, lists: folder, lookup: .ofMachine,
            environment: [
                "HOME": nowhere, "XDG_CONFIG_HOME": nowhere, "XDG_DATA_HOME": nowhere, "XDG_DATA_DIRS": nil,
                "XDG_CONFIG_DIRS": nil, "XDG_CURRENT_DESKTOP": nil,
            ])
    }

    static func entryName(of id: AppID) -> String { "switchyard-\(id).desktop" }

    /// An entry that this program has made for this person, whatever has become of it.
    public struct Entry: Sendable {
        public let app: String
        public let path: String
        public let isReadable: Bool
    }

    public static func entries() -> [Entry] {
        guard let data = UserFolders.data else { return [] }
        let folder = "\(data)/applications"
        let names = ReadFile.names(in: folder).filter { $0.hasPrefix("switchyard-") && $0.hasSuffix(".desktop") }
        return names.compactMap { name in
            let app = String(name.dropFirst("switchyard-".count).dropLast(".desktop".count))
            let entry = ReadFile.text("\(folder)/\(name)").flatMap { DesktopEntry(parsing: $0) }
            guard entry?.isOfAnother(than: app) != true else { return nil }
            return Entry(
                app: app, path: "\(folder)/\(name)", isReadable: entry?.app == app && entry?.raw("Exec") != nil)
        }
    }

    // MARK: In

    /// Registers all schemes of an app, or none.
    /// - Parameters:
    ///   - program: the full path of this program.
    ///   - replaces: whether schemes of other programs are taken over; those stay behind as the next choice.
    public func register(_ app: DesktopApp, program: String, replaces: Bool) throws(Problem) -> Outcome {
        guard DesktopEntry.isPlain(program: program), !program.contains("/.mount_") else {
            throw .program(
                "\(program) cannot stand in a desktop entry for good: install the program at a plain path such as /usr/bin"
            )
        }
        let name = Self.entryName(of: app.id)
        if !replaces { try checkOwners(of: app) }
        var outcome = Outcome()
        do throws(GuardedFolder.Problem) {
            try write(app, program, name, replaces, &outcome)
        } catch {
            throw .folder(error.description)
        }
        try verify(app, name, &outcome)
        return outcome
    }

    private func checkOwners(of app: DesktopApp) throws(Problem) {
        let taken = app.schemes.compactMap { scheme -> (scheme: URLScheme, owner: SchemeLookup.Owner)? in
            guard let owner = lookup.owner(of: scheme), owner.app == nil else { return nil }
            return (scheme, owner)
        }
        guard taken.isEmpty else { throw .taken(taken) }
        let name = Self.entryName(of: app.id)
        if let text = ReadFile.text("\(applications)/\(name)"),
            DesktopEntry(parsing: text)?.isOfAnother(than: app.id.text) == true
        {
            throw .folder("\(applications)/\(name) is there already, and none that this program has made")
        }
    }

    private func write(
        _ app: DesktopApp, _ program: String, _ name: String, _ replaces: Bool, _ outcome: inout Outcome
    ) throws(GuardedFolder.Problem) {
        let (folder, madeFolders) = try GuardedFolder.make(applications)
        let (listFolder, madeListFolders) = try GuardedFolder.make(lists)
        let old = try folder.read(name)
        var made = old.flatMap { DesktopEntry(parsing: $0)?.made } ?? []
        if madeFolders > 0 { made.append("\(Made.applications):\(madeFolders)") }
        if madeListFolders > 0 { made.append("\(Made.configuration):\(madeListFolders)") }
        let hasTool = DesktopTool.exists(Self.databaseTool)
        if hasTool, !folder.has(Self.cache) { made.append(Made.cache) }
        let oldList = try listFolder.read("mimeapps.list")
        if oldList == nil { made.append(Made.list) }
        if !AssociationList(oldList ?? "").hasGroup(AssociationList.defaults) { made.append(Made.group) }

        var seen: Set<String> = []
        made.removeAll { !seen.insert($0).inserted }
        let text = DesktopEntry.text(of: app, program: program, made: made)
        try folder.write(text, to: name)
        if text != old || !isCached(name, app, folder) { update(folder, &outcome) }
        outcome.hasChanged = text != old
        // A choice for one kind of desktop counts before the one for all; ours is where that is.
        for listName in lookup.listNames {
            let old = try listFolder.read(listName)
            guard listName == "mimeapps.list" || old != nil else { continue }
            var list = AssociationList(old ?? "")
            for scheme in app.schemes {
                let programs = list.programs(for: scheme.mimeType, in: AssociationList.defaults)
                guard listName == "mimeapps.list" || !programs.isEmpty else { continue }
                list.put(name, first: scheme.mimeType, in: AssociationList.defaults)
            }
            guard list.text != old ?? "" else { continue }
            try listFolder.write(list.text, to: listName)
            outcome.hasChanged = true
        }
    }

    private func isCached(_ name: String, _ app: DesktopApp, _ folder: GuardedFolder) -> Bool {
        guard let cache = try? folder.read(Self.cache) else { return !DesktopTool.exists(Self.databaseTool) }
        let list = AssociationList(cache)
        return app.schemes.allSatisfy {
            list.programs(for: $0.mimeType, in: AssociationList.cache).contains(name)
        }
    }

    private static let databaseTool = "update-desktop-database"
    private static let cache = "mimeinfo.cache"

    private func update(_ folder: GuardedFolder, _ outcome: inout Outcome) {
        guard let answer = DesktopTool.run(Self.databaseTool, ["-q", folder.path]) else {
            outcome.notes.append(
                "\(Self.databaseTool) is not installed (desktop-file-utils): some programs find the scheme only with it"
            )
            return
        }
        if answer.status != 0 { outcome.notes.append("\(Self.databaseTool) says: \(answer.text.trimmed)") }
    }

    /// Asks as a browser does.
    private func verify(_ app: DesktopApp, _ name: String, _ outcome: inout Outcome) throws(Problem) {
        let path = "\(applications)/\(name)"
        if let answer = DesktopTool.run("desktop-file-validate", [path]), !answer.text.trimmed.isEmpty {
            throw .unverified("desktop-file-validate says: \(answer.text)")
        }
        for scheme in app.schemes {
            let opinion = DesktopOpinion(of: scheme, environment: environment)
            if let wrong = opinion.answers.first(where: { $0 != .notAsked && $0 != .program(name) }) {
                let who = wrong == opinion.gio ? "GIO" : "xdg-mime"
                throw .unverified(
                    "\(scheme) is registered, but \(who) gives it to \(wrong): a choice elsewhere counts before ours; "
                        + "look for \(scheme.mimeType) in the mimeapps.list files of XDG_CONFIG_HOME and XDG_CONFIG_DIRS"
                )
            }
            if opinion.answers.allSatisfy({ $0 == .notAsked }) {
                outcome.notes.append(
                    "neither gio (libglib2.0-bin) nor xdg-mime (xdg-utils) is installed: how a browser sees it was not asked"
                )
            }
            if DesktopOpinion.xdgOpenMistakes(scheme) {
                outcome.notes.append(
                    "the xdg-open of this machine takes \(scheme): for a file, since it has a digit, outside of sessions like "
                        + "GNOME's and KDE's (mended in xdg-utils 1.2): there use `gio open`, or a scheme without digits"
                )
            }
        }
    }

    // MARK: Out

    /// What an entry says was made for it; whoever is the last takes it away.
    private enum Made {
        static let applications = "applications"
        static let configuration = "configuration"
        static let cache = "mimeinfo.cache"
        static let list = "mimeapps.list"
        static let group = "group"
    }

    /// Takes everything out that ``register(_:program:replaces:)`` has put in.
    public func unregister(_ id: AppID) throws(Problem) -> Outcome {
        let name = Self.entryName(of: id)
        var outcome = Outcome()
        do throws(GuardedFolder.Problem) {
            let folder = try GuardedFolder.open(applications)
            let old = try folder?.read(name)
            if let old, DesktopEntry(parsing: old)?.isOfAnother(than: id.text) == true {
                throw GuardedFolder.Problem(
                    description: "\(applications)/\(name) is none that this program has made; it is left alone")
            }
            var made = old.flatMap { DesktopEntry(parsing: $0)?.made } ?? []
            if let folder {
                outcome.hasChanged = folder.has(name)
                try folder.remove(name)
                if try inherit(made, in: folder) { made = [] }
                if folder.has(Self.cache) { update(folder, &outcome) }
                try clean(folder, name, made, &outcome)
            }
            if lists != applications, let listFolder = try GuardedFolder.open(lists) {
                try clean(listFolder, name, made, &outcome)
            }
            for entry in made {
                let parts = entry.split(separator: ":")
                guard parts.count == 2, let count = Int(parts[1]) else { continue }
                if parts[0] == Made.applications { GuardedFolder.removeEmpty(applications, count) }
                if parts[0] == Made.configuration { GuardedFolder.removeEmpty(lists, count) }
            }
        } catch {
            throw .folder(error.description)
        }
        return outcome
    }

    /// Leaves what was made to another entry of ours.
    /// - Returns: whether there is one.
    private func inherit(_ made: [String], in folder: GuardedFolder) throws(GuardedFolder.Problem) -> Bool {
        for name in ReadFile.names(in: folder.path) where name.hasPrefix("switchyard-") {
            guard let text = try folder.read(name), let entry = DesktopEntry(parsing: text), entry.app != nil else {
                continue
            }
            let all = entry.made + made.filter { !entry.made.contains($0) }
            try folder.write(DesktopEntry.text(text, made: all), to: name)
            return true
        }
        return false
    }

    private func clean(
        _ folder: GuardedFolder, _ name: String, _ made: [String], _ outcome: inout Outcome
    ) throws(GuardedFolder.Problem) {
        let files = ReadFile.names(in: folder.path).filter { $0.hasSuffix("mimeapps.list") || $0 == Self.cache }
        for file in files {
            guard let old = try folder.read(file) else { continue }
            var list = AssociationList(old)
            list.remove(name)
            if file == "mimeapps.list", made.contains(Made.group) { list.removeGroupIfEmpty(AssociationList.defaults) }
            if list.isVoid, made.contains(file) {
                try folder.remove(file)
            } else if list.text != old {
                try folder.write(list.text, to: file)
            } else {
                continue
            }
            outcome.hasChanged = true
        }
    }
}
