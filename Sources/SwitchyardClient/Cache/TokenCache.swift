internal import SwitchyardTokenStorage

/// The tokens of an application, and of those that it shares them with, in their storage.
final class TokenCache: Sendable {
    private let storage: OpenedStorage
    private let runtime: ClientRuntime

    init(_ settings: ClientSettings, _ runtime: ClientRuntime) {
        let configuration = settings.configuration.cache
        let name =
            switch configuration.sharing.choice {
            case .clientID: settings.clientID
            case .thisApp: "\(settings.clientID) \(settings.bundleID)"
            case .group(let group): "group \(group)"
            }
        storage = OpenedStorage(configuration.place, name: name, storage: configuration.storage)
        self.runtime = runtime
    }

    /// The current content of the cache, as all processes see it.
    func document() async throws(AuthenticationError) -> TokenCacheDocument {
        try await use { (storage) throws(TokenStorageError) in
            try Self.document(in: try storage.read())
        }
    }

    /// Changes the cache in one step against all processes.
    /// - Returns: what `change` returned.
    @discardableResult
    func update<Value: Sendable>(
        _ change: @escaping @Sendable (inout TokenCacheDocument) -> Value
    ) async throws(AuthenticationError) -> Value {
        try await use { (storage) throws(TokenStorageError) in
            try storage.update { bytes -> Result<Value, TokenStorageError> in
                do throws(TokenStorageError) {
                    var document = try Self.document(in: bytes)
                    let before = document.serialized
                    let value = change(&document)
                    let after = document.serialized
                    // A read-only call writes no file, not even an empty cache.
                    if after != before { bytes = after }
                    return .success(value)
                } catch {
                    return .failure(error)
                }
            }.get()
        }
    }

    /// Runs `work` on the storage. A document that cannot be read is set aside and told of, once: it is neither a crash
    /// nor emptied in silence.
    private func use<Value: Sendable>(
        _ work: @escaping @Sendable (any TokenStorage) throws(TokenStorageError) -> Value
    ) async throws(AuthenticationError) -> Value {
        try await runtime.runBlocking { [self] () throws(AuthenticationError) in
            do throws(TokenStorageError) {
                let storage = try storage.get()
                do throws(TokenStorageError) {
                    return try work(storage)
                } catch  where error.kind == .corrupt {
                    try storage.setAside()
                    throw error
                }
            } catch {
                throw AuthenticationError(error)
            }
        }
    }

    private static func document(in bytes: [UInt8]?) throws(TokenStorageError) -> TokenCacheDocument {
        guard let bytes else { return TokenCacheDocument() }
        do throws(TokenCacheDocument.ReadingError) {
            return try TokenCacheDocument(serialized: bytes)
        } catch {
            switch error {
            case .unreadable:
                throw TokenStorageError(
                    .corrupt, "the token cache holds no document of this library",
                    remedy: "it is set aside; sign in again")
            case .newerVersion:
                throw TokenStorageError(
                    .denied, "the token cache was written by a newer version of this library",
                    remedy: "update this app, or give it a cache of its own")
            }
        }
    }
}

extension AuthenticationError {
    init(_ error: TokenStorageError) {
        let internalCode: InternalCode? =
            switch error.kind {
            case .locked: .cacheLocked
            case .corrupt: .cacheCorrupt
            case .unavailable: .cacheUnavailable
            default: nil
            }
        self.init(.cacheFailed, internalCode, error.description)
        underlyingError = error
    }
}
