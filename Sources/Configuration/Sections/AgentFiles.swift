internal import Glibc
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

    /// Reads every `.yaml` and `.yml` file of the folders, in the order of their names.
    init(read folders: [String], in context: DecodingContext) {
        var rank = 0
        for path in folders {
            context.files.note(leftOut: path)
            do throws(FileSystem.Failure) {
                guard let folder = try Self.open(path) else { continue }
                for name in try folder.namesOfApps() {
                    rank += 1
                    if let reader = Self.read(name, in: folder, rank, context) { readers.append(reader) }
                }
            } catch {
                guard !context.leftOut.contains(path) else { continue }
                let file = SourceFile(name: path, directory: path, role: context.file.role, rank: rank)
                context.reading(file).error(
                    at: .start, "the folder cannot be read: \(error.reason)",
                    error.remedy ?? "make it a folder of root's or of this user's, which others cannot write into")
            }
        }
    }

    /// nil for a folder that is not there.
    private static func open(_ path: String) throws(FileSystem.Failure) -> OpenDirectory? {
        // A folder above that shuts this user out hides it as if it were not there.
        if unsafe access(path, F_OK) != 0, errno == ENOENT || errno == EACCES { return nil }
        let folder = try OpenDirectory(path)
        let permissions = folder.permissions
        guard isTrusted(permissions.owner) else {
            throw FileSystem.Failure(reason: "it belongs to another user (\(permissions.owner))")
        }
        if let fault = permissions.otherWriters(path, "put apps into it") { throw fault }
        return folder
    }

    /// nil when it is left out, and when it cannot be read, which is reported.
    private static func read(
        _ name: String, in folder: OpenDirectory, _ rank: Int, _ context: DecodingContext
    ) -> MappingReader<Key>? {
        let path = "\(folder.path)/\(name)"
        context.files.note(leftOut: path)
        let contents: FileSystem.Contents
        do throws(FileSystem.Failure) {
            contents = try folder.read(name, maximum: MainFile.maximumSize).contents
            context.files.note(path, contents.mark)
            guard !context.leftOut.contains(path) else { return nil }
            if let fault = fault(of: contents, path) { throw fault }
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
        let file = SourceFile(
            name: path, directory: folder.path,
            role: .apps(TeamDirectory(folder, file: name, owner: contents.owner)), rank: rank)
        let context = context.reading(file)
        return context.tree(of: contents.bytes).flatMap { MappingReader<Key>($0, in: context) }
    }

    private static func isTrusted(_ owner: UInt32) -> Bool { owner == 0 || owner == geteuid() }

    private static func fault(of contents: FileSystem.Contents, _ path: String) -> FileSystem.Failure? {
        guard isTrusted(contents.owner) else {
            return FileSystem.Failure(reason: "it belongs to another user (\(contents.owner))")
        }
        return TeamDirectory.fault(ofAny: contents, path)
    }

    /// The agent's own file; empty when it is missing.
    static func read(_ path: String) throws(FileSystem.Failure) -> [UInt8] {
        if unsafe access(path, F_OK) != 0, errno == ENOENT { return [] }
        let contents = try FileSystem.read(path, maximum: MainFile.maximumSize)
        guard isTrusted(contents.owner) else {
            throw FileSystem.Failure(reason: "it belongs to another user (\(contents.owner))")
        }
        if let fault = contents.permissions.otherWriters(path, "change it") { throw fault }
        return contents.bytes
    }

    // MARK: Contents of the files

    /// Adds the issuers of all files. The same issuer may stand in several: each app of a suite brings it along.
    mutating func addIssuers(
        to known: inout (issuers: [IssuerConfiguration], names: Set<String>?), allowsLoopbackHTTP: Bool
    ) {
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
        return readers.flatMap { reader in reader[.apps].map { section.decode($0, in: reader.context) } ?? [] }
    }

    /// Notes the `use_from` list of each app in these files, for a file that is left out. Other errors of the app do
    /// not matter.
    /// - Parameter known: the issuers of all files; those of the app's own file come first.
    func noteLists(_ known: [IssuerConfiguration], allowsLoopbackHTTP: Bool) {
        for reader in readers {
            // Every error has been reported by now.
            let context = DecodingContext(file: reader.context.file, log: DiagnosticLog())
            let own = reader[.issuers].map {
                IssuersSection(context: context, allowsLoopbackHTTP: allowsLoopbackHTTP).decode($0).issuers
            }
            let issuers = (own ?? []) + known
            reader.context.files.note(
                (reader[.apps]?.elements).map { Array($0) }?.compactMap { node in
                    AppDecoder.list(node, in: context, issuers)
                } ?? [])
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
