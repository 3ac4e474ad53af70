internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardFiles
internal import SwitchyardPendingRequests

/// One file of a store: a database, the lock beside it, or the key.
struct StoreFile: Sendable {
    let path: String
    /// Gets what other users could do with the file until now.
    let warn: @Sendable (String) -> Void

    init(path: String, warn: @escaping @Sendable (String) -> Void = { _ in }) {
        self.path = path
        self.warn = warn
    }

    /// Makes the file of a database, for this user only, unless it exists. SQLite gives its side files the same mode.
    ///
    /// Not to be called while the database is open: closing a descriptor of it ends SQLite's locks.
    func prepare() throws(StoreError) {
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(path, for: .updating)
        } catch {
            throw failure("cannot be opened", error)
        }
        try claim(file, advice: "its requests are sealed, but a changed one is not noticed")
    }

    /// Refuses an open file of another user, and removes the access of other users to a file of this user.
    ///
    /// A foreign owner can read and replace the file with any mode. A file that this user owns was left open by
    /// mistake, so the gateway repairs it and says what may have happened meanwhile.
    /// - Parameter advice: what the operator may want to do, if others could read or change the file.
    func claim(_ file: borrowing OpenFile, advice: String) throws(StoreError) {
        let status: FileStatus
        do throws(FileError) {
            status = try file.status()
        } catch {
            throw failure("cannot be looked at", error)
        }
        guard status.kind == .regular else { throw StoreError("\(path): it is no file") }
        let permissions = status.permissions
        guard permissions.isOwn else {
            throw StoreError(
                "\(path): it belongs to user \(permissions.owner), and this is user \(geteuid()); "
                    + "give it to this user (chown), or move it away")
        }
        guard !permissions.isForOwnerAlone else { return }
        do throws(FileError) {
            try file.setMode(0o600)
        } catch {
            throw failure("others may read it, and that cannot be changed", error)
        }
        let deeds = permissions.isOwnersToChange ? "read it" : "change it"
        warn("\(path): other users could \(deeds) until now (mode \(permissions.octal)); \(advice)")
    }

    /// The path without links, which is the same for every gateway with this file. SQLite names its own files after it
    /// too.
    var resolvedPath: String { Self.resolve(path, links: 40) }

    private static func resolve(_ path: String, links: Int) -> String {
        if let whole = FilePath.real(path) { return whole }
        // The file is not there yet. Resolve its folder, or a link to a missing file.
        let folder = FilePath.folder(of: path)
        if links > 0, let target = FilePath.target(ofLink: path) {
            return resolve(target.hasPrefix("/") ? target : folder + target, links: links - 1)
        }
        return FilePath.real(folder).map { "\($0)/\(FilePath.name(of: path))" } ?? path
    }

    func failure(_ what: String, _ error: FileError) -> StoreError {
        StoreError("\(path): \(what): \(error.reason)")
    }
}

/// The key that a gateway makes for itself, beside the database. A thief of both files can read the requests. If that
/// matters, put the key into `encryption_keys`.
enum StoreKey {
    /// Reads the key, or makes one that is on the disk before it seals anything.
    /// - Parameter warn: gets what other users could do with the file until now.
    static func load(
        beside path: String, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(StoreError) -> KeyRing.Key {
        let file = StoreFile(path: Self.path(beside: path), warn: warn)
        if let text = try read(file) { return try key(text, file) }
        do throws(FileError) {
            try make(Hexadecimal.encode(Random.bytes(32)) + "\n", Folder(of: path))
        } catch {
            throw file.failure("cannot be made", error)
        }
        guard let text = try read(file) else { throw file.failure("cannot be made", .system(ENOENT)) }
        return try key(text, file)
    }

    /// Makes the key's file, unless there is one by then.
    private static func make(_ text: String, _ folder: Folder) throws(FileError) {
        // Made under another name first: half a key is never found under its own.
        let draft = "\(name).\(getpid())"
        try folder.remove(draft)
        try folder.create(draft, with: Array(text.utf8), isDurable: true)
        defer { try? folder.remove(draft) }
        do throws(FileError) {
            // A link, unlike a rename, never replaces a key that another process made meanwhile.
            try folder.link(draft, as: name)
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        try folder.sync()
    }

    /// The path of a database's key.
    static func path(beside path: String) -> String { FilePath.folder(of: path) + name }

    private static let name = "requests.key"

    private static func key(_ text: String, _ file: StoreFile) throws(StoreError) -> KeyRing.Key {
        let digits = text.utf8.last == UInt8(ascii: "\n") ? text.dropLast() : text[...]
        guard let bytes = Hexadecimal.decode(digits.utf8), bytes.count == 32 else {
            throw StoreError("\(file.path): it does not hold 64 hexadecimal digits")
        }
        // Another key has another name, so that foreign sealed bytes are recognized. The name is part of sealed bytes,
        // so its spelling, without zeros in front, stays.
        let name = SHA256Digest(of: Array("name of".utf8) + bytes).bytes.prefix(4).map { String($0, radix: 16) }
            .joined()
        guard let key = KeyRing.Key(id: "r\(name)", secret: Secret(bytes)) else {
            throw StoreError("\(file.path): it holds no key")
        }
        return key
    }

    /// nil when there is no such file.
    private static func read(_ file: StoreFile) throws(StoreError) -> String? {
        let open: OpenFile
        do throws(FileError) {
            open = try OpenFile(file.path, for: .reading, followsLink: false)
        } catch {
            if error.isMissing { return nil }
            throw file.failure("cannot be opened", error)
        }
        try file.claim(
            open,
            advice:
                "with the key they can open what the database holds: to have a new key, stop the gateway and move this "
                + "file away; sign-ins under way then begin again")
        do throws(FileError) {
            return String(decoding: try Descriptor.readFirst(open.descriptor, 256), as: UTF8.self)
        } catch {
            throw file.failure("cannot be read", error)
        }
    }
}
