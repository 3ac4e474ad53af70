internal import SwitchyardCrypto

/// The content of an encrypted file: a line with the format and, for a key in a kernel's memory, the place of the key.
/// Behind it is the document, sealed with AES-256-GCM and bound to the name of its cache.
enum SealedDocument {
    private static let format = "switchyard tokens 1"

    /// The most that the line and sealing add to a document.
    static let overhead = 256 + 1 + 32 + 12 + 16

    /// - Parameter home: where the key is; nil for one that the app gives.
    static func seal(
        _ document: [UInt8], of cache: CacheName, with key: Secret, from home: KeyHome?
    ) throws(TokenStorageError) -> [UInt8] {
        let line = ([format] + (home?.words ?? [])).joined(separator: " ")
        return Array("\(line)\n".utf8) + (try ring(key)).seal(document, context: context(cache))
    }

    /// The place of a file's key; nil if the file does not say.
    static func home(of bytes: [UInt8]) -> KeyHome? {
        head(of: bytes).flatMap { KeyHome(words: $0.words) }
    }

    /// Errors: `corrupt`, with the reason.
    static func open(
        _ bytes: [UInt8], of cache: CacheName, with key: Secret, at place: String
    ) throws(TokenStorageError) -> [UInt8] {
        guard let head = head(of: bytes) else { throw unreadable("\(place) holds something else than tokens") }
        let ring = try ring(key)
        do throws(SealError) {
            return try ring.open(Array(bytes[head.end...]), context: context(cache))
        } catch {
            switch error {
            case .unknownKey: throw unreadable("\(place) was encrypted with another key")
            case .notAuthentic: throw unreadable("\(place) was damaged or changed, or belongs to another cache")
            }
        }
    }

    /// The words behind the format's name, and where the line ends.
    private static func head(of bytes: [UInt8]) -> (words: [Substring], end: Int)? {
        guard let end = bytes.prefix(256).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(
            separator: " ", omittingEmptySubsequences: false)
        guard words.prefix(3).joined(separator: " ") == format else { return nil }
        return (Array(words.dropFirst(3)), end + 1)
    }

    static func unreadable(_ message: String) -> TokenStorageError {
        TokenStorageError(.corrupt, message, remedy: "set it aside, and sign in again")
    }

    private static func context(_ cache: CacheName) -> String { "\(format) \(cache.safe)" }

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
