internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardFiles
internal import Synchronization

/// A document in a file of mode 0600 that is encrypted with AES-256-GCM, in a directory of mode 0700.
///
/// A file that is a symbolic link, another user's, or open to others is refused with `denied`, and so is
/// such a directory.
public final class EncryptedFileStorage: TokenStorage {
    private enum Seen: Equatable {
        case notLookedYet
        case found(FileVersion?)
    }

    private let name: CacheName
    private let directory: String
    private let key: EncryptedFileKey
    private let timeout: Duration
    private let seen = Mutex(Seen.notLookedYet)

    /// - Parameters:
    ///   - name: the name of the cache. Plain names become file names, others their digest.
    ///   - key: what the file is encrypted with.
    ///   - directory: an absolute path; nil is `$XDG_STATE_HOME/switchyard/tokens`. Made at the first write.
    ///   - timeout: how long to wait for other processes.
    ///
    /// Errors: `unavailable` for a key that does not have 32 bytes, a relative path, a user without a home.
    public init(
        name: String, key: EncryptedFileKey = .kernelKeyring, directory: String? = nil, timeout: Duration = .seconds(10)
    ) throws(TokenStorageError) {
        if case .given(let key) = key.origin { try SealedDocument.check(key) }
        self.name = CacheName(name)
        self.directory = try StateDirectory.resolve(directory)
        self.key = key
        self.timeout = timeout
    }

    public var summary: String { "the file \(directory)/\(name.document)" }

    /// Throws what would keep this storage from working here: no right to the directory, no kernel keyring.
    public func check() throws(TokenStorageError) {
        _ = try PrivateDirectory.make(directory)
        if case .kernelKeyring = key.origin { try KernelKeyring.check() }
    }

    /// The same as ``check()``, but read-only.
    public func inspect() throws(TokenStorageError) {
        if try PrivateDirectory.open(directory) == nil { try PrivateDirectory.checkPossible(directory) }
        if case .kernelKeyring = key.origin { try KernelKeyring.check() }
    }

    public func read() throws(TokenStorageError) -> [UInt8]? {
        guard let directory = try PrivateDirectory.open(directory) else {
            seen.withLock { $0 = .found(nil) }
            return nil
        }
        return try read(in: directory)
    }

    public func update<Value>(_ change: (inout [UInt8]?) -> Value) throws(TokenStorageError) -> Value {
        let directory = try PrivateDirectory.make(directory)
        let lock = try DocumentLock(inTurn: name, in: directory, timeout: timeout)
        defer { withExtendedLifetime(lock) {} }
        let before = try read(in: directory)
        var document = before
        let value = change(&document)
        guard document != before else { return value }
        if let document {
            try TokenStorageLimit.check(document, at: summary)
            let sealed = try SealedDocument.seal(
                document, of: name, with: sealingKey(in: directory), from: key.isKernels ? .here : nil)
            try directory.replace(name.document, with: sealed, by: name.unfinished)
        } else {
            try directory.remove(name.document)
        }
        return value
    }

    public func setAside() throws(TokenStorageError) {
        guard let directory = try PrivateDirectory.open(directory) else { return }
        let lock = try DocumentLock(inTurn: name, in: directory, timeout: timeout)
        defer { withExtendedLifetime(lock) {} }
        guard let current = directory.version(of: name.document) else { return }
        let seen = seen.withLock { $0 }
        guard seen == .notLookedYet || seen == .found(current) else { return }
        try directory.rename(name.document, to: name.setAside(SetAsideSuffix.next()))
    }

    private func read(in directory: PrivateDirectory) throws(TokenStorageError) -> [UInt8]? {
        // Before it is opened: should it be replaced in between, setting aside then leaves the newer one.
        let version = directory.version(of: name.document)
        seen.withLock { $0 = .found(version) }
        let maximum = TokenStorageLimit.document + SealedDocument.overhead
        guard let sealed = try directory.read(name.document, maximum: maximum) else { return nil }
        do throws(TokenStorageError) {
            return try SealedDocument.open(sealed, of: name, with: openingKey(in: directory), at: summary)
        } catch {
            // The document may be good where its key is, so a process elsewhere must not set it aside.
            guard error.kind == .corrupt, key.isKernels, let home = SealedDocument.home(of: sealed),
                !home.hasLostWhatIsNotFound
            else { throw error }
            throw TokenStorageError(
                .unavailable,
                "the key of \(summary) is in the kernel's memory of another machine or user namespace (container)",
                remedy:
                    "use it there, give a directory or a key of its own here, or move the file away if that place is gone"
            )
        }
    }

    private func openingKey(in directory: PrivateDirectory) throws(TokenStorageError) -> Secret {
        if case .given(let key) = key.origin { return key }
        if let key = try KernelKeyring.find(kernelKeyName(in: directory)) { return key }
        throw SealedDocument.unreadable(
            "the key of \(summary) is gone from the kernel's memory, as after a restart of the machine")
    }

    /// The caller holds the lock: two processes must not make two keys.
    private func sealingKey(in directory: PrivateDirectory) throws(TokenStorageError) -> Secret {
        if case .given(let key) = key.origin { return key }
        return try KernelKeyring.findOrAdd(kernelKeyName(in: directory))
    }

    /// One key for each lock file: the directory itself is in the name, not a path to it.
    private func kernelKeyName(in directory: PrivateDirectory) -> String {
        let identity = directory.folder.status.identity
        return "switchyard tokens \(identity.device):\(identity.inode) \(name.safe)"
    }
}
