internal import SwitchyardCrypto

/// The content of an encrypted file: a line that names the format, then the document sealed with AES-256-GCM, bound to
/// the name of its cache.
enum SealedDocument {
    private static let head = Array("switchyard tokens 1\n".utf8)

    /// The most that sealing adds to a document.
    static let overhead = head.count + 1 + 32 + 12 + 16

    static func seal(_ document: [UInt8], of cache: CacheName, with key: Secret) throws(TokenStorageError) -> [UInt8] {
        head + (try ring(key)).seal(document, context: context(cache))
    }

    /// Errors: `corrupt`, with what is the matter.
    static func open(
        _ bytes: [UInt8], of cache: CacheName, with key: Secret, at place: String
    ) throws(TokenStorageError) -> [UInt8] {
        guard bytes.starts(with: head) else { throw unreadable("\(place) holds something else than tokens") }
        let ring = try ring(key)
        do throws(SealError) {
            return try ring.open(Array(bytes[head.count...]), context: context(cache))
        } catch {
            switch error {
            case .unknownKey: throw unreadable("\(place) was encrypted with another key")
            case .notAuthentic: throw unreadable("\(place) was damaged or changed, or belongs to another cache")
            }
        }
    }

    static func unreadable(_ message: String) -> TokenStorageError {
        TokenStorageError(.corrupt, message, remedy: "set it aside, and sign in again")
    }

    private static func context(_ cache: CacheName) -> String { "switchyard tokens 1 \(cache.safe)" }

    /// The identifier follows from the key, so that a wrong key is told apart from damage.
    private static func ring(_ key: Secret) throws(TokenStorageError) -> KeyRing {
        let digest = SHA256Digest(of: Array("switchyard tokens: which key?".utf8) + key.exposedBytes)
        guard let key = KeyRing.Key(id: Base64URL.encode(Array(digest.bytes.prefix(12))), secret: key),
            let ring = KeyRing([key])
        else {
            throw TokenStorageError(
                .unavailable, "the key for the file of tokens does not have 32 bytes", remedy: "give 32 random bytes")
        }
        return ring
    }

    /// Throws `unavailable` unless `key` has 32 bytes.
    static func check(_ key: Secret) throws(TokenStorageError) {
        _ = try ring(key)
    }
}
