internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardRouting

/// Puts the schemes of apps into a desktop, and takes them out again. Blocks on the disk, and on the
/// desktop's own programs.
public struct Registration {
    /// The reason why a scheme was not registered, or not taken out.
    public enum RegistrationError: Error, Sendable, CustomStringConvertible {
        /// Other programs have these schemes; the registration is unchanged.
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

    /// Facts about a registration that succeeded.
    public struct Outcome: Sendable {
        public internal(set) var hasChanged = false
        public internal(set) var notes: [String] = []
    }

    let applications: String
    /// The folder with the choice of defaults.
    let lists: String
    /// The folder of the lock's file.
    private let locks: String
    private let lookup: SchemeLookup
    private let environment: [String: String?]

    /// For this person's desktop.
    public static func ofPerson() throws(RegistrationError) -> Registration {
        guard let data = UserFolders.data, let configuration = UserFolders.configuration,
            let runtime = UserFolders.runtime
        else {
            throw .folder("there is no folder for desktop entries: HOME is not set")
        }
        return Registration(
            applications: "\(data)/applications", lists: configuration, locks: runtime, lookup: .ofPerson,
            environment: [:])
    }

    /// For everybody's on this machine.
    public static var ofMachine: Registration {
        let folder = "/usr/local/share/applications"
        // Looks as for a person that has chosen no programs.
        let nowhere = "/nonexistent"
        return Registration(
            applications: folder, lists: folder, locks: "/run", lookup: .ofMachine,
            environment: [
                "HOME": nowhere, "XDG_CONFIG_HOME": nowhere, "XDG_DATA_HOME": nowhere, "XDG_DATA_DIRS": nil,
                "XDG_CONFIG_DIRS": nil, "XDG_CURRENT_DESKTOP": nil,
            ])
    }

    static func entryName(of id: AppID) -> String { "switchyard-\(id).desktop" }

    /// An entry that this program has made for this person, in any present state.
    public struct Entry: Sendable {
        public let app: String
        public let path: String
        public let isReadable: Bool
    }

    /// All of them, in no order; empty where this person has no folder for them.
    public static func entries() -> [Entry] {
        guard let data = UserFolders.data else { return [] }
        let folder = "\(data)/applications"
        let names = Folder.visibleNames(in: folder).filter { $0.hasPrefix("switchyard-") && $0.hasSuffix(".desktop") }
        return names.compactMap { name in
            let app = String(name.dropFirst("switchyard-".count).dropLast(".desktop".count))
            let entry = SmallFile.wholeText("\(folder)/\(name)").flatMap { DesktopEntry(parsing: $0) }
            guard entry?.isOfAnother(than: app) != true else { return nil }
            return Entry(
                app: app, path: "\(folder)/\(name)", isReadable: entry?.app == app && entry?.raw("Exec") != nil)
        }
    }

    // MARK: In

    /// Registers all schemes of an app, or fails without any change.
    /// - Parameters:
    ///   - program: the full path of this program.
    ///   - replaces: whether to take schemes over from other programs, which stay behind as the next choice.
    public func register(_ app: DesktopApp, program: String, replaces: Bool) throws(RegistrationError) -> Outcome {
        guard DesktopEntry.isPlain(program: program), !program.contains("/.mount_") else {
            throw .program(
                "\(program) cannot stand in a desktop entry for good: install the program at a plain path such as /usr/bin"
            )
        }
        let name = Self.entryName(of: app.id)
        var outcome = Outcome()
        let lock = try alone()
        if !replaces { try checkOwners(of: app) }
        do throws(GuardedFolder.Problem) {
            try write(app, program, name, &outcome)
        } catch {
            throw .folder(error.description)
        }
        _ = consume lock
        try verify(app, name, &outcome)
        return outcome
    }

    func alone() throws(RegistrationError) -> RegistrationLock {
        do throws(GuardedFolder.Problem) {
            return try RegistrationLock(in: locks)
        } catch {
            throw .folder(error.description)
        }
    }

    private func checkOwners(of app: DesktopApp) throws(RegistrationError) {
        let taken = app.schemes.compactMap { scheme -> (scheme: URLScheme, owner: SchemeLookup.Owner)? in
            guard let owner = lookup.owner(of: scheme), owner.app == nil else { return nil }
            return (scheme, owner)
        }
        guard taken.isEmpty else { throw .taken(taken) }
        let name = Self.entryName(of: app.id)
        if let text = SmallFile.wholeText("\(applications)/\(name)"),
            DesktopEntry(parsing: text)?.isOfAnother(than: app.id.text) == true
        {
            throw .folder("\(applications)/\(name) is there already, and none that this program has made")
        }
    }

