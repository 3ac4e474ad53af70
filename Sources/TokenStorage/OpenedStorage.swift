internal import Synchronization

/// The storage of one document at a place. It opens at the first use, because opening a keyring may block. Safe from any
/// thread.
package final class OpenedStorage: Sendable {
    private let place: StoragePlace
    private let name: String
    private let storage: Mutex<(any TokenStorage)?>

    /// - Parameter storage: an open storage in place of the one at `place`.
    package init(_ place: StoragePlace, name: String, storage: (any TokenStorage)? = nil) {
        self.place = place
        self.name = name
        self.storage = Mutex(storage)
    }

    /// The open storage. After an error, the next call opens it again. Blocking.
    package func get() throws(TokenStorageError) -> any TokenStorage {
        if let storage = storage.withLock(\.self) { return storage }
        let opened = try place.storage(name: name)
        storage.withLock { $0 = opened }
        return opened
    }
}
