internal import SwitchyardCrypto
internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardTokenStorage
internal import Synchronization

/// The private key of the app in its storage. Safe from any thread.
final class ClientKeyStore: Sendable {
    private let storage: OpenedStorage
    private let runtime: ClientRuntime
    /// The key, once it was read or made.
    private let known = Mutex<SigningKey?>(nil)

    init(_ configuration: ClientKeyConfiguration, clientID: String, _ runtime: ClientRuntime) {
        storage = OpenedStorage(configuration.place, name: "key of \(clientID)", storage: configuration.storage)
        self.runtime = runtime
    }

    /// - Throws: `invalidConfiguration` before the key was made (``made()``), `cacheFailed`.
    func key() async throws(AuthenticationError) -> SigningKey {
        if let key = known.withLock(\.self) { return key }
        return try await runtime.runBlocking { [self] () throws(AuthenticationError) in
            let document: [UInt8]?
            do throws(TokenStorageError) {
                document = try storage.get().read()
            } catch {
                throw AuthenticationError(error)
            }
            guard let document else { throw Self.noKey }
            return try take(document)
        }
    }

    /// The key, which the first caller of all processes makes.
    func made() async throws(AuthenticationError) -> SigningKey {
        try await runtime.runBlocking { [self] () throws(AuthenticationError) in
            let document: [UInt8]?
            do throws(TokenStorageError) {
                let storage = try storage.get()
                do throws(TokenStorageError) {
                    document = try storage.update { document -> [UInt8]? in
                        if document == nil { document = Self.fresh() }
                        return document
                    }
                } catch  where error.kind == .corrupt {
                    // An unreadable key cannot sign. The next call makes another, to be registered anew.
                    try storage.setAside()
                    throw error
                }
            } catch {
                throw AuthenticationError(error)
            }
            guard let document else {
                throw AuthenticationError(.internal, .unexpected, "no key can be made")
            }
            return try take(document)
        }
    }

    // MARK: As bytes

    private static let version: Int64 = 1

    private static func fresh() -> [UInt8]? {
        guard let key = SigningKey(generating: .p256), let pem = key.pem else { return nil }
        return JSONValue.object([
            "version": .integer(version), "kid": .string(key.id), "pem": .string(pem.exposedText),
        ]).serialized
    }

    private func take(_ document: [UInt8]) throws(AuthenticationError) -> SigningKey {
        guard let json = (try? JSONValue.parse(document))?.object, json["version"]?.integer == Self.version,
            let id = json["kid"]?.string, let pem = json["pem"]?.string,
            let key = try? SigningKey(id: id, pem: Secret(pem))
        else {
            throw AuthenticationError(
                .cacheFailed, .cacheCorrupt,
                "the document at the place of the client's key holds no key that this version reads")
        }
        known.withLock { $0 = key }
        return key
    }

    private static let noKey = AuthenticationError(
        .invalidConfiguration, .invalidParameter,
        "the app has no key yet: register what clientKeySet() returns with the issuer")
}

extension ClientCore {
    /// How the app proves itself to its issuer.
    func authentication() async throws(AuthenticationError) -> ClientAuthentication {
        guard let clientKey else { return settings.configuration.clientAuthentication }
        return .privateKeyJWT(try await clientKey.key())
    }

    /// - Throws: `invalidConfiguration` without ``PublicClientApplicationConfiguration/clientKey``.
    func clientKeySet() async throws(AuthenticationError) -> String {
        guard let clientKey else {
            throw AuthenticationError(
                .invalidConfiguration, .invalidParameter,
                "the configuration has no clientKey, so there is no key to show")
        }
        let keys = ClientKeys(signing: [try await clientKey.made()])
        return String(decoding: keys.published ?? [], as: UTF8.self)
    }
}
