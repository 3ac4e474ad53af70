internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardRouting

/// The addresses on which the agent of a desktop session listens, and its folders of apps beside its own file.
public struct AgentPlaces: Hashable, Sendable {
    /// The path of its socket.
    public let socket: String
    /// Folders of files with `apps` and `issuers`; one that is missing is empty.
    public let folders: [String]
    /// The path of the socket where its user sees how it is. It lies in another folder than ``socket``, which sandboxes share.
    fileprivate let admin: String

    public init(socket: String, admin: String, folders: [String]) {
        self.socket = socket
        self.admin = admin
        self.folders = folders
    }
}

/// The files of an agent's folders: those of programs and people, and those of this machine's administrator.
///
/// A file counts only if it belongs to root or to the agent's user, and others cannot write it.
struct AgentFiles {
    private enum Key: String, ConfigurationKey {
        case apps
        case issuers
    }

    private var readers: [MappingReader<Key>] = []
    /// nil if a section of the main file cannot be read.
    private let main: FileLists?
    private let context: DecodingContext
    private let folders: [String]
    private let allowsLoopbackHTTP: Bool

    /// Reads every `.yaml` and `.yml` file of the folders, in the order of their names.
    /// - Parameter main: the issuers and lists of the main file.
    init(read folders: [String], in context: DecodingContext, allowsLoopbackHTTP: Bool, besides main: FileLists?) {
        self.main = main
        self.context = context
        self.folders = folders
        self.allowsLoopbackHTTP = allowsLoopbackHTTP
        var rank = 0
        var present: Set<String> = []
        for path in folders {
            context.files.note(leftOut: path)
            do throws(FileSystem.Failure) {
                guard let folder = try Self.open(path) else { continue }
                let names = try folder.namesOfApps()
                present.formUnion([path] + names.map { "\(path)/\($0)" })
                context.files.lists[path] = FileLists()
                for name in names {
                    rank += 1
                    if let reader = read(name, in: folder, rank) { readers.append(reader) }
                }
            } catch {
                // The lists of its files stay in force.
                present.formUnion(context.files.lists.keys.filter { $0 == path || $0.hasPrefix("\(path)/") })
                guard !context.leftOut.contains(path) else { continue }
                let file = SourceFile(name: path, directory: path, role: context.file.role, rank: rank)
                context.reading(file).error(
                    at: .start, "the folder cannot be read: \(error.reason)",
                    error.remedy ?? "make it a folder of root's or of this user's, which others cannot write into")
            }
        }
        context.files.lists = context.files.lists.filter { present.contains($0.key) }
    }

    /// nil for a folder that is not there.
    private static func open(_ path: String) throws(FileSystem.Failure) -> OpenDirectory? {
        // A folder above that shuts this user out hides it as if it were not there.
        if FilePath.isMissing(path) || FilePath.isShutOff(path) { return nil }
        let folder = try OpenDirectory(path)
        if let fault = FileSystem.Failure(foreignOwner: folder.permissions)
            ?? FileSystem.Failure(otherWriters: folder.permissions, path, "put apps into it")
        {
            throw fault
        }
        return folder
    }

    /// nil when it is left out, and when it cannot be read, which is reported. Its lists are noted in any case.
    private func read(_ name: String, in folder: OpenDirectory, _ rank: Int) -> MappingReader<Key>? {
        let path = "\(folder.path)/\(name)"
        context.files.note(leftOut: path)
        let contents: FileSystem.Contents
        let file: SourceFile
        do throws(FileSystem.Failure) {
            context.files.unread[path] = UnreadFile(bytes: nil)
            contents = try folder.read(name, maximum: MainFile.maximumSize).contents
            context.files.note(path, contents.mark)
            file = SourceFile(
                name: path, directory: folder.path,
                role: .apps(TeamDirectory(folder, file: name, owner: contents.owner)), rank: rank)
            noteLists(in: contents.bytes, of: file)
            guard !context.leftOut.contains(path) else { return nil }
            if let fault = Self.fault(of: contents, path) { throw fault }
        } catch {
            guard !context.leftOut.contains(path) else { return nil }
            let file = SourceFile(name: path, directory: folder.path, role: context.file.role, rank: rank)
            context.reading(file).error(
                at: .start, "it cannot be read: \(error.reason)",
                error.remedy
                    ?? "make it a plain file of root's or of this user's that nobody else can change, or remove it"
            )
            return nil
        }
        let context = context.reading(file)
        return context.tree(of: contents.bytes).flatMap { MappingReader<Key>($0, in: context) }
    }

