/// Where an app wants its tokens kept.
public enum StoragePlace: Sendable {
    /// The desktop keyring where a Secret Service with a default collection answers, else the encrypted file.
    ///
    /// A keyring that is locked has answered: its calls fail with `locked`, and tokens are not split over two places.
    /// - Parameter fileKey: the key of the file, if it comes to that.
    case automatic(fileKey: EncryptedFileKey = .kernelKeyring)
    case keyring
    /// - Parameter directory: an absolute path; nil is `$XDG_STATE_HOME/switchyard/tokens`.
    case encryptedFile(EncryptedFileKey = .kernelKeyring, directory: String? = nil)
    /// For this process alone, and gone with it.
    case memory

    /// The storage of the cache `name`, found to be usable. Blocking: for `automatic` it asks the session bus.
    ///
    /// Errors: what the place lacks, mostly `unavailable`, with the remedy.
    /// - Parameter name: apps that give the same name share the document: the client ID.
    public func storage(name: String) throws(TokenStorageError) -> any TokenStorage {
        switch self {
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
            } catch  where error.kind == .unavailable {
                return try Self.encryptedFile(fileKey).storage(name: name)
            }
        }
    }
}
