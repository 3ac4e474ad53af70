/// HMAC with SHA-256 (RFC 2104).
public enum HMACSHA256 {
    private static let blockSize = 64

    /// The 32 bytes of the code for `message`.
    public static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > blockSize ? SHA256Digest(of: key).bytes : key
        block += [UInt8](repeating: 0, count: blockSize - block.count)
        let inner = SHA256Digest(of: block.map { $0 ^ 0x36 } + message)
        return SHA256Digest(of: block.map { $0 ^ 0x5C } + inner.bytes).bytes
    }
}