    /// Notes the issuers and lists of a file that may be left out. They can only take rights from programs, so the
    /// owner and the permissions of the file do not matter. An earlier version stays noted if this one cannot be
    /// parsed.
    private func noteLists(in bytes: [UInt8], of file: SourceFile) {
        let quiet = DecodingContext(
            file: file, log: DiagnosticLog(), machine: context.machine, files: context.files)
        let outcome = YAMLReader.read(bytes)
        if outcome.problems.isEmpty, let root = outcome.root, let reader = MappingReader<Key>(root, in: quiet),
            !reader.hasRefusedKeys,
            let lists = FileLists(
                issuers: reader[.issuers], apps: reader[.apps], in: quiet, allowsLoopbackHTTP: allowsLoopbackHTTP)
        {
            context.files.lists[file.name] = lists
            context.files.unread[file.name] = nil
        } else {
            context.files.unread[file.name] = UnreadFile(bytes: bytes)
        }
    }

    private static func fault(of contents: FileSystem.Contents, _ path: String) -> FileSystem.Failure? {
        FileSystem.Failure(foreignOwner: contents.permissions) ?? TeamDirectory.fault(ofAny: contents, path)
    }

    /// The agent's own file; empty when it is missing.
    static func read(_ path: String) throws(FileSystem.Failure) -> [UInt8] {
        if FilePath.isMissing(path) { return [] }
        let contents = try FileSystem.read(path, maximum: MainFile.maximumSize)
        if let fault = FileSystem.Failure(foreignOwner: contents.permissions)
            ?? FileSystem.Failure(otherWriters: contents.permissions, path, "change it")
        {
            throw fault
        }
        return contents.bytes
    }

    // MARK: Contents of the files

    /// Adds the issuers of all files. The same issuer may stand in several: each app of a suite brings it along.
    func addIssuers(to known: inout (issuers: [IssuerConfiguration], names: Set<String>?)) {
        for reader in readers {
            guard let node = reader[.issuers] else { continue }
            let section = IssuersSection(context: reader.context, allowsLoopbackHTTP: allowsLoopbackHTTP)
            let found = section.decode(node)
            known.names = found.names.flatMap { known.names?.union($0) }
            for issuer in found.issuers {
                if let first = known.issuers.first(where: { $0.name == issuer.name }) {
                    guard first != issuer else { continue }
                    reader.context.error(
                        at: reader.mark(of: .issuers),
                        "an issuer \"\(issuer.name)\" that is another one than in the files before (\(first.issuer))",
                        "give it a name of its own")
                } else {
                    known.issuers.append(issuer)
                }
            }
        }
    }

    func apps(issuerNames: Set<String>?) -> [DecodedApp] {
        let section = AppsSection(issuerNames: issuerNames)
        return readers.flatMap { reader -> [DecodedApp] in
            let apps = reader[.apps].map { section.decode($0, in: reader.context) } ?? []
            for app in apps {
                guard let doubt = doubt(about: app.registration.issuer, in: reader.context.file) else { continue }
                reader.context.error(
                    at: reader.mark(of: .apps), "the app \"\(app.registration.id)\" cannot be used: \(doubt)",
                    Self.remedyOfDoubt)
            }
            return apps
        }
    }

    static let remedyOfDoubt = "define the issuer in the app's own file, or remove the other definition"

