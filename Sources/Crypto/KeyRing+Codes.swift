/// Authentication of bytes that others may change but need not keep secret.
///
/// A signed value is `length of id · id · bytes · code (16)`. The code is HMAC-SHA-256, cut to 16 bytes, over
/// everything before it. Its key is derived from a key of the ring and used only for codes, so a code tells no fact
/// about sealed values. A MAC was chosen over AES-GCM without a plaintext: records are signed several times for each
/// sign-in, and a repeated GCM nonce would give away the key's authentication.
extension KeyRing {
    private static let codeLength = 16

    /// The bytes with the newest key's id and a code.
    public func signing(_ bytes: [UInt8]) -> [UInt8] {
        var signed: [UInt8] = []
        signed.reserveCapacity(1 + newest.name.count + bytes.count + Self.codeLength)
        signed.append(UInt8(newest.name.count))
        signed += newest.name
        signed += bytes
        signed += Self.code(for: signed[...], newest)
        return signed
    }

    /// The bytes that any key of the ring has signed.
    /// - Throws: ``SealError``.
    public func verifying(_ signed: ArraySlice<UInt8>) throws(SealError) -> [UInt8] {
        guard let nameLength = signed.first.map(Int.init), nameLength > 0,
            signed.count >= 1 + nameLength + Self.codeLength
        else { throw .notAuthentic }
        let start = signed.startIndex + 1
        let name = signed[start..<start + nameLength]
        guard let key = keys.first(where: { $0.name[...] == name }) else {
            throw .unknownKey(id: String(decoding: name, as: UTF8.self))
        }
        let end = signed.endIndex - Self.codeLength
        guard constantTimeEqual(Self.code(for: signed[..<end], key), Array(signed[end...])) else {
            throw .notAuthentic
        }
        return Array(signed[(start + nameLength)..<end])
    }

    private static func code(for bytes: ArraySlice<UInt8>, _ key: Key) -> [UInt8] {
        Array(HMACSHA256.code(for: bytes.span, key: key.codeKey.exposedBytes).prefix(codeLength))
    }
}
