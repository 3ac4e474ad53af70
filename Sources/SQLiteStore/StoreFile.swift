internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// The files of a store: the database, the lock beside it, and the key.
struct StoreFile: Sendable {
    let path: String
    /// Gets what other users could do with the file until now.
    let warn: @Sendable (String) -> Void

    /// Others may not even read what is sealed.
    private static let mode: mode_t = 0o600

    init(path: String, warn: @escaping @Sendable (String) -> Void = { _ in }) {
        self.path = path
        self.warn = warn
    }

    /// Makes the database's file where it is not there yet, for this user only. SQLite gives its side
    /// files the same mode.
    ///
    /// Not to be called while the database is open: closing a descriptor of it ends SQLite's locks.
    func prepare() throws(StoreFailure) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, Self.mode)
        guard descriptor >= 0 else { throw failure("cannot be opened") }
        defer { close(descriptor) }
        try claim(descriptor, advice: "its requests are sealed, but a changed one is not noticed")
    }

    /// Refuses an open file of another user, and takes this user's own file from all others.
    ///
    /// A foreign owner can read and replace the file whatever its mode is. A file that this user owns was left open by
    /// mistake, so the gateway repairs it and says what may have happened meanwhile.
    /// - Parameter advice: what the operator may want to do, if others could read or change the file.
    func claim(_ descriptor: Int32, advice: String) throws(StoreFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure("cannot be looked at") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreFailure("\(path): it is no file") }
        guard status.st_uid == geteuid() else {
            throw StoreFailure(
                "\(path): it belongs to user \(status.st_uid), and this is user \(geteuid()); "
                    + "give it to this user (chown), or move it away")
        }
        let rights = status.st_mode & 0o077
        guard rights != 0 else { return }
        guard fchmod(descriptor, Self.mode) == 0 else {
            throw failure("others may read it, and that cannot be changed")
        }
        let deeds = rights & 0o022 == 0 ? "read it" : "change it"
        warn(
            "\(path): other users could \(deeds) until now (mode 0\(String(status.st_mode & 0o777, radix: 8))); \(advice)"
        )
    }

    /// The path without links, which is the same for every gateway with this file. SQLite names its own files after it
    /// too.
    var resolvedPath: String { Self.resolve(path, links: 40) }

    private static func resolve(_ path: String, links: Int) -> String {
        if let whole = realPath(path) { return whole }
        // The file is not there yet. Resolve its folder, or a link to a missing file.
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &target, target.count)
        if count > 0, links > 0 {
            let text = String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
            return resolve(text.hasPrefix("/") ? text : folder + text, links: links - 1)
        }
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        return realPath(folder).map { "\($0)/\(name)" } ?? path
    }

    private static func realPath(_ path: String) -> String? {
        guard let whole = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(whole) }
        return unsafe String(cString: whole)
    }

    func failure(_ what: String) -> StoreFailure {
        StoreFailure("\(path): \(what): \(unsafe String(cString: strerror(errno)))")
    }
}

/// The key that a gateway makes for itself, beside the database. A thief of both can open what they seal. If that
/// matters, put the key into `encryption_keys`.
enum StoreKey {
    /// Reads the key, or makes one that is on the disk before it seals anything.
    /// - Parameter warn: gets what other users could do with the file until now.
    static func load(
        beside path: String, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(StoreFailure) -> KeyRing.Key {
        let folder = folder(of: path)
        let file = StoreFile(path: Self.path(beside: path), warn: warn)
        if let text = try read(file) { return try key(text, file) }
        // Made under another name first: half a key is never found under its own.
        let fresh = StoreFile(path: "\(file.path).\(getpid())")
        let text = Hexadecimal.encode(Random.bytes(32))
        try write(text + "\n", to: fresh)
        // A link, unlike a rename, never replaces a key that another process made meanwhile.
        let isLinked = unsafe link(fresh.path, file.path) == 0 || errno == EEXIST
        let failure = file.failure("cannot be made")
        unsafe unlink(fresh.path)
        guard isLinked else { throw failure }
        try sync(folder)
        guard let text = try read(file) else { throw failure }
        return try key(text, file)
    }

    /// The path of a database's key.
    static func path(beside path: String) -> String { folder(of: path) + "requests.key" }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    private static func key(_ text: String, _ file: StoreFile) throws(StoreFailure) -> KeyRing.Key {
        let digits = text.utf8.last == UInt8(ascii: "\n") ? text.dropLast() : text[...]
        guard let bytes = Hexadecimal.decode(digits.utf8), bytes.count == 32 else {
            throw StoreFailure("\(file.path): it does not hold 64 hexadecimal digits")
        }
        // Another key has another name, so that foreign sealed bytes are recognized. The name is part of sealed bytes,
        // so its spelling, without zeros in front, stays.
        let name = SHA256Digest(of: Array("name of".utf8) + bytes).bytes.prefix(4).map { String($0, radix: 16) }
            .joined()
        guard let key = KeyRing.Key(id: "r\(name)", secret: Secret(bytes)) else {
            throw StoreFailure("\(file.path): it holds no key")
        }
        return key
    }

    /// nil when there is no such file.
    private static func read(_ file: StoreFile) throws(StoreFailure) -> String? {
        let descriptor = unsafe open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw file.failure("cannot be opened")
        }
        defer { close(descriptor) }
        try file.claim(
            descriptor,
            advice:
                "with the key they can open what the database holds: to have a new key, stop the gateway and move this "
                + "file away; sign-ins under way then begin again")
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw file.failure("cannot be read") }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func write(_ text: String, to file: StoreFile) throws(StoreFailure) {
        unsafe unlink(file.path)
        let descriptor = unsafe open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw file.failure("cannot be made") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count, fsync(descriptor) == 0 else { throw file.failure("cannot be written") }
    }

    private static func sync(_ folder: String) throws(StoreFailure) {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreFile(path: folder).failure("cannot be opened") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StoreFile(path: folder).failure("cannot be synced") }
    }
}
