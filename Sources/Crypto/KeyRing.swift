/// The reason why a sealed value could not be opened.
public enum SealError: Error, Equatable, Sendable {
    /// It was sealed with a key that this ring does not hold.
    case unknownKey(id: String)
    /// The bytes are no sealed value, or were changed, or belong to another context.
    case notAuthentic
}

/// AES-256-GCM keys: the newest seals, all of them open.
///
/// A sealed value is `length of id · id · nonce (12) · ciphertext · tag (16)`. Sealing binds a context (such as the
/// request's id and the field's name), so that a value moved to another place does not open. Safe from any thread.
public struct KeyRing: Sendable {
    /// A key and the name by which sealed values know it.
    public struct Key: Sendable {
        public let id: String
        /// The id, as sealed values contain it.
        let name: [UInt8]
        fileprivate let secret: Secret
        /// The key of the codes that ``KeyRing/signing(_:)`` makes. It is derived from the secret and cannot open
        /// sealed values.
        let codeKey: Secret

        /// nil unless the id is 1 to 32 bytes long and the secret is 32 bytes.
        public init?(id: String, secret: Secret) {
            guard (1...32).contains(id.utf8.count), secret.exposedBytes.count == 32 else { return nil }
            self.id = id
            name = Array(id.utf8)
            self.secret = secret
            codeKey = Secret(
                HMACSHA256.code(for: Array("switchyard: codes of records".utf8), key: secret.exposedBytes))
        }

        /// A random one, which is gone with the process.
        public static func ephemeral() -> Key {
            guard let key = Key(id: "ephemeral", secret: Secret(Random.bytes(32))) else {
                fatalError("a 32-byte key with a 9-byte id is always a key")
            }
            return key
        }
    }

    let newest: Key
    let keys: [Key]

    /// nil when `keys` is empty. The first one is the newest.
    public init?(_ keys: [Key]) {
        guard let newest = keys.first else { return nil }
        self.newest = newest
        self.keys = keys
    }

    /// - Parameter last: seals if `keys` is empty; otherwise it only opens.
    public init(_ keys: [Key], last: Key) {
        self.keys = keys + [last]
        newest = keys.first ?? last
    }

    /// A ring with one random key, for values that do not outlive the process.
    public static func ephemeral() -> KeyRing { KeyRing([], last: .ephemeral()) }

    /// Seals a value with the newest key.
    /// - Parameter context: the kind of the value and its owner; only the same context opens it.
    public func seal(_ plaintext: [UInt8], context: String) -> [UInt8] {
        let nonce = Random.bytes(AESGCM.nonceLength)
        let box = AESGCM.seal(plaintext, key: newest.secret, nonce: nonce, associated: Array(context.utf8))
        guard let box else { fatalError("AES-256-GCM failed to encrypt") }
        var sealed: [UInt8] = []
        sealed.reserveCapacity(1 + newest.name.count + nonce.count + box.count)
        sealed.append(UInt8(newest.name.count))
        sealed += newest.name
        sealed += nonce
        sealed += box
        return sealed
    }

    /// Whether the ring has a key of this name.
    public func hasKey(_ id: String) -> Bool { keys.contains { $0.id == id } }

    /// Whether the newest key has sealed a value.
    public func isOfNewest(_ sealed: [UInt8]) -> Bool {
        sealed.first.map(Int.init) == newest.name.count && sealed.dropFirst().starts(with: newest.name)
    }

    /// The name of the key that sealed a value, if the ring lacks that key. Any writer of the store may have chosen it,
    /// so unprintable bytes become `?`. A value without a name gives "".
    /// - Returns: nil if the ring has the key, and for an empty value, which is unsealed.
    public func missingKey(of sealed: [UInt8]) -> String? {
        guard let length = sealed.first.map(Int.init) else { return nil }
        guard (1...32).contains(length), sealed.count > length else { return "" }
        let name = sealed[1...length]
        if keys.contains(where: { $0.name[...] == name }) { return nil }
        let plain = name.map { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") ? $0 : UInt8(ascii: "?") }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Opens a value that any key of the ring has sealed.
    /// - Throws: ``SealError``.
    public func open(_ sealed: [UInt8], context: String) throws(SealError) -> [UInt8] {
        guard let idLength = sealed.first.map(Int.init), idLength > 0, sealed.count >= 1 + idLength + 12 + 16 else {
            throw .notAuthentic
        }
        let name = sealed[1...idLength]
        guard let key = keys.first(where: { $0.name[...] == name }) else {
            throw .unknownKey(id: String(decoding: name, as: UTF8.self))
        }
        let nonce = Array(sealed[(1 + idLength)..<(13 + idLength)])
        let box = Array(sealed[(13 + idLength)...])
        let opened = AESGCM.open(box, key: key.secret, nonce: nonce, associated: Array(context.utf8))
        guard let plaintext = opened else { throw .notAuthentic }
        return plaintext
    }
}