    /// The reason why an app's issuer is uncertain; nil if it is certain. An app that relies on another file's definition
    /// of an issuer must not be sent to another issuer of the same name, with its secret.
    /// - Parameter file: nil for the main file.
    func doubt(about name: String, in file: SourceFile? = nil) -> String? {
        let own = file.map { context.files.lists[$0.name] } ?? main
        guard own?.issuerNames.contains(name) != true else { return nil }
        // A person's file casts no doubt on the apps of a machine's file.
        let last = file.flatMap { file in folders.firstIndex(of: file.directory) } ?? folders.count - 1
        let seen = context.files.lists.filter { path, lists in
            lists.issuerNames.contains(name) && folders[...last].contains { path.hasPrefix("\($0)/") }
        }
        let definers = (main.map { [$0] } ?? []).filter { $0.issuerNames.contains(name) } + seen.values
        let definitions = Set(definers.flatMap { $0.issuers.filter { $0.name == name } })
        let hasFaulty = definers.contains { lists in !lists.issuers.contains { $0.name == name } }
        if definitions.count > 1 || hasFaulty && !definitions.isEmpty {
            let files = seen.keys.sorted().joined(separator: ", ")
            return "its issuer \"\(name)\" is not the same in each file that defines it (also in \(files))"
        }
        // An unread file may hold another definition. The main file and the machine's files come before it.
        let isFirst =
            main?.issuerNames.contains(name) == true
            || seen.keys.contains { path in folders.dropLast().contains { path.hasPrefix("\($0)/") } }
        guard !definitions.isEmpty, !isFirst else { return nil }
        let unread = context.files.unread.filter { context.files.lists[$0.key] == nil && $0.value.mayMention(name) }
        return unread.keys.min().map { "its issuer \"\(name)\" may be defined in \($0) too, which cannot be read" }
    }

    /// The `use_from` list of each app in all files, at every issuer that any file gives the name of the app's issuer.
    var lists: [FileList] {
        let files = (main.map { [$0] } ?? []) + context.files.lists.values
        return files.flatMap(\.lists).flatMap { list -> [FileList] in
            let definers = files.filter { file in list.issuer.map { file.issuerNames.contains($0) } == true }
            let found = definers.map { file in file.issuers.filter { $0.name == list.issuer } }
            if found.isEmpty || found.contains(where: \.isEmpty) {
                return [FileList(issuer: nil, clientID: list.clientID, useFrom: list.useFrom)]
            }
            let issuers = Set<IssuerConfiguration>(found.joined())
            return issuers.map { FileList(issuer: $0, clientID: list.clientID, useFrom: list.useFrom) }
        }
    }

    // MARK: Listeners

    /// The agent's own socket, an admin socket for its user, and the listeners that the file names. All are for that
    /// user alone, except callbacks at an address of the network.
    static func listeners(
        _ written: [DecodedListener], at places: AgentPlaces, in context: DecodingContext
    ) -> [DecodedListener] {
        let own = ListenerConfiguration(
            address: .unix(path: places.socket, mode: 0o600, group: nil), tls: [], serve: [.api], isForOwner: true)
        let more = written.map { listener in
            var configuration = listener.configuration
            configuration.isForOwner = configuration.address.isLocal
            if !listener.isUnix, !configuration.serve.isDisjoint(with: [.api, .admin]) {
                context.log.error(
                    at: listener.place,
                    "\(configuration.address) serves apps or an operator, and every user of this machine reaches it",
                    "leave it to callbacks; the agent serves its user's apps on \(places.socket)")
            }
            return DecodedListener(configuration: configuration, chains: listener.chains, place: listener.place)
        }
        let admin = ListenerConfiguration(
            address: .unix(path: places.admin, mode: 0o600, group: nil), tls: [], serve: [.admin], isForOwner: true)
        let isWatched = more.contains { $0.configuration.serve.contains(.admin) }
        let all = [own] + (isWatched ? [] : [admin])
        return all.map { DecodedListener(configuration: $0, place: context.place(.start)) } + more
    }
}

extension PublicURL {
    /// The default public URL of an agent: its own plain listener for browsers, else loopback without a listener.
    static func ofAgent(_ listeners: [DecodedListener]) -> PublicURL? {
        let door = listeners.first { $0.configuration.serve.contains(.callbacks) && $0.configuration.tls.isEmpty }
        if case .tcp(let address, let port)? = door?.configuration.address, address.isLoopback,
            let url = try? PublicURL("http://\(address.isIPv4 ? "\(address)" : "[\(address)]"):\(port)")
        {
            return url
        }
        return try? PublicURL("http://localhost")
    }
}
