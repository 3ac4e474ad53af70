internal import SwitchyardCOpenSSL

/// Random bytes from OpenSSL's generator, which is seeded by the kernel.
public enum Random {
    /// `count` random bytes. If the generator fails, the process ends: weak randomness must never be used.
    public static func bytes(_ count: Int) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: count)
        let done = unsafe out.withUnsafeMutableBufferPointer { out in
            unsafe out.baseAddress.map { unsafe sy_random($0, out.count) } ?? 1
        }
        guard done == 1 else { fatalError("the random generator of OpenSSL failed") }
        return out
    }

    /// 64 random bits.
    public static func number() -> UInt64 { UInt64(bytes(8).span, at: 0) }

    /// `byteCount` random bytes in base64url without padding; 32 bytes give 43 characters.
    public static func token(byteCount: Int = 32) -> String {
        Base64URL.encode(bytes(byteCount))
    }
}
