package import SwitchyardCrypto

/// The place for an app's tokens.
public struct StoragePlace: Sendable {
    /// The desktop keyring where a Secret Service with a default collection answers, else the encrypted file.
    ///
    /// A keyring that is locked has answered: its calls fail with `locked`, and tokens are not split over two places. Nor
    /// are they because one is slow: then finding the place fails with `unavailable`, and is tried again with the next call.
    /// - Parameter fileKey: the key of the file, if it comes to that.
    public static func automatic(fileKey: EncryptedFileKey = .kernelKeyring) -> Self {
        Self(choice: .automatic(fileKey: fileKey))
    }

    /// The desktop keyring alone.
    public static var keyring: Self { Self(choice: .keyring) }

    /// A file of this user alone, encrypted with AES-256-GCM.
    /// - Parameters:
    ///   - key: what it is encrypted with.
    ///   - directory: an absolute path; nil is `$XDG_STATE_HOME/switchyard/tokens`.
    public static func encryptedFile(_ key: EncryptedFileKey = .kernelKeyring, directory: String? = nil) -> Self {
        Self(choice: .encryptedFile(key, directory: directory))
    }

    /// For this process alone, and gone with it.
    public static var memory: Self { Self(choice: .memory) }

    private enum Choice: Sendable {
        case automatic(fileKey: EncryptedFileKey)
        case keyring
        case encryptedFile(EncryptedFileKey, directory: String?)
        case memory
    }

    private let choice: Choice

    /// The storage of the cache `name`, found to be usable. Blocking: for `automatic` it asks the session bus.
    ///
    /// Errors: the place's fault, mostly `unavailable`, with the remedy.
    /// - Parameter name: apps that give the same name share the document: the client ID.
    public func storage(name: String) throws(TokenStorageError) -> any TokenStorage {
        switch choice {
        case .memory: return MemoryStorage()
        case .keyring:
            let keyring = try KeyringStorage(name: name)
            try keyring.check()
            return keyring
        case .encryptedFile(let key, let directory):
            let file = try EncryptedFileStorage(name: name, key: key, directory: directory)
            try file.check()
            return file
        case .automatic(let fileKey):
            do throws(TokenStorageError) {
                return try Self.keyring.storage(name: name)
            } catch  where error.kind == .unavailable && !error.isTimeOut {
                return try Self.encryptedFile(fileKey).storage(name: name)
            }
        }
    }
}

/// The key of an encrypted file.
public struct EncryptedFileKey: Sendable {
    /// 32 random bytes that the app keeps somewhere itself, and gives each time. Needed in containers, where the kernel
    /// keyring is mostly forbidden, and for a directory that several machines share.
    public static func given(bytes: [UInt8]) -> EncryptedFileKey { .given(Secret(bytes)) }

    package static func given(_ key: Secret) -> EncryptedFileKey { EncryptedFileKey(origin: .given(key)) }

    /// A random key in this user's keyring in the kernel's memory, never on a disk. All processes of the user find
    /// it, and it outlives them.
    ///
    /// A restart of the machine forgets it: then the document cannot be opened, `read` and `update` say `corrupt`, and
    /// after ``TokenStorage/setAside()`` the user signs in again. Another machine or user namespace that has the same
    /// directory does not see the key, and leaves the document alone: there `read` and `update` say `unavailable`.
    public static var kernelKeyring: EncryptedFileKey { EncryptedFileKey(origin: .kernelKeyring) }

    enum Origin: Sendable {
        case given(Secret)
        case kernelKeyring
    }

    let origin: Origin

    var isKernels: Bool {
        if case .kernelKeyring = origin { true } else { false }
    }
}