    private func write(
        _ app: DesktopApp, _ program: String, _ name: String, _ outcome: inout Outcome
    ) throws(GuardedFolder.Problem) {
        let (folder, madeFolders) = try GuardedFolder.make(applications)
        let (listFolder, madeListFolders) = try GuardedFolder.make(lists)
        // Before anything is changed: not every list can be.
        let changes = try listChanges(for: app, name, folder, listFolder)
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
        for change in changes {
            try change.folder.write(change.text, to: change.name)
            outcome.hasChanged = true
        }
    }

    /// The lists that this app changes, with their new content.
    private func listChanges(
        for app: DesktopApp, _ name: String, _ folder: GuardedFolder, _ listFolder: GuardedFolder
    ) throws(GuardedFolder.Problem) -> [(folder: GuardedFolder, name: String, text: String)] {
        let types = app.schemes.map(\.mimeType)
        var changes: [(folder: GuardedFolder, name: String, text: String)] = []
        for place in applications == lists ? [listFolder] : [folder, listFolder] {
            let isChoice = place === listFolder
            for file in Set(Self.listFiles(in: place)).union(isChoice ? ["mimeapps.list"] : []).sorted() {
                let old = try place.read(file)
                var list = AssociationList(old ?? "")
                // Release schemes that only the previous version of this app registered. The next program in the list
                // becomes the default.
                list.remove(name, keeping: types)
                // A choice for one kind of desktop counts before the general one, so ours goes there as well.
                for type in types where isChoice && lookup.listNames.contains(file) {
                    let programs = list.programs(for: type, in: AssociationList.defaults)
                    guard file == "mimeapps.list" || !programs.isEmpty else { continue }
                    list.put(name, first: type, in: AssociationList.defaults)
                }
                guard list.text != old ?? "" else { continue }
                let target = try place.place(of: file)
                changes.append((target.folder, target.name, list.text))
            }
        }
        return changes
    }

    static func listFiles(in folder: GuardedFolder) -> [String] {
        Folder.visibleNames(in: folder.path).filter { $0.hasSuffix("mimeapps.list") }
    }

    private func isCached(_ name: String, _ app: DesktopApp, _ folder: GuardedFolder) -> Bool {
        guard let cache = try? folder.read(Self.cache) else { return !DesktopTool.exists(Self.databaseTool) }
        let list = AssociationList(cache)
        return app.schemes.allSatisfy {
            list.programs(for: $0.mimeType, in: AssociationList.cache).contains(name)
        }
    }

    private static let databaseTool = "update-desktop-database"
    static let cache = "mimeinfo.cache"

    func update(_ folder: GuardedFolder, _ outcome: inout Outcome) {
        guard let answer = DesktopTool.run(Self.databaseTool, ["-q", folder.path]) else {
            outcome.notes.append(
                "\(Self.databaseTool) is not installed (desktop-file-utils): some programs find the scheme only with it"
            )
            return
        }
        if answer.status != 0 { outcome.notes.append("\(Self.databaseTool) says: \(answer.text.trimmed)") }
    }

    /// Asks as a browser does.
    private func verify(_ app: DesktopApp, _ name: String, _ outcome: inout Outcome) throws(RegistrationError) {
        let path = "\(applications)/\(name)"
        if let answer = DesktopTool.run("desktop-file-validate", [path]), !answer.text.trimmed.isEmpty {
            throw .unverified("desktop-file-validate says: \(answer.text)")
        }
        for scheme in app.schemes {
            let opinion = DesktopOpinion(of: scheme, environment: environment)
            if let wrong = opinion.verdicts.first(where: { $0 != .notAsked && $0 != .program(name) }) {
                let who = wrong == opinion.gio ? "GIO" : "xdg-mime"
                throw .unverified(
                    "\(scheme) is registered, but \(who) gives it to \(wrong): a choice elsewhere counts before ours; "
                        + "look for \(scheme.mimeType) in the mimeapps.list files of XDG_CONFIG_HOME and XDG_CONFIG_DIRS"
                )
            }
            if opinion.verdicts.allSatisfy({ $0 == .notAsked }) {
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

    /// Files and folders that an entry names as made for it. The last entry that names one removes it.
    enum Made {
        static let applications = "applications"
        static let configuration = "configuration"
        static let cache = "mimeinfo.cache"
        static let list = "mimeapps.list"
        static let group = "group"
    }
}
